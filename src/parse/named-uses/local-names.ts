// The names that the functions of a file declare: parameters and variables. They are no uses of what other files define.

import { isValueKind } from "../../base/definition-kinds.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import type { CompleteNameRules } from "./name-rules.ts";
import type { NameTokens } from "./name-tokens.ts";
import type { DefinitionsOfFile } from "./named-use.ts";

/** Maximum tokens between a word that declares names and the end of the declaration. */
const MAX_DECLARATION = 80;
/** Maximum tokens in the parameters of a function. */
const MAX_PARAMETERS = 400;
/** Maximum definitions around each other. */
const MAX_DEPTH = 20;
const AFTER_PARAMETER = new Set([",", ")", "=", ":", "::", ";", "]", "...", ":=", "..", "}"]);
const OPENS = /^[([{]$/;
const CLOSES = /^[)\]}]$/;
/** Words of a language that are types or come before the name of a variable. */
const DECLARING =
  /^(?:def|var|auto|final|const|void|char|byte|short|long|u?int\d*|bool(?:ean)?|float\d?|double|half\d?|[biu]?vec\d|mat\d|string|size_t)$/;

/** Returns whether a name is declared in the function `owner` or in one around it. */
export type IsLocal = (name: string, owner: number) => boolean;

/** Reads the declarations in the functions of a file. */
export function localNames(
  tokens: NameTokens,
  rules: CompleteNameRules,
  { symbols, ownerAt }: DefinitionsOfFile,
): IsLocal {
  const locals = new Map<number, Set<string>>();
  const reader = new DeclarationReader(tokens, rules, (at) => {
    const owner = ownerAt(tokens.line(at));
    const { kind = "function", nameLine, name } = symbols[owner] ?? {};
    // Types have members and no variables.
    if (kind === "class" || kind === "type" || kind === "module" || isValueKind(kind)) return;
    if (nameLine === tokens.line(at) && name === tokens.text(at)) return;
    const known = locals.get(owner);
    if (known === undefined) locals.set(owner, new Set([tokens.name(at)]));
    else known.add(tokens.name(at));
  });
  const names = new Set(symbols.map(({ name, nameLine }) => `${nameLine} ${name}`));
  for (const at of tokens.list.keys()) reader.readAt(at, names);
  const parents = parentsOf(symbols);
  return (name, owner) => {
    const wanted = tokens.fold(name);
    let around = owner;
    for (let depth = 0; depth < MAX_DEPTH && around !== -1; depth += 1) {
      if (locals.get(around)?.has(wanted) === true) return true;
      around = parents[around] ?? -1;
    }
    return around === -1 && locals.get(-1)?.has(wanted) === true;
  };
}

/** Finds the declared names. */
class DeclarationReader {
  readonly #tokens: NameTokens;
  readonly #rules: CompleteNameRules;
  readonly #add: (at: number) => void;

  constructor(tokens: NameTokens, rules: CompleteNameRules, add: (at: number) => void) {
    this.#tokens = tokens;
    this.#rules = rules;
    this.#add = add;
  }

  /** `definitions`: the lines and names of definitions. */
  readAt(at: number, definitions: ReadonlySet<string>): void {
    const tokens = this.#tokens;
    const text = tokens.text(at);
    const { declares, arrows, bindingForms } = this.#rules;
    if (declares.has(text)) this.#declared(at + 1);
    if (arrows.has(text)) this.#beforeArrow(at - 1);
    if (!tokens.isName(at)) return;
    if (bindingForms.has(text)) this.#bindingForm(at + 1);
    const isDefined = definitions.has(`${tokens.line(at)} ${text}`);
    if (isDefined && tokens.text(at + 1) === "(") this.#parameters(at + 2);
    if (this.#isAssigned(at) || this.#isTyped(at)) this.#add(at);
  }

  #isAssigned(at: number): boolean {
    const { assigns, joins } = this.#rules;
    return assigns.has(this.#tokens.text(at + 1)) && !joins.has(this.#tokens.text(at - 1));
  }

  /** `Foo one =`, `Foo one;` */
  #isTyped(at: number): boolean {
    const { hasTypesBeforeNames, keywords } = this.#rules;
    const tokens = this.#tokens;
    if (!hasTypesBeforeNames || !/^[=;,:)[]$/.test(tokens.text(at + 1))) return false;
    if (tokens.isFirstOfLine(at)) return false;
    const before = tokens.text(at - 1);
    if (!tokens.isName(at - 1)) return before === ">" || before === "]";
    return !keywords.has(before) || DECLARING.test(before);
  }

