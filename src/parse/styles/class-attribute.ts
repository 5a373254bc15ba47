// The names of classes in the value of an attribute, which may have code of a template in it: `btn {{ size }}`,
// `card <%= "wide" if wide %>`. Code in a tag such as `{% if … %}` is like white space, other code is part of the name that it
// touches.

import { classesInCode } from "./class-code.ts";
import { classWords, isBlank, type ClassWord } from "./class-words.ts";

/** How a language marks code in texts. */
interface Marks {
  readonly open: string;
  readonly close: string;
}

const ALL: readonly Marks[] = [
  { open: "{{", close: "}}" },
  { open: "{%", close: "%}" },
  { open: "<%", close: "%>" },
  { open: "<?", close: "?>" },
  { open: "${", close: "}" },
  { open: "#{", close: "}" },
  { open: "{", close: "}" },
  { open: "@(", close: ")" },
];
/** Code that says whether what follows is part of the text. */
const CONDITION =
  /^(?:\{%|<%(?![=-]=?)|<%-?\s*(?:if|unless|else|elsif|end|for)\b|<\?(?!=|php\s+echo\b)|\{\{[-~]?\s*(?:[#/^]|(?:if|else|end|with|range|unless)\b)|\{[#:/@])/;
/** `@if (…)`, `@endif` and other directives of Blade and Razor. */
const DIRECTIVE = /@\w[\w.]*(?:\s?\((?:[^()\n]|\([^()\n]*\)){0,200}\))?/y;
const MARK = /[{<$#@]/g;

/** Whether white space is between what code writes and the text before and after it. */
interface Spaces {
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

const APART: Spaces = { atStart: true, atEnd: true };
const TOUCHING: Spaces = { atStart: false, atEnd: false };
const QUOTED = /"([^"\n]+)"|'([^'\n]+)'/g;

/** `btn{{ wide ? " btn-wide" : "" }}` has the space in the code. */
function spacesOf(code: string): Spaces {
  const texts = [...code.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? "");
  if (texts.length === 0) return TOUCHING;
  const atStart = texts.every((text) => /^\s/.test(text));
  return { atStart, atEnd: texts.every((text) => /\s$/.test(text)) };
}

/** Returns the names of classes in a text of markup between two offsets. */
export function classesInText(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): readonly ClassWord[] {
  const value = text.slice(start, end);
  if (!/[{<@]/.test(value)) return [...classWords(value, start)];
  return new ClassAttribute(value, start).read();
}

class ClassAttribute {
  readonly #value: string;
  readonly #offset: number;
  readonly #found: ClassWord[] = [];
  /** Marks that nothing closes. */
  readonly #unclosed = new Set<string>();
  #from = 0;
  #isGlued = false;

  constructor(value: string, offset: number) {
    this.#value = value;
    this.#offset = offset;
  }

  read(): readonly ClassWord[] {
    MARK.lastIndex = 0;
    for (let match = MARK.exec(this.#value); match !== null; match = MARK.exec(this.#value)) {
      const end = this.#codeAt(match.index);
      if (end > match.index) MARK.lastIndex = end;
    }
    this.#words(this.#value.length, false);
    return this.#found;
  }

  /** Reads the code at an offset; returns the same offset if there is none. */
  #codeAt(at: number): number {
    const value = this.#value;
    const mark = ALL.find(({ open }) => value.startsWith(open, at));
    if (mark === undefined) {
      DIRECTIVE.lastIndex = at;
      if (value[at] !== "@" || !DIRECTIVE.test(value)) return at;
      const end = DIRECTIVE.lastIndex;
      const isCondition =
        /^@(?:if|else|end|unless|isset|auth|guest|class|foreach|case|switch)/.test(
          value.slice(at, at + 12),
        );
      this.#split(at, end, isCondition ? APART : TOUCHING);
      return end;
    }
    if (this.#unclosed.has(mark.close)) return at;
    const close = value.indexOf(mark.close, at + mark.open.length);
    if (close === -1) {
      this.#unclosed.add(mark.close);
      return at;
    }
    const end = close + mark.close.length;
    const inside = { start: at + mark.open.length, end: close, hasKeys: false };
    const isCondition = CONDITION.test(value.slice(at, at + 40));
    const apart = isCondition ? APART : spacesOf(value.slice(inside.start, close));
    const isAlone =
      (apart.atStart || isBlank(value[at - 1])) && (apart.atEnd || isBlank(value[end]));
    this.#split(at, end, apart);
    if (isCondition || !isAlone) return end;
    for (const one of classesInCode(value, inside))
      this.#found.push({ ...one, at: one.at + this.#offset });
    return end;
  }

  #split(at: number, end: number, { atStart, atEnd }: Spaces): void {
    this.#words(at, !atStart);
    this.#from = end;
    this.#isGlued = !atEnd;
  }

  #words(to: number, isGluedAtEnd: boolean): void {
    const part = this.#value.slice(this.#from, to);
    const glued = { start: this.#isGlued, end: isGluedAtEnd };
    this.#found.push(...classWords(part, this.#offset + this.#from, glued));
  }
}
