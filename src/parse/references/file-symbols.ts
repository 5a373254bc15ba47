// Maps the symbols of a file to nodes of its tree.
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import { NO_NAME, type GrammarRules } from "./grammar-rules.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** The nodes of a file's symbols. */
export class FileSymbols {
  readonly list: readonly SymbolDefinition[];
  readonly #tree: FlatSyntaxTree;
  readonly #grammar: GrammarRules;
  readonly #byName = new Map<number, number>();
  /** By symbol: the node that defines it; -1 if not found. */
  readonly #nodes: Int32Array;
  /** By symbol: the leaf with its name; -1 if not found. */
  readonly #leaves: Int32Array;
  /** The leaves with the names of further overloads and clauses. */
  readonly #clauseNames = new Set<number>();
  /** By node: the symbol that it defines, or -1. */
  readonly #symbols: Int32Array;
  readonly #lineStarts: readonly number[];
  /** Returns the offset in the file of an offset in the text; -1 for code that is not in the file. */
  readonly #originOf: ((offset: number) => number) | undefined;
  #line = 0;
  #qualifiedNames: Set<string> | undefined;

  constructor(
    tree: FlatSyntaxTree,
    grammar: GrammarRules,
    {
      symbols,
      names,
      originOf,
    }: {
      symbols: readonly SymbolDefinition[];
      names: readonly number[];
      originOf?: ((offset: number) => number) | undefined;
    },
  ) {
    this.list = symbols;
    this.#originOf = originOf;
    this.#tree = tree;
    this.#grammar = grammar;
    this.#nodes = new Int32Array(symbols.length).fill(-1);
    this.#leaves = new Int32Array(symbols.length).fill(-1);
    this.#symbols = new Int32Array(tree.count).fill(-1);
    this.#lineStarts = lineStartsOf(tree.text);
    const unnamed: number[] = [];
    for (const [symbol, offset] of names.entries()) {
      if (offset === -1) unnamed.push(symbol);
      else if (!this.#byName.has(offset)) this.#byName.set(this.#startOfName(offset), symbol);
    }
    this.#place();
    if (unnamed.length > 0) this.#placeUnnamed(unnamed);
    this.#placeOverloads();
  }

  has(qualifiedName: string): boolean {
    this.#qualifiedNames ??= new Set(this.list.map((symbol) => symbol.qualifiedName));
    return this.#qualifiedNames.has(qualifiedName);
  }

  /** The tilde of a destructor is not part of the leaf; that of an operator of Haskell is. */
  #startOfName(offset: number): number {
    const { text } = this.#tree;
    return text[offset] === "~" && /[\p{L}_\s]/u.test(text[offset + 1] ?? "") ? offset + 1 : offset;
  }

  /** Returns the symbol whose name the leaf is, or -1. */
  namedAt(leaf: number): number {
    const symbol = this.#byName.get(this.#tree.start(leaf));
    return symbol !== undefined && this.#leaves[symbol] === leaf ? symbol : -1;
  }

  /** Returns whether the leaf is the name in a further overload or clause of a symbol: `total (x:xs) = …`. */
  isClauseName(leaf: number): boolean {
    return this.#clauseNames.has(leaf);
  }

  /** Returns the leaf with the symbol's name at its definition, or -1 if unknown. */
  leafOf(symbol: number): number {
    return this.#leaves[symbol] ?? -1;
  }

  /** Returns the node that defines the symbol, or -1 if unknown. */
  nodeOf(symbol: number): number {
    return this.#nodes[symbol] ?? -1;
  }

  /** Returns the symbol that the node defines, or -1. */
  definedBy(node: number): number {
    return this.#symbols[node] ?? -1;
  }

