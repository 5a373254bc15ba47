// The tokens of a file as the reader of names sees them.

import type { CodeToken } from "./code-tokens.ts";
import type { CompleteNameRules } from "./name-rules.ts";

const TYPE = /^\p{Lu}/u;
/** What an argument without brackets begins with. */
const ARGUMENT = /^[\p{L}\p{N}_"'([{~!?`@#$]/u;
/** A line ends with one of these if the next one continues it. */
const CONTINUES = /^[,`\\+]$/;

/** Answers what is around a token. */
export class NameTokens {
  readonly list: readonly CodeToken[];
  readonly #rules: CompleteNameRules;

  constructor(list: readonly CodeToken[], rules: CompleteNameRules) {
    this.list = list;
    this.#rules = rules;
  }

  /** The text of a token; "" if there is none. */
  text(at: number): string {
    return this.list[at]?.text ?? "";
  }

  line(at: number): number {
    return this.list[at]?.line ?? 0;
  }

  isName(at: number): boolean {
    return this.list[at]?.kind === "name";
  }

  isApart(at: number): boolean {
    return this.list[at]?.isApart ?? true;
  }

  /** The name, in lower case if the language ignores case. */
  name(at: number): string {
    return this.fold(this.text(at));
  }

  fold(text: string): string {
    return this.#rules.ignoresCase ? text.toLowerCase() : text;
  }

  /** Whether a name begins with a capital letter that is none of a variable. */
  isCapital(at: number): boolean {
    return TYPE.test(this.text(at)) && !this.#rules.hasUpperCaseVariables;
  }

  isFirstOfLine(at: number): boolean {
    return this.line(at - 1) !== this.line(at);
  }

  /** Whether the mark at a place joins the names on both sides of it. */
  joins(at: number): boolean {
    if (this.list[at]?.kind !== "mark" || !this.#rules.joins.has(this.text(at))) return false;
    return !this.isApart(at + 1);
  }

  isCalled(at: number): boolean {
    const { callsAfter, commandStarts, hasInstances } = this.#rules;
    if (callsAfter.size > 0) return callsAfter.has(this.text(this.#headOf(at) - 1));
    if (commandStarts.size > 0 && !this.joins(at - 1)) return this.#isCommand(at);
    if (this.line(at + 1) !== this.line(at)) return false;
    if (hasInstances && this.#isInstance(at)) return true;
    return this.#hasBrackets(at) || this.#isApplied(at + 1);
  }

  /** The first name of the path that ends at a place. */
  #headOf(at: number): number {
    return this.joins(at - 1) && this.isName(at - 2) ? at - 2 : at;
  }

  #hasBrackets(at: number): boolean {
    if (this.text(at + 1) !== "(") return false;
    return !this.isApart(at + 1) || this.#rules.mayHaveSpaceBeforeBrackets;
  }

  /** `counter #(8) one (…)`, `counter one (…)` of Verilog, `counter port map` of VHDL. */
  #isInstance(at: number): boolean {
    if (/^(?:#|port|generic)$/i.test(this.text(at + 1))) return true;
    const isNamed = this.isName(at + 1) && !this.#rules.keywords.has(this.text(at + 1));
    return isNamed && this.text(at + 2) === "(";
  }

  /** Whether a command begins at a place: at the beginning of a line, or after a mark. */
  #isCommand(at: number): boolean {
    const { commandStarts, hasCommandsInside } = this.#rules;
    if (this.text(at + 1) === "=" || /^[$@%-]/.test(this.text(at))) return false;
    if (commandStarts.has(this.text(at - 1).toLowerCase())) return true;
    return !hasCommandsInside && this.isFirstOfLine(at) && !CONTINUES.test(this.text(at - 1));
  }

  #isApplied(next: number): boolean {
    if (!this.#rules.isAppliedWithoutBrackets || !this.isApart(next)) return false;
    return this.list[next]?.kind === "mark"
      ? ARGUMENT.test(this.text(next))
      : !this.#rules.keywords.has(this.text(next));
  }

  /** Whether a name in upper case is one of a module, not a constructor. */
  isModuleName(at: number): boolean {
    const before = this.text(at - 1);
    if (this.joins(at + 1) || before === "open" || before === "include") return true;
    if (this.text(at + 1) === "(" && TYPE.test(this.text(at + 2))) return true;
    return before === "(" && TYPE.test(this.text(at - 2)) && this.text(at - 3) !== "|";
  }

  /** Whether a name is one of a function, not a plain word. */
  isFunctionName(at: number): boolean {
    if (this.text(at).includes("_") || this.text(at + 1) === "/") return true;
    return this.#rules.selves.has(this.text(at - 2));
  }

  /** Whether the name before a place is a type of PowerShell: `[Foo]`. */
  isBracketed(at: number): boolean {
    if (this.#rules.commandStarts.size === 0) return false;
    return this.text(at) === "]" && this.text(at - 2) === "[";
  }
}