  #declared(start: number): void {
    const { declaresUntil } = this.#rules;
    for (let at = start; at < start + MAX_DECLARATION; at += 1) {
      if (declaresUntil.has(this.#tokens.text(at))) return;
      if (!this.#isName(at)) continue;
      this.#add(at);
      if (declaresUntil.size === 0) return;
    }
  }

  /** A name that is neither a type nor a part of a path. */
  #isName(at: number): boolean {
    const { joins, typeMarks, keywords } = this.#rules;
    const tokens = this.#tokens;
    if (!tokens.isName(at) || keywords.has(tokens.text(at)) || tokens.isCapital(at)) return false;
    const [before, next] = [tokens.text(at - 1), tokens.text(at + 1)];
    if (joins.has(before) || typeMarks.has(before)) return false;
    return !joins.has(next) || typeMarks.has(next);
  }

  #parameters(start: number): void {
    let depth = 1;
    for (let at = start; at < start + MAX_PARAMETERS && depth > 0; at += 1) {
      const text = this.#tokens.text(at);
      if (text === "") return;
      if (OPENS.test(text)) depth += 1;
      else if (CLOSES.test(text)) depth -= 1;
      else if (depth === 1 && this.#isName(at) && AFTER_PARAMETER.has(this.#tokens.text(at + 1))) {
        this.#add(at);
      }
    }
  }

  /** `[x 1 {:keys [y]} m]` after `let` of Clojure, `((x 1) y)` of Lisp, `(x y)` after the name of a function. */
  #bindingForm(start: number): void {
    const tokens = this.#tokens;
    let first = start;
    while (first < start + 4 && !/^[([]$/.test(tokens.text(first))) first += 1;
    if (!/^[([]$/.test(tokens.text(first))) return;
    const open: string[] = [];
    for (let at = first; at < first + MAX_PARAMETERS; at += 1) {
      const text = tokens.text(at);
      if (text === "") return;
      if (OPENS.test(text)) open.push(text);
      else if (CLOSES.test(text)) open.pop();
      else if (this.#isBound(at, open)) this.#add(at);
      if (open.length === 0) return;
    }
  }

  #isBound(at: number, open: readonly string[]): boolean {
    if (!this.#tokens.isName(at)) return false;
    if (!open.slice(1).includes("(")) return true;
    return open[0] === "(" && open.length === 2 && this.#tokens.text(at - 1) === "(";
  }

  #beforeArrow(end: number): void {
    const last = this.#tokens.text(end);
    const isList = last === ")" || last === "}";
    if (this.#isName(end)) this.#add(end);
    if (!isList && !this.#tokens.isName(end)) return;
    for (let at = end - 1; at > end - MAX_DECLARATION; at -= 1) {
      const text = this.#tokens.text(at);
      if (text === "" || text === "(" || text === "{") return;
      const isPart = isList || this.#tokens.text(at + 1) === ",";
      if (this.#isName(at) && isPart) this.#add(at);
      else if (!isList && text !== ",") return;
    }
  }
}

/** Returns for each definition the number of the one around it, or -1. */
function parentsOf(symbols: readonly SymbolDefinition[]): Int32Array {
  const parents = new Int32Array(symbols.length).fill(-1);
  const starts = symbols.map(({ startLine }) => startLine);
  const ends = symbols.map(({ endLine }) => endLine);
  const order = [...symbols.keys()].toSorted(
    (one, other) =>
      (starts[one] ?? 0) - (starts[other] ?? 0) || (ends[other] ?? 0) - (ends[one] ?? 0),
  );
  const open: number[] = [];
  for (const number of order) {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if ((ends[last] ?? 0) >= (starts[number] ?? 0)) break;
      open.pop();
    }
    parents[number] = open.at(-1) ?? -1;
    open.push(number);
  }
  return parents;
}