  isParameter(symbol: number): boolean {
    const node = this.nodeOf(symbol);
    const declarations = this.#grammar.nodes[this.#tree.types[node] ?? 0]?.declares ?? [];
    return declarations.some(
      ({ isParameter, when }) => isParameter === true && when?.(node, this.#tree) !== false,
    );
  }

  /** Returns the line in the file of an offset in the text; 0 for code that is not in the file. */
  lineInFile(index: number): number {
    if (this.#originOf === undefined) return this.lineOf(index);
    const origin = this.#originOf(index);
    return origin === -1 ? 0 : this.lineOf(origin);
  }

  /** Returns the 1-based line of an offset in the text. */
  lineOf(index: number): number {
    const starts = this.#lineStarts;
    // Fast path: most calls are for the same line as the last one, or for one of the next lines.
    let line = this.#line;
    if ((starts[line] ?? 0) > index || (starts[line + 40] ?? Infinity) <= index) {
      line = search(starts, index);
    }
    while ((starts[line + 1] ?? Infinity) <= index) line += 1;
    this.#line = line;
    return line + 1;
  }

  #place(): void {
    const { names } = this.#grammar;
    const { count, types, starts } = this.#tree;
    for (let node = 0; node < count && this.#byName.size > 0; node += 1) {
      if (this.#tree.next(node) !== node + 1) continue;
      const symbol = this.#byName.get(starts[node] ?? -1);
      // A string can be a name, but a name leaf at the same position takes precedence.
      if (symbol === undefined || this.#leaves[symbol] !== -1) continue;
      if (names[types[node] ?? 0] !== NO_NAME || this.#definitionAround(node) !== -1) {
        this.#put(symbol, node);
      }
    }
  }

  #put(symbol: number, leaf: number): void {
    this.#leaves[symbol] = leaf;
    const node = this.#definitionAround(leaf);
    if (node === -1) return;
    this.#nodes[symbol] = node;
    if (this.#symbols[node] === -1) this.#symbols[node] = symbol;
  }

  /** Returns the innermost definition that the leaf can name, or -1. */
  #definitionAround(leaf: number): number {
    let node = this.#tree.parent(leaf);
    while (node !== -1 && !this.#isDefinition(node)) node = this.#tree.parent(node);
    return node;
  }

  /** Finds symbols without a name offset: by the first equal name on their line, or by a definition on it. */
  #placeUnnamed(unnamed: readonly number[]): void {
    const byLine = Map.groupBy(unnamed, (symbol) => this.list[symbol]?.nameLine ?? 0);
    const { count, types } = this.#tree;
    for (let node = 0; node < count && byLine.size > 0; node += 1) {
      const line = this.lineOf(this.#tree.start(node));
      const open = byLine.get(line);
      if (open === undefined) continue;
      const isName = this.#grammar.names[types[node] ?? 0] !== NO_NAME && this.#tree.isLeaf(node);
      const symbol = open.find((one) =>
        isName
          ? this.list[one]?.name === this.#tree.textOf(node)
          : this.list[one]?.name === "default" && this.#isDefinition(node),
      );
      if (symbol === undefined) continue;
      if (isName) {
        this.#byName.set(this.#tree.start(node), symbol);
        this.#put(symbol, node);
      } else {
        this.#nodes[symbol] = node;
        this.#symbols[node] = symbol;
      }
      open.splice(open.indexOf(symbol), 1);
      if (open.length === 0) byLine.delete(line);
    }
  }

  #isDefinition(node: number): boolean {
    const { isDefinition, rules } = this.#grammar;
    if (isDefinition[this.#tree.types[node] ?? 0] !== 1) return false;
    return rules.definedName === undefined || rules.definedName(node, this.#tree) !== -1;
  }

  #nameIn(definition: number): number {
    const { definedName } = this.#grammar.rules;
    if (definedName !== undefined) return definedName(definition, this.#tree);
    return this.#tree.childInField(definition, "name");
  }

  /** Maps further overloads and clauses, which the outline merges into one definition, to the symbol. */
  #placeOverloads(): void {
    for (const [symbol, { name, startLine, endLine }] of this.list.entries()) {
      const first = this.nodeOf(symbol);
      if (first === -1 || startLine === endLine) continue;
      for (let node = this.#tree.next(first); node < this.#tree.count;) {
        if (this.lineOf(this.#tree.start(node)) > endLine) break;
        if (this.#isDefinition(node) && this.#symbols[node] === -1) {
          const named = this.#nameIn(node);
          if (named !== -1 && this.#tree.textOf(named) === name) {
            this.#symbols[node] = symbol;
            this.#clauseNames.add(named);
          }
        }
        const next = this.#tree.next(node);
        node = this.#isDefinition(node) ? next : node + 1;
      }
    }
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last line that starts at or before the offset. */
function search(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
