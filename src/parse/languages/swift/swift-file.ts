// What the readers of a file of Swift share: the place in its tokens, the local names in scope, and what is found.

import type { Import, Use, UseRole } from "../../references/references.ts";
import { extractDocLine, extractSignature } from "../../symbols/signature.ts";
import type { SymbolDefinition } from "../../symbols/symbol-definition.ts";
import type { AccessLevel, SymbolKind } from "../definition-rules.ts";
import { END, NAME, OPERATOR, Tokens, WORD } from "./tokens.ts";

/** A name that a scope declares. */
export interface LocalName {
  /** The type of its values as an expression; "" if it is unknown. */
  readonly type: string;
  /** True for types: type parameters, and types in functions. */
  readonly isType: boolean;
}

/** Longer expressions are unknown. */
const MAX_EXPRESSION = 320;
const MAX_DEPTH = 200;

/** What is known of a use, apart from its name. */
interface UseFacts {
  readonly role: UseRole;
  readonly receiver?: string;
  /** The labels of a call; see `labelsText`. */
  readonly passed?: string | undefined;
}

/** The readers of parts that contain each other. */
export interface PartReaders {
  /** Reads an expression. `expected`: the type that it must have, "" if unknown. Returns its value as an expression. */
  readonly expression: (file: SwiftFile, expected?: string) => string;
  /** Reads a function literal. `parameter`: the expression of the type of each parameter. */
  readonly closure: (file: SwiftFile, parameter: (index: number) => string) => void;
  /** Reads statements up to the token with an index. */
  readonly statements: (file: SwiftFile, end: number) => void;
  /** Reads the arguments of an attribute of a type. */
  readonly arguments: (file: SwiftFile, type: string) => void;
  /** Reads `if`, `switch` and `do`, which may be values. */
  readonly branches: (file: SwiftFile) => void;
}

/** The type around a declaration. */
export interface TypeContainer {
  /** Its qualified name; "" at the top level. */
  readonly name: string;
  readonly kind: "class" | "enum" | "protocol" | "none";
  /** The access of members that declare none. */
  readonly access: AccessLevel;
}

/** A declaration whose symbol is added. */
export interface Declared {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly access: AccessLevel;
  /** The indices of the first token, of the first one after the attributes, and of the name. */
  readonly start: number;
  readonly head: number;
  readonly nameIndex: number;
}

type MutableSymbol = { -readonly [Key in keyof SymbolDefinition]: SymbolDefinition[Key] };

/** A file that is read. */
export class SwiftFile {
  readonly tokens: Tokens;
  readonly read: PartReaders;
  /** The index of the current token. */
  at = 0;
  readonly uses: Use[] = [];
  readonly imports: Import[] = [];
  readonly symbols: MutableSymbol[] = [];
  readonly types: string[] = [];
  readonly signatures: string[] = [];
  /** The number of the symbol around; -1 at the top level. */
  owner = -1;
  /** The type of `self`; "" if there is none. */
  self = "";
  /** The type of what the function around returns. */
  result = "";
  /** True in conditions, in which a brace begins the block of the statement. */
  isCondition = false;
  /** True where declarations are local: in functions, and in types in them. */
  isInFunction = false;
  container: TypeContainer = { name: "", kind: "none", access: "internal" };
  readonly #maxSignatureChars: number | undefined;
  #scopes: Map<string, LocalName>[] = [];
  #depth = 0;
  /** By the number of a symbol: the index of the first token of its signature. */
  readonly #heads: number[] = [];

  constructor(text: string, read: PartReaders, maxSignatureChars?: number) {
    this.tokens = new Tokens(text);
    this.read = read;
    this.#maxSignatureChars = maxSignatureChars;
  }

  /** Adds a symbol and returns its number. */
  addSymbol({ name, kind, access, start, head, nameIndex }: Declared): number {
    const { lines, commentLines, starts, text } = this.tokens;
    const around = this.container.name;
    const line = lines[start] ?? 1;
    let startLine = line;
    while (commentLines.has(startLine - 1)) startLine -= 1;
    const symbol: MutableSymbol = {
      name,
      qualifiedName: around === "" ? name : `${around}.${name}`,
      kind,
      startLine,
      endLine: line,
      nameLine: lines[nameIndex] ?? line,
      access,
      signature: "",
    };
    if (startLine < line) {
      const docLine = extractDocLine(linesBefore(text, starts[start] ?? 0, line - startLine));
      if (docLine !== undefined) symbol.docLine = docLine;
    }
    this.symbols.push(symbol);
    this.types.push("");
    this.signatures.push("");
    this.#heads.push(head);
    return this.symbols.length - 1;
  }

