// The names that code without a grammar uses, by the rules of its language.

import { codeTokensOf } from "./code-tokens.ts";
import { localNames, type IsLocal } from "./local-names.ts";
import { completeRules, type CodeNameRules, type CompleteNameRules } from "./name-rules.ts";
import { NameTokens } from "./name-tokens.ts";
import type { DefinitionsOfFile, NamedUse } from "./named-use.ts";

/** Maximum parts of a path. */
const MAX_PARTS = 8;
/** The receiver of a member of the object itself, if no type is around it. */
export const OWN = "self";
const CONSTANT = /^[\p{Lu}\d_]+$/u;
const TYPE = /^\p{Lu}/u;

/** Returns the names that a text uses. `modules`: the names that imports of the file bind. */
export function namesInCode(
  text: string,
  rules: CodeNameRules,
  definitions: DefinitionsOfFile,
  modules: ReadonlySet<string>,
): readonly NamedUse[] {
  const complete = completeRules(rules);
  const tokens = new NameTokens(codeTokensOf(text, rules.syntax), complete);
  const isLocal = localNames(tokens, complete, definitions);
  return new NameReader(tokens, complete, { ...definitions, modules, isLocal }).read();
}

interface Surroundings extends DefinitionsOfFile {
  readonly modules: ReadonlySet<string>;
  readonly isLocal: IsLocal;
}

class NameReader {
  readonly #tokens: NameTokens;
  readonly #rules: CompleteNameRules;
  readonly #around: Surroundings;
  /** The names that the file defines. */
  readonly #own: ReadonlySet<string>;
  /** The same with their lines. */
  readonly #defined: ReadonlySet<string>;
  /** The file's own types with capital letters, which are exceptions in languages with constructors. */
  readonly #exceptions: ReadonlySet<string>;
  readonly #found: NamedUse[] = [];
  /** The line with types from which a definition inherits. */
  #inheritLine = 0;
  #skippedLine = 0;
  #skippedUntil = 0;

