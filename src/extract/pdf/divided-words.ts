// Words that a line end divides. Whether its hyphen belongs to the word is known from the rest of the document.

import type { PdfLine } from "./pdf-lines.ts";

const BROKEN = /(?<head>\p{L}[\p{L}\p{M}\u{ad}-]*)[-\u{2010}\u{ad}]$/u;
const REST = /^(?<tail>\p{Ll}[\p{L}\p{M}-]*)(?<after>[^\s\p{L}]*)(?: |$)/u;
const WORD = /\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)*/gu;

/** Longer words are not divided. It also bounds the time that the search for one takes. */
const MAX_WORD_CHARS = 60;

export class DividedWords {
  readonly #words = new Set<string>();

  /** Adds the words of a line, less the last, of which there may be more on the next line. */
  add({ text }: PdfLine): void {
    const words = text.match(WORD) ?? [];
    for (const word of words) this.#words.add(word.toLowerCase());
  }

  /** Joins lines to a text in which a word that is divided at the end of a line is whole, on the line where it begins. */
  joinHyphens(lines: readonly string[]): string {
    const joined: string[] = [];
    for (const line of lines) {
      const last = joined.at(-1);
      const head = BROKEN.exec(last?.slice(-MAX_WORD_CHARS) ?? "")?.groups?.["head"];
      const rest = head === undefined ? undefined : REST.exec(line)?.groups;
      if (last === undefined || head === undefined || rest === undefined) {
        joined.push(line);
        continue;
      }
      const { tail = "", after = "" } = rest;
      const hyphen = this.#keepsHyphen(head, tail) ? "-" : "";
      joined[joined.length - 1] = `${last.slice(0, -1)}${hyphen}${tail}${after}`;
      const left = line.slice(tail.length + after.length).trimStart();
      if (left !== "") joined.push(left);
    }
    return joined.join("\n").replaceAll("\u{ad}", "");
  }

  #keepsHyphen(head: string, tail: string): boolean {
    const whole = `${head}${tail}`.toLowerCase();
    return !this.#words.has(whole) && this.#words.has(`${head}-${tail}`.toLowerCase());
  }
}