  /** Sets the signature of a symbol, which ends before the current token. */
  endHead(number: number): void {
    const symbol = this.symbols[number];
    if (symbol === undefined || symbol.signature !== "") return;
    const { text, starts, ends } = this.tokens;
    const from = starts[this.#heads[number] ?? 0] ?? 0;
    const to = ends[this.at - 1] ?? from;
    symbol.signature = extractSignature(text, from, to, this.#maxSignatureChars);
  }

  /** Ends a symbol before the current token. */
  endSymbol(number: number): void {
    const symbol = this.symbols[number];
    if (symbol === undefined) return;
    this.endHead(number);
    symbol.endLine = Math.max(symbol.nameLine, this.tokens.lines[this.at - 1] ?? 0);
  }

  get kind(): number {
    return this.tokens.kinds[this.at] ?? END;
  }

  get line(): number {
    return this.tokens.lines[this.at] ?? 0;
  }

  get text(): string {
    return this.tokens.textOf(this.at);
  }

  kindAt(offset: number): number {
    return this.tokens.kinds[this.at + offset] ?? END;
  }

  textAt(offset: number): string {
    return this.tokens.textOf(this.at + offset);
  }

  /** Whether the current token is this word or operator, not in backticks. */
  is(text: string, offset = 0): boolean {
    const kind = this.kindAt(offset);
    if (kind !== WORD && kind !== OPERATOR && kind !== NAME) return false;
    const { starts, ends, text: all } = this.tokens;
    const start = starts[this.at + offset] ?? 0;
    return (ends[this.at + offset] ?? 0) - start === text.length && all.startsWith(text, start);
  }

  /** Whether the current token begins with a character, as `>>` does. */
  begins(character: string): boolean {
    const { starts, text } = this.tokens;
    return this.kind === OPERATOR && text[starts[this.at] ?? 0] === character;
  }

  /** Takes the first character of an operator. */
  takeCharacter(): void {
    const { starts, ends } = this.tokens;
    const start = (starts[this.at] ?? 0) + 1;
    if (start >= (ends[this.at] ?? 0)) this.at += 1;
    else starts[this.at] = start;
  }

  take(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.at += 1;
    return true;
  }

  takeWord(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  /** Whether a token begins where the one before ends. */
  isAdjacent(offset = 0): boolean {
    const index = this.at + offset;
    return this.tokens.starts[index] === this.tokens.ends[index - 1];
  }

  /** Whether the current token is the first one on its line. */
  get isFirstOnLine(): boolean {
    return this.at === 0 || this.line !== this.tokens.lines[this.at - 1];
  }

  /** The index of the bracket that closes one; its own if none does: another branch of `#if` may open it again. */
  closer(index = this.at): number {
    return this.tokens.closers.get(index) ?? index;
  }

  /** Goes behind the bracket that closes the current one. */
  skipBrackets(): void {
    this.at = Math.min(this.closer() + 1, this.tokens.kinds.length - 1);
  }

  /** Reads in a scope of its own. Skips to `end` if it is nested too deeply. */
  inScope(read: () => void, end = this.at + 1): void {
    if (this.#depth >= MAX_DEPTH) {
      this.at = Math.max(this.at + 1, end);
      return;
    }
    this.#depth += 1;
    this.#scopes.push(new Map());
    read();
    this.#scopes.pop();
    this.#depth -= 1;
  }

  /** Reads a part that may contain itself; undefined if it is nested too deeply. */
  nested<T>(read: () => T): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  declare(name: string, type = "", isType = false): void {
    if (name !== "_") this.#scopes.at(-1)?.set(name, { type: bounded(type), isType });
  }

  local(name: string): LocalName | undefined {
    for (let at = this.#scopes.length - 1; at >= 0; at -= 1) {
      const found = this.#scopes[at]?.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get isLocal(): boolean {
    return this.#scopes.length > 0;
  }

  /** Reads what is in brackets, where a brace begins a function literal again. */
  inBrackets(read: () => void): void {
    const { isCondition } = this;
    this.isCondition = false;
    read();
    this.isCondition = isCondition;
  }

  /** Reads with no local names, as those of a function are none of a type in it. */
  withoutLocals(read: () => void): void {
    const scopes = this.#scopes;
    this.#scopes = scopes.filter((scope) => [...scope.values()].some(({ isType }) => isType));
    read();
    this.#scopes = scopes;
  }

  addUse(name: string, index: number, { role, receiver = "", passed }: UseFacts): void {
    if (name === "_" || name === "") return;
    const line = this.tokens.lines[index] ?? 0;
    const use = { name, line, role, owner: this.owner, target: -1, binding: -1, receiver };
    this.uses.push(passed === undefined ? use : { ...use, arguments: passed });
  }
}

/** Returns the lines before an offset. */
function linesBefore(text: string, offset: number, count: number): string {
  let start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = start;
  for (let left = count; left > 0 && start > 0; left -= 1)
    start = text.lastIndexOf("\n", start - 2) + 1;
  return text.slice(start, end);
}

/** Returns the expression, or "" if it is too long. */
export function bounded(expression: string): string {
  return expression.length > MAX_EXPRESSION ? "" : expression;
}

/** Adds a step to an expression; "" stays unknown. */
export function addStep(expression: string, step: string): string {
  return expression === "" ? "" : bounded(expression + step);
}

/** Returns the receiver of a member of an expression. */
export function receiverOf(expression: string): string {
  return expression === "" ? "?" : expression;
}