  constructor(tokens: NameTokens, rules: CompleteNameRules, around: Surroundings) {
    this.#tokens = tokens;
    this.#rules = rules;
    this.#around = around;
    const { symbols } = around;
    this.#own = new Set(symbols.map(({ name }) => tokens.fold(name)));
    this.#exceptions = new Set(
      symbols.flatMap(({ name, kind }) => (kind === "type" && TYPE.test(name) ? name : [])),
    );
    this.#defined = new Set(
      symbols.map(({ name, nameLine }) => `${nameLine} ${tokens.fold(name)}`),
    );
  }

  read(): readonly NamedUse[] {
    for (const at of this.#tokens.list.keys()) this.#readToken(at);
    return this.#found;
  }

  #readToken(at: number): void {
    const tokens = this.#tokens;
    const line = tokens.line(at);
    if (line === this.#skippedLine) return;
    if (this.#rules.inherits.has(tokens.text(at))) this.#inheritLine = line;
    else if (/^[{(]$/.test(tokens.text(at))) this.#inheritLine = 0;
    if (!tokens.isName(at) || this.#isSkipped(at) || !this.#isPossible(at)) return;
    if (tokens.isFirstOfLine(at) && this.#rules.skipsLineAfter.has(tokens.name(at))) {
      this.#skippedLine = line;
    } else if (tokens.joins(at - 1)) this.#readMember(at);
    else if (!this.#rules.keywords.has(tokens.name(at))) this.#readBare(at);
  }

  /** Whether a place is in a statement that has no uses, such as `-spec` of Erlang. */
  #isSkipped(at: number): boolean {
    if (at < this.#skippedUntil) return true;
    const tokens = this.#tokens;
    if (!this.#rules.skipsStatementAfter.has(tokens.text(at))) return false;
    if (tokens.text(at - 1) !== "-" || !tokens.isFirstOfLine(at - 1)) return false;
    let end = at;
    while (end < tokens.list.length && !this.#isEnd(end)) end += 1;
    this.#skippedUntil = end;
    return true;
  }

  #isEnd(at: number): boolean {
    return this.#tokens.text(at) === "." && this.#tokens.isFirstOfLine(at + 1);
  }

  #isPossible(at: number): boolean {
    const { keyMarks, notAfter, hasConstructors, renamesAfter } = this.#rules;
    const tokens = this.#tokens;
    if (keyMarks.has(tokens.text(at + 1)) || renamesAfter.has(tokens.text(at - 1))) return false;
    const isConstructor = hasConstructors && tokens.isCapital(at) && !tokens.isModuleName(at);
    if (isConstructor && !this.#exceptions.has(tokens.text(at))) return false;
    return !notAfter.has(tokens.text(at - 1)) || tokens.isApart(at);
  }

  #readBare(at: number): void {
    const tokens = this.#tokens;
    const [text, line] = [tokens.text(at), tokens.line(at)];
    if (this.#readPath(at)) return;
    if (this.#rules.selves.has(text) || this.#defined.has(`${line} ${tokens.name(at)}`)) return;
    const owner = this.#around.ownerAt(line);
    const isImported = owner === -1 && this.#around.modules.has(text);
    if (!isImported && this.#around.isLocal(text, owner)) return;
    const isCall = tokens.isCalled(at);
    if (this.#isBareUse(at, isCall)) this.#add(at, isCall, "");
  }

  /** Reads the call of a name with its module in one token: `Foo::Bar::open(…)`. */
  #readPath(at: number): boolean {
    const { pathMark } = this.#rules;
    const text = this.#tokens.text(at);
    if (pathMark === "" || !text.includes(pathMark) || !this.#tokens.isCalled(at)) return false;
    const end = text.lastIndexOf(pathMark);
    const receiver = text.slice(0, end).replaceAll(pathMark, ".");
    const name = text.slice(end + pathMark.length);
    this.#found.push({ name, line: this.#tokens.line(at), role: "call", receiver });
    return true;
  }

  #isBareUse(at: number, isCall: boolean): boolean {
    const { hasUpperCaseVariables, hasOnlyCalls, pathMark, hasAtoms } = this.#rules;
    const tokens = this.#tokens;
    const text = tokens.text(at);
    if (isCall) return !(hasUpperCaseVariables && TYPE.test(text));
    if (hasOnlyCalls) return false;
    if (this.#isValue(at) || this.#around.modules.has(text)) return true;
    if (pathMark !== "" && text.includes(pathMark)) return true;
    return this.#own.has(tokens.name(at)) && (!hasAtoms || tokens.isFunctionName(at));
  }

  /** Whether a name that is not called is a use by its shape. */
  #isValue(at: number): boolean {
    const { values, skipsConstants } = this.#rules;
    if (values !== "own" && this.#tokens.isCapital(at) && !skipsConstants) return true;
    if (values !== "all" || this.#tokens.joins(at + 1)) return false;
    return !skipsConstants || !CONSTANT.test(this.#tokens.text(at));
  }

  #add(at: number, isCall: boolean, receiver: string): void {
    const line = this.#tokens.line(at);
    const isType = this.#tokens.isCapital(at) && this.#rules.values === "types";
    const plain = isType ? "type" : "value";
    const role = isCall ? "call" : plain;
    const isInherited = this.#inheritLine === line;
    const name = this.#tokens.text(at);
    this.#found.push({ name, line, role: isInherited ? "inherit" : role, receiver });
  }

  #readMember(at: number): void {
    const tokens = this.#tokens;
    const { hasNoMethods, hasPackages, ofAllObjects } = this.#rules;
    const receiver = this.#receiverAt(at);
    const isCall = this.#rules.callsMembers || tokens.isCalled(at);
    // What an unknown object has is a field of anything.
    const isUnknown = receiver === "?" || receiver === OWN;
    if (isUnknown && (!isCall || hasNoMethods || ofAllObjects.has(tokens.text(at)))) return;
    if (this.#defined.has(`${tokens.line(at)} ${tokens.name(at)}`)) return;
    // `a.b.Type` names a package.
    if (receiver === "?" && hasPackages && tokens.isCapital(at)) return;
    this.#add(at, isCall, receiver);
  }

  /** Returns the receiver of the member at a place: its path, the type around it, or "?". */
  #receiverAt(at: number): string {
    const parts = this.#pathBefore(at);
    const [first = ""] = parts;
    const line = this.#tokens.line(at);
    const { selves, pathMark, values } = this.#rules;
    if (selves.has(first)) {
      const type = parts.length === 1 ? this.#around.typeAt(line) : -1;
      return type === -1 ? OWN : `#${type}`;
    }
    if (first === "" || this.#around.isLocal(first, this.#around.ownerAt(line))) return "?";
    // `Child.new.open`: the result of a method.
    const isResult = values === "types" && parts.slice(1).some((part) => !TYPE.test(part));
    if (isResult || !this.#isModule(first)) return "?";
    const path = parts.join(".");
    return pathMark === "" ? path : path.replaceAll(pathMark, ".");
  }

  /** Returns the names that are joined before a member; none if it is one of something else. */
  #pathBefore(at: number): readonly string[] {
    const tokens = this.#tokens;
    const parts: string[] = [];
    for (let head = at - 2; parts.length < MAX_PARTS; head -= 2) {
      if (tokens.isBracketed(head)) head -= 1;
      if (!tokens.isName(head) || tokens.isApart(head + 1)) return [];
      parts.unshift(tokens.text(head));
      if (!tokens.joins(head - 1)) break;
    }
    return parts;
  }

  #isModule(first: string): boolean {
    const { hasUpperCaseVariables, hasLowerCaseModules } = this.#rules;
    if (this.#around.modules.has(first)) return true;
    return TYPE.test(first) ? !hasUpperCaseVariables : hasLowerCaseModules;
  }
}
