// Reads JavaScript and TypeScript in markup as far as needed to find its end and its names. Linear in the text.
import type { AppendedText, SourcePart } from "./appended-text.ts";

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const NAME_START = /[\p{L}_$]/u;
const NAME = /[\p{L}\p{N}_$]+/uy;
/** After these, a slash begins a regular expression. */
const BEFORE_VALUE = "(,=:[!&|?{};+-*%<>~^";
const KEYWORDS_BEFORE_VALUE = /^(?:return|typeof|case|in|of|await|void|delete|new)$/;
/** A longer regular expression is taken for a division. */
const MAX_REGEX_CHARS = 1000;

/** A name in code that is neither a member of something nor a key of an object. Offsets from the start of the code. */
interface CodeName {
  readonly text: string;
  readonly start: number;
  /** True for `{ name }`. */
  readonly isShorthand: boolean;
}

/** The state of reading code. */
export class CodeReader {
  readonly #text: string;
  readonly #onName: ((name: CodeName) => void) | undefined;
  /** Open brackets; "`" for a template and "$" for an expression in it. */
  readonly #open: string[] = [];
  /** The last character that is neither space nor comment; "" at the start. */
  #before = "";
  /** The last word, if `#before` belongs to it. */
  #word = "";

  constructor(text: string, onName?: (name: CodeName) => void) {
    this.#text = text;
    this.#onName = onName;
  }

  /** The last character that is neither space nor comment; "" at the start. */
  get before(): string {
    return this.#before;
  }

  /** Returns whether a value, not an operator, can be next. */
  get isBeforeValue(): boolean {
    if (this.#before === "" || BEFORE_VALUE.includes(this.#before)) return true;
    return KEYWORDS_BEFORE_VALUE.test(this.#word);
  }

  /** Returns whether all brackets are closed. */
  get isWhole(): boolean {
    return this.#open.length === 0;
  }

  /** Goes on after a value that was read otherwise. */
  skipValue(): void {
    this.#before = ")";
    this.#word = "";
  }

  /**
   * Reads the next token, bracket or space and returns its end. Returns the same offset at a bracket that nothing opened, and
   * -1 if a quote is not closed or a bracket does not match.
   */
  next(at: number): number {
    if (this.#open.at(-1) === "`") return this.#inTemplate(at);
    const char = this.#text[at] ?? "";
    if (char.trim() === "") return at + 1;
    if (char === "/") return this.#slash(at);
    if (char === "'" || char === '"' || char === "`") return this.#quote(at, char);
    if (NAME_START.test(char)) return this.#name(at);
    if (char === "." && this.#text.startsWith("...", at)) return this.#took(at + 3, "(");
    if (/\d/.test(char)) return this.#took(this.#endOfWord(at), "0");
    return this.#bracket(at, char);
  }

  #bracket(at: number, char: string): number {
    if (CLOSING[char] !== undefined) this.#open.push(char);
    if (char === ")" || char === "]" || char === "}") {
      const open = this.#open.at(-1);
      if (open === undefined) return at;
      const closing = open === "$" ? "}" : CLOSING[open];
      if (closing !== char) return -1;
      this.#open.pop();
    }
    return this.#took(at + 1, char);
  }

  #quote(at: number, char: string): number {
    if (char !== "`") return this.#string(at, char);
    this.#open.push(char);
    return at + 1;
  }

  #took(end: number, before: string, word = ""): number {
    this.#before = before;
    this.#word = word;
    return end;
  }

  #endOfWord(at: number): number {
    NAME.lastIndex = at;
    return NAME.test(this.#text) ? NAME.lastIndex : at + 1;
  }

  #name(at: number): number {
    const end = this.#endOfWord(at);
    const text = this.#text.slice(at, end);
    if (this.#onName !== undefined && this.#before !== ".") {
      const inObject = this.#open.at(-1) === "{" && /^[{,]$/.test(this.#before);
      const after = inObject ? (/^\s*(.?)/s.exec(this.#text.slice(end, end + 40))?.[1] ?? "") : "";
      const isKey = inObject && (after === ":" || after === "(");
      if (!isKey) this.#onName({ text, start: at, isShorthand: inObject && /[,}]/.test(after) });
    }
    return this.#took(end, "a", text);
  }

  #string(at: number, quote: string): number {
    for (let end = at + 1; end < this.#text.length; end += 1) {
      const char = this.#text[end];
      if (char === "\\") end += 1;
      else if (char === quote) return this.#took(end + 1, '"');
      else if (char === "\n") return -1;
    }
    return -1;
  }

  #inTemplate(at: number): number {
    for (let end = at; end < this.#text.length; end += 1) {
      const char = this.#text[end];
      if (char === "\\") end += 1;
      else if (char === "`") {
        this.#open.pop();
        return this.#took(end + 1, '"');
      } else if (char === "$" && this.#text[end + 1] === "{") {
        this.#open.push("$");
        return this.#took(end + 2, "{");
      }
    }
    return -1;
  }

