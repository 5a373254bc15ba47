// Reads the scopes of a file, with their declarations and imports. Nothing is evaluated here; uses evaluate
// lazily.
import { isValueKind } from "../../base/definition-kinds.ts";
import type { Declaration, NodeRule, ScopeKind } from "../languages/reference-rules.ts";
import type { Import } from "./references.ts";
import { DECLARES, NO_NAME, partOf, partsOf, type GrammarRules } from "./grammar-rules.ts";
import {
  nameOfBinding,
  type FoundBinding,
  type FoundImport,
  type ImportedName,
} from "./imports.ts";
import { PatternReader } from "./patterns.ts";
import {
  enclosing,
  openScope,
  resolveLocal,
  type LocalVariable,
  type Origin,
  type LexicalScope,
} from "./scopes.ts";
import type { FileSymbols } from "./file-symbols.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** States of a leaf before uses are read. Not known yet. */
const UNKNOWN_LEAF = 0;
/** A declared name, or part of an import. */
export const NO_USE = 1;
/** A name that an import binds. */
export const IMPORT_USE = 2;
/** A name in a pattern that is also a member name. */
export const PATTERN_USE = 3;

const UNKNOWN_ORIGIN: Omit<Origin, "steps"> = { type: -1, value: -1, parameter: -1, callable: -1 };

/** Where and how names are declared. */
interface NamedPlace {
  readonly scope: LexicalScope;
  readonly from: number;
  readonly origin: Omit<Origin, "steps">;
  readonly isParameter: boolean;
  /** Whether the origin is that of this name, not of the whole definition. */
  readonly isPart?: boolean;
}

/** A name or a pattern. */
interface PatternPart {
  readonly name: number;
  readonly origin: NamedPlace["origin"];
  /** From the value of the origin; undefined if the origin is that of this part only. */
  readonly steps?: readonly string[];
}

/** The scopes of one file. */
export class FileScopes {
  readonly tree: FlatSyntaxTree;
  readonly grammar: GrammarRules;
  readonly symbols: FileSymbols;
  readonly imports: Import[] = [];
  /** By node: UNKNOWN_LEAF, NO_USE, IMPORT_USE or PATTERN_USE. */
  readonly leaves: Uint8Array;
  readonly importedNames = new Map<number, ImportedName>();
  /** By node: the local name of the module that the node loads, as `require("y")` does. */
  readonly loadedModules = new Map<number, string>();
  /** By leaf in a pattern: the origin of the receiver of the member. */
  readonly patternNames = new Map<number, Origin>();
  /** By symbol that is a name in a pattern: its origin. */
  readonly symbolOrigins = new Map<number, Origin>();
  readonly #scopes: LexicalScope[] = [openScope(undefined, 0, undefined)];
  /** By node: the number of the scope that contains it. */
  readonly #scopeOf: Int32Array;
  readonly #patterns: PatternReader;
  #current = 0;

  constructor(tree: FlatSyntaxTree, grammar: GrammarRules, symbols: FileSymbols) {
    this.tree = tree;
    this.grammar = grammar;
    this.symbols = symbols;
    this.#patterns = new PatternReader(tree, grammar);
    this.leaves = new Uint8Array(tree.count);
    this.#scopeOf = new Int32Array(tree.count);
    this.#read();
  }

  /** Returns the scope that contains a node. For a node that opens a scope, that is the outer one. */
  scopeAt(node: number): LexicalScope {
    return this.#scope(this.#scopeOf[node] ?? 0);
  }

  /** The outermost scope. */
  get file(): LexicalScope {
    return this.#scope(0);
  }

