// The names of classes in an expression: texts in quotes, and keys of objects. What is compared, what is an index, and what is
// passed to other functions is none.

import { classWords, isBlank, type ClassWord } from "./class-words.ts";

interface Bracket {
  readonly char: string;
  /** Whether texts in it are classes. */
  readonly isRead: boolean;
  /** Whether it follows a value: then it has an index or arguments. */
  readonly isAfterValue: boolean;
}

/** Functions that join classes, whatever their receivers are. */
const JOINS =
  /^(?:clsx|classnames|classNames|cx|cn|cl|twMerge|twJoin|cva|tv|join|concat|filter|mergeClasses|classList|class|call|push|Boolean|computed|map|useMemo|add|remove|toggle|replace|contains|addClass|removeClass|toggleClass|hasClass|array|arr|css_classes|class_names|token_list)$/;
/** Keys of `cva` and `tv` with the names of variants. */
const CHOICES = /^(?:defaultVariants|compoundVariants)$/;
const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<word>[\p{L}_$@][\p{L}\p{N}_$-]*)|(?<open>[([{])|(?<close>[)\]}])|(?<compared>[=!]==?|~=)|(?<arrow>=>)|[^\s]/gu;
const MAX_DEPTH = 60;

/** Returns the names of classes in the code between two offsets. `hasKeys`: whether keys of objects are classes. */
export function classesInCode(
  text: string,
  {
    start,
    end,
    hasKeys,
  }: { readonly start: number; readonly end: number; readonly hasKeys: boolean },
): readonly ClassWord[] {
  return new ClassCode(text.slice(start, end), start, hasKeys).read();
}

class ClassCode {
  readonly #code: string;
  readonly #offset: number;
  readonly #hasKeys: boolean;
  readonly #brackets: Bracket[] = [];
  /** The last token: a word, a mark, or `"` for a text. */
  #last = "";
  /** The last word before a bracket. */
  #word = "";
  #found: ClassWord[] = [];

  constructor(code: string, offset: number, hasKeys: boolean) {
    this.#code = code;
    this.#offset = offset;
    this.#hasKeys = hasKeys;
  }

  read(): readonly ClassWord[] {
    for (const { 0: token, index, groups = {} } of this.#code.matchAll(TOKEN)) {
      const { word, open, close } = groups;
      const first = token[0] ?? "";
      const isText = token.length > 1 && (first === '"' || first === "'" || first === "`");
      if (isText) this.#text(token, index);
      else if (open !== undefined) this.#open(open);
      else if (close !== undefined) this.#brackets.pop();
      else if (word !== undefined) this.#key(word, index);
      if (word !== undefined) this.#word = word;
      this.#last = isText ? '"' : token;
    }
    return this.#found;
  }

  #open(char: string): void {
    const around = this.#brackets.at(-1);
    const isAfterValue = /[\p{L}\p{N}_$)\]"]$/u.test(this.#last) && this.#last !== "return";
    const isRead =
      (around?.isRead ?? true) &&
      !(char === "(" && isAfterValue && !JOINS.test(this.#last)) &&
      !(char === "[" && isAfterValue) &&
      !(this.#last === ":" && CHOICES.test(this.#word));
    if (this.#brackets.length < MAX_DEPTH) this.#brackets.push({ char, isRead, isAfterValue });
  }

  #text(token: string, index: number): void {
    if (this.#brackets.at(-1)?.isRead === false) return;
    if (/^(?:[=!]==?|case|~=|\.)$/.test(this.#last)) return;
    const after = this.#code.slice(index + token.length, index + token.length + 12).trimStart();
    if (/^(?:[=!]=|\.\w)/.test(after)) return;
    // The key of an object is a class only where conditions follow it: `{ active: isActive }`.
    if (after.startsWith(":") && this.#isInObject() && !this.#isConditional(index + token.length))
      return;
    const at = this.#offset + index + 1;
    const inside = token.slice(1, -1);
    if (!token.startsWith("`")) this.#found.push(...classWords(inside, at));
    else this.#template(inside, at);
  }

  /** The fixed parts of `btn btn-${size}`, and the texts in its code. */
  #template(inside: string, at: number): void {
    let from = 0;
    let isGlued = false;
    for (let open = inside.indexOf("${"); open !== -1; open = inside.indexOf("${", from)) {
      const close = inside.indexOf("}", open);
      if (close === -1) break;
      const glued = { start: isGlued, end: true };
      this.#found.push(...classWords(inside.slice(from, open), at + from, glued));
      const isAlone = isBlank(inside[open - 1]) && isBlank(inside[close + 1]);
      if (isAlone) {
        const code = new ClassCode(inside.slice(open + 2, close), at + open + 2, false);
        this.#found.push(...code.read());
      }
      from = close + 1;
      isGlued = true;
    }
    const glued = { start: isGlued, end: false };
    this.#found.push(...classWords(inside.slice(from), at + from, glued));
  }

  #key(word: string, index: number): void {
    if (!this.#hasKeys || !this.#isInObject() || !/^[{,]$/.test(this.#last)) return;
    const after = this.#code.slice(index + word.length, index + word.length + 12).trimStart();
    // `{ active }` is short for `{ active: active }`.
    const isShort = after.startsWith(",") || after.startsWith("}");
    if (!isShort && !(after.startsWith(":") && this.#isConditional(index + word.length))) return;
    this.#found.push(...classWords(word, this.#offset + index));
  }

  #isInObject(): boolean {
    const around = this.#brackets.at(-1);
    return around?.char === "{" && around.isRead;
  }

  /** Whether no text follows the colon: then the key is what is looked up, and the text the class. */
  #isConditional(from: number): boolean {
    if (!this.#hasKeys) return false;
    return !/^\s*:\s*["'`{[]/.test(this.#code.slice(from, from + 20));
  }
}