  #slash(at: number): number {
    const next = this.#text[at + 1];
    if (next === "/") {
      const end = this.#text.indexOf("\n", at);
      return end === -1 ? this.#text.length : end;
    }
    if (next === "*") {
      const end = this.#text.indexOf("*/", at + 2);
      return end === -1 ? -1 : end + 2;
    }
    const end = this.isBeforeValue ? this.#endOfRegex(at) : -1;
    return end === -1 ? this.#took(at + 1, "/") : this.#took(end, '"');
  }

  #endOfRegex(at: number): number {
    let isInClass = false;
    const last = Math.min(this.#text.length, at + MAX_REGEX_CHARS);
    for (let end = at + 1; end < last; end += 1) {
      const char = this.#text[end];
      if (char === "\n") return -1;
      if (char === "\\") end += 1;
      else if (char === "[") isInClass = true;
      else if (char === "]") isInClass = false;
      else if (char === "/" && !isInClass) return end + 1;
    }
    return -1;
  }
}

/** Returns the offset of the bracket that ends code which begins at an offset; -1 if there is none. */
export function endOfCode(text: string, from: number): number {
  const reader = new CodeReader(text);
  for (let at = from; at < text.length;) {
    const next = reader.next(at);
    if (next === at) return at;
    if (next === -1) return -1;
    at = next;
  }
  return -1;
}

/** Returns whether code can be put into brackets: all that it opens is closed. */
export function isWholeCode(text: string): boolean {
  const reader = new CodeReader(text);
  for (let at = 0; at < text.length;) {
    const next = reader.next(at);
    if (next === at || next === -1) return false;
    at = next;
  }
  return reader.isWhole;
}

/**
 * Returns the offsets, outside of brackets, at which a pattern matches. `pattern`: sticky, of one character or of a word with the
 * spaces around it.
 */
export function topLevelMatches(
  text: string,
  pattern: RegExp,
): readonly { readonly start: number; readonly end: number }[] {
  const reader = new CodeReader(text);
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length;) {
    pattern.lastIndex = at;
    if (reader.isWhole && pattern.test(text)) found.push({ start: at, end: pattern.lastIndex });
    const next = reader.next(at);
    if (next === at || next === -1) return found;
    at = next;
  }
  return found;
}

/** What is written for a name of the markup: the text after it, or another name. */
export interface Renamed {
  readonly name: string;
  readonly suffix: string;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Parameters that are longer are taken for names of the script. */
const MAX_PARAMETER_CHARS = 300;

/** Returns the parameters of the arrow functions in code. */
function parametersIn(text: string): ReadonlySet<string> {
  if (!text.includes("=>")) return NO_NAMES;
  const names = new Set<string>();
  for (let arrow = text.indexOf("=>"); arrow !== -1; arrow = text.indexOf("=>", arrow + 2)) {
    const before = text.slice(Math.max(0, arrow - MAX_PARAMETER_CHARS), arrow).trimEnd();
    const from = before.endsWith(")") ? openingOf(before) : before.search(/[\p{L}\p{N}_$]+$/u);
    if (from !== -1) for (const name of before.slice(from).match(WORDS) ?? []) names.add(name);
  }
  return names;
}

/** Returns the offset of the bracket that the last character closes; -1 if there is none. */
function openingOf(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === ")") depth += 1;
    if (text[at] === "(") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Copies code. `rename`: returns how a name that is no member is written; undefined if it stays as it is. */
export function copyCode(
  out: AppendedText,
  { text, at }: SourcePart,
  rename?: (name: string) => Renamed | undefined,
): void {
  let from = 0;
  const copyTo = (end: number): void => {
    if (end > from) out.copy({ text: text.slice(from, end), at: at + from });
    from = end;
  };
  const parameters = rename === undefined ? NO_NAMES : parametersIn(text);
  const reader = new CodeReader(text, ({ text: name, start, isShorthand }) => {
    const renamed = parameters.has(name) ? undefined : rename?.(name);
    if (renamed === undefined) return;
    copyTo(start);
    if (isShorthand) out.add(`${name}: `);
    out.copy({ text: renamed.name, at: at + start });
    out.add(renamed.suffix);
    from = start + name.length;
  });
  for (let next = 0; next < text.length;) {
    const end = reader.next(next);
    if (end === next || end === -1) break;
    next = end;
  }
  copyTo(text.length);
}