  #scope(number: number): LexicalScope {
    const scope = this.#scopes[number];
    if (scope === undefined) throw new RangeError(`There is no scope ${number}.`);
    return scope;
  }

  #read(): void {
    const { tree, grammar } = this;
    const { types, count } = tree;
    const { marks, names } = grammar;
    const around: number[] = [];
    const ends: number[] = [];
    let end = count;
    for (let node = 0; node < count; node += 1) {
      while (node >= end) {
        this.#current = around.pop() ?? 0;
        end = ends.pop() ?? count;
      }
      const outer = this.#current;
      this.#scopeOf[node] = outer;
      const type = types[node] ?? 0;
      if (names[type] !== NO_NAME) this.#declareSymbol(node);
      if (((marks[type] ?? 0) & DECLARES) === 0) continue;
      if (this.#readRule(node, grammar.nodes[type] ?? {})) {
        node = tree.next(node) - 1;
      } else if (this.#current !== outer) {
        around.push(outer);
        ends.push(end);
        end = tree.next(node);
      }
    }
  }

  /**
   * Reads declarations and opens the scope of the node, if it has one. Returns true if the node's descendants
   * can be skipped.
   */
  #readRule(node: number, rule: NodeRule): boolean {
    if (this.#readImport(node, rule)) return true;
    const declarations = rule.declares ?? [];
    for (const one of declarations) if (one.in !== "own") this.#declare(node, one);
    if (rule.sets !== undefined) this.#setField(node, rule.sets);
    const scope = typeof rule.scope === "function" ? rule.scope(node, this.tree) : rule.scope;
    if (scope === undefined) return false;
    this.#current = this.#open(scope, node);
    for (const { name, type } of rule.inheritedFields?.(node, this.tree) ?? []) {
      addField(this.#scope(this.#current), name, { ...UNKNOWN_ORIGIN, type });
    }
    for (const one of declarations) if (one.in === "own") this.#declare(node, one);
    return false;
  }

  #open(kind: ScopeKind, node: number): number {
    const scope = openScope(kind, node, this.#scope(this.#current));
    this.#scopes.push(scope);
    return this.#scopes.length - 1;
  }

  /** Declares a symbol of the outline at its name, even without a rule. */
  #declareSymbol(leaf: number): void {
    const symbol = this.symbols.namedAt(leaf);
    this.#markDefining(leaf, symbol);
    if (symbol === -1) return;
    const node = this.symbols.nodeOf(symbol);
    // A symbol whose name is in the head of another definition is part of that definition.
    const isOwn = node !== -1 && this.symbols.definedBy(node) === symbol;
    const scope = this.scopeAt(isOwn ? node : leaf);
    if (scope.kind === "type" && (this.grammar.rules.members ?? "none") === "none") return;
    if (this.#isNoName(symbol, leaf) || (isOwn && this.#isKey(node))) return;
    if (this.symbols.list[symbol]?.name.startsWith("~") === true) return;
    if (scope.kind === undefined && this.#isMethod(symbol)) return;
    this.#add(leaf, { scope, from: this.#visibleFrom(leaf), symbol, name: this.tree.textOf(leaf) });
  }

  #visibleFrom(leaf: number): number {
    return this.grammar.rules.symbolFrom?.(leaf, this.tree) ?? -1;
  }

  /** In a component, a variable in a pattern is a use of the property that it is named after. */
  #markDefining(leaf: number, symbol: number): void {
    const { hasMemberVariables } = this.grammar.rules;
    const isMemberToo = hasMemberVariables === true && this.leaves[leaf] === PATTERN_USE;
    const isDefining = symbol === -1 ? this.symbols.isClauseName(leaf) : !isMemberToo;
    if (isDefining) this.leaves[leaf] = NO_USE;
  }

  #isNoName(symbol: number, leaf: number): boolean {
    return this.symbols.isParameter(symbol) || this.#isMemberName(leaf);
  }

  #isKey(node: number): boolean {
    return this.grammar.nodes[this.tree.types[node] ?? 0]?.isKey === true;
  }

  /** A method defined outside its type cannot be used there without a receiver. */
  #isMethod(symbol: number): boolean {
    const { kind, name, qualifiedName } = this.symbols.list[symbol] ?? {};
    return kind === "method" && qualifiedName !== name;
  }

  /** `x` in `self.x = y` declares no local. */
  #isMemberName(leaf: number): boolean {
    const { tree, grammar } = this;
    const parent = tree.parent(leaf);
    const rule = grammar.nodes[tree.types[parent] ?? 0]?.value;
    if (rule?.is === "member" && partOf(tree, parent, rule.object) !== -1) return true;
    const own = grammar.nodes[tree.types[leaf] ?? 0]?.value;
    return own?.is === "member" && own.name === "." && partOf(tree, leaf, own.object) !== -1;
  }

  #declare(node: number, declaration: Declaration): void {
    const { tree } = this;
    if (declaration.when?.(node, tree) === false) return;
    const scope = this.#scopeFor(node, declaration);
    const origin = {
      ...UNKNOWN_ORIGIN,
      type: partOf(tree, node, declaration.type),
      value: partOf(tree, node, declaration.value),
    };
    const isParameter = declaration.isParameter === true;
    const steps = stepsOf(declaration, origin);
    const first = declaration.isRecursive === true ? node : tree.next(node);
    const from = declaration.in === "own" ? -1 : first;
    const naming = { scope, from: isParameter ? -1 : from, isParameter };
    const names = partsOf(tree, node, declaration.names);
    if (declaration.isParallel === true) {
      this.#declareEach(names, { ...naming, origin });
      return;
    }
    for (const name of names) {
      const at = declaration.names === "*" ? name : node;
      const parameter = isParameter ? this.#parameterAt(at, scope) : {};
      const ofName = declaration.typeOf && { type: declaration.typeOf(name, tree) };
      const start = { ...origin, ...parameter, ...ofName };
      // Of several names declared at once, each is visible to the following ones.
      const visibleFrom = naming.from === -1 || names.length === 1 ? naming.from : tree.next(name);
      const named = { ...naming, from: visibleFrom, origin: start };
      this.#readParts(this.#partsOf({ name, origin: start, steps }, declaration), named);
      if (declaration.isField?.(node, tree) === true) this.#declareField(name, start);
    }
  }

  #readPattern(name: number, steps: readonly string[], named: NamedPlace): void {
    this.#patterns.read(name, steps, {
      declared: (leaf, to) => {
        if (leaf === name || this.#isPatternName(leaf)) this.#name(leaf, named, to);
      },
      member: (leaf, of) => this.#useInPattern(leaf, named, of),
    });
  }

  #readParts(parts: readonly PatternPart[], named: NamedPlace): void {
    for (const { name, origin, steps } of parts) {
      this.#readPattern(name, steps ?? [], { ...named, origin, isPart: steps === undefined });
    }
  }

  /** Returns the parts of a pattern with their values or types, if both are lists that are written out; else the whole. */
  #partsOf(whole: PatternPart, { listed }: Declaration): readonly PatternPart[] {
    const { value, type } = whole.origin;
    if (listed === undefined || this.tree.isLeaf(whole.name)) return [whole];
    const names = listed(whole.name, this.tree);
    const values = value === -1 ? undefined : listed(value, this.tree);
    const types = type === -1 ? undefined : listed(type, this.tree);
    if (names === undefined || (values ?? types) === undefined) return [whole];
    const parts = names.map((name, at) => ({
      name,
      origin: { ...UNKNOWN_ORIGIN, value: values?.[at] ?? -1, type: types?.[at] ?? -1 },
    }));
    return parts.filter(({ name }) => name !== -1);
  }

  #isPatternName(leaf: number): boolean {
    const { patternNames } = this.grammar.rules;
    return patternNames === undefined || patternNames.test(this.tree.textOf(leaf));
  }

  /** Declares names of parallel lists: `a, b = x, y`. */
  #declareEach(names: readonly number[], naming: NamedPlace): void {
    const { tree } = this;
    const [only = -1] = names.length === 1 ? names : [];
    const leaves = only === -1 || tree.isLeaf(only) ? names : tree.children(only);
    const { value } = naming.origin;
    const values = value === -1 ? [] : tree.children(value);
    const isOneForOne = values.length === leaves.length;
    for (const [at, leaf] of leaves.entries()) {
      if (!tree.isLeaf(leaf) || this.grammar.names[tree.types[leaf] ?? 0] === NO_NAME) continue;
      const own = isOneForOne || at === 0 ? (values[at] ?? -1) : -1;
      const origin = { ...naming.origin, value: own };
      this.#name(leaf, { ...naming, origin }, []);
      const symbol = this.symbols.namedAt(leaf);
      if (symbol !== -1 && at > 0) this.symbolOrigins.set(symbol, { ...origin, steps: [] });
    }
  }

  #scopeFor(node: number, { in: rule }: Declaration): LexicalScope {
    const current = this.#scope(this.#current);
    const where = typeof rule === "function" ? rule(node, this.tree) : rule;
    return where === "function" ? (enclosing(current, "function") ?? this.file) : current;
  }

  /** Returns the function of a parameter, and the index of the parameter. */
  #parameterAt(node: number, scope: LexicalScope): Pick<Origin, "parameter" | "callable"> {
    const { tree } = this;
    const callable = scope.node;
    const parent = tree.parent(node);
    // A parameter without parentheses is a child of the function itself.
    const parameter = node === callable || parent === callable ? 0 : childNumber(tree, node);
    return { parameter, callable };
  }

  #useInPattern(node: number, { origin }: NamedPlace, steps: readonly string[]): void {
    this.leaves[node] = PATTERN_USE;
    this.patternNames.set(node, { ...origin, steps });
  }

  #name(node: number, naming: NamedPlace, steps: readonly string[]): void {
    if (this.leaves[node] === UNKNOWN_LEAF) this.leaves[node] = NO_USE;
    const symbol = naming.isParameter ? -1 : this.symbols.namedAt(node);
    const { scope, from } = naming;
    const origin: Origin = { ...naming.origin, steps };
    if (symbol !== -1) {
      if (steps.length > 0 || naming.isPart === true) this.symbolOrigins.set(symbol, origin);
      return;
    }
    this.#add(node, { scope, from, symbol, name: this.tree.textOf(node), origin });
  }

  #add(
    node: number,
    found: Pick<LocalVariable, "scope" | "from" | "symbol" | "name"> & Partial<LocalVariable>,
  ): void {
    const { name, scope, from, symbol, binding = -1, imported = "", origin } = found;
    const previous = scope.locals.get(name);
    // Overloads and clauses belong to the first definition.
    if (previous !== undefined && previous.symbol !== -1 && symbol === -1) return;
    const local = {
      name,
      scope,
      node,
      from,
      symbol,
      binding,
      imported,
      origin,
      previous,
      expression: undefined,
      isBeingRead: false,
    };
    scope.locals.set(name, local);
  }

  #declareField(node: number, origin: Omit<Origin, "steps">): void {
    const type = enclosing(this.#scope(this.#current), "type");
    if (!this.tree.isLeaf(node) || this.symbols.namedAt(node) !== -1) return;
    if (type !== undefined) addField(type, this.tree.textOf(node), origin);
  }

  #setField(node: number, { member, type, value }: NonNullable<NodeRule["sets"]>): void {
    const { tree, grammar } = this;
    const target = partOf(tree, node, member);
    const rule = target === -1 ? undefined : grammar.nodes[tree.types[target] ?? 0]?.value;
    if (rule?.is !== "member") return;
    const object = partOf(tree, target, rule.object);
    const name = partOf(tree, target, rule.name);
    if (object === -1 || name === -1 || !this.#isSelf(object)) return;
    const typeNode = partOf(tree, node, type);
    const valueNode = partOf(tree, node, value);
    if (typeNode === -1 && valueNode !== -1 && tree.typeName(valueNode) === "nil") return;
    const around = enclosing(this.#scope(this.#current), "type");
    const text = tree.textOf(name);
    if (around === undefined || (typeNode === -1 && hasField(around, text))) return;
    const origin = { ...UNKNOWN_ORIGIN, type: typeNode, value: valueNode };
    addField(around, text, origin);
  }

  #isSelf(node: number): boolean {
    const { tree, grammar } = this;
    if (grammar.nodes[tree.types[node] ?? 0]?.value?.is === "self") return true;
    if (grammar.rules.hasSelfParameter !== true || !tree.isLeaf(node)) return false;
    const callable = enclosing(this.#scope(this.#current), "function");
    const local = callable?.locals.get(tree.textOf(node));
    return local?.origin?.parameter === 0 && callable?.parent?.kind === "type";
  }

  #readImport(node: number, rule: NodeRule): boolean {
    const add = (found: FoundImport): void => this.#addImport(found);
    const isRead = rule.imports?.(node, { tree: this.tree, add }) ?? rule.isIgnored;
    if (isRead !== true) return false;
    const end = this.tree.next(node);
    for (let inside = node; inside < end; inside += 1) {
      this.#scopeOf[inside] = this.#current;
      const isUse = this.#scope(this.#current).opened?.includes(inside) === true;
      if (this.leaves[inside] === UNKNOWN_LEAF && !isUse) this.leaves[inside] = NO_USE;
    }
    return true;
  }

  /** Makes the members of a variable visible if the leaf names one. */
  #opens(leaf: number): boolean {
    const scope = this.#scope(this.#current);
    const at = { scope, node: leaf };
    const local = resolveLocal(this.tree.textOf(leaf), at, { members: "all", isSequential: true });
    if (local === undefined || !isVariable(local, this.symbols)) return false;
    scope.opened ??= [];
    if (!scope.opened.includes(leaf)) scope.opened.push(leaf);
    return true;
  }

  #addImport(found: FoundImport): void {
    const { node, module, isWildcard = false, isReexport = false } = found;
    if (found.from !== undefined && this.#opens(found.from)) return;
    const binding = this.imports.length;
    const bindings = found.bindings.map(({ name, local }) => ({ name, local }));
    const line = this.symbols.lineInFile(this.tree.start(node));
    this.imports.push({ line, module, bindings, isWildcard, isReexport });
    const [loaded] = found.isValue === true ? bindings : [];
    if (loaded !== undefined) this.loadedModules.set(node, loaded.local);
    for (const one of found.bindings) this.#addBinding(found, one, binding);
  }

  #addBinding(
    { node, isReexport = false, isBound }: FoundImport,
    one: FoundBinding,
    binding: number,
  ): void {
    const scope = this.#scope(this.#current);
    const imported = nameOfBinding(one);
    // `A.B` of Elixir means a module without binding `A`.
    const isInFull = one.name !== "*" && one.local.includes(".");
    if (one.local !== "" && !isInFull && (!isReexport || isBound === true)) {
      // `import a.b` binds `a`.
      const name = one.local.replace(/\..*/, "");
      const used = one.name === "*" ? name : imported;
      this.#add(node, { scope, from: -1, symbol: -1, name, binding, imported: used });
    }
    if (one.node === -1 || one.name === "*") return;
    this.leaves[one.node] = IMPORT_USE;
    this.importedNames.set(one.node, { name: imported, binding });
  }
}

function isVariable({ symbol, binding }: LocalVariable, { list }: FileSymbols): boolean {
  return binding === -1 && (symbol === -1 || isValueKind(list[symbol]?.kind));
}

function hasField({ fields }: LexicalScope, name: string): boolean {
  return fields?.has(name) === true;
}

function addField(scope: LexicalScope, name: string, origin: Omit<Origin, "steps">): void {
  scope.fields ??= new Map();
  scope.fields.set(name, { ...origin, steps: [] });
}

/** A declared type is already the element type, so it needs no step. */
function stepsOf({ step }: Declaration, { type }: Pick<Origin, "type">): readonly string[] {
  return step === undefined || type !== -1 ? [] : [step];
}

function childNumber(tree: FlatSyntaxTree, child: number): number {
  const parent = tree.parent(child);
  let number = 0;
  for (let node = parent + 1; node < child; node = tree.next(node)) number += 1;
  return number;
}
