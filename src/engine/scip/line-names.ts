import type { WrittenRange } from "../../scip/write-index.ts";

/** Finds names on the lines of a file, from left to right: the second use of a name on a line is its second place. */
export class LineNames {
  readonly #lines: readonly string[];
  /** Line and name -> where the next one may begin. */
  readonly #next = new Map<string, number>();

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /**
   * Returns the next place of one of these names, the first one that the line has; the last place again if there are no
   * more. Undefined if the line has none of them. `line`: 1-based. `isCall`: prefers places before a parenthesis.
   */
  take(line: number, names: readonly string[], isCall = false): WrittenRange | undefined {
    const text = this.#lines[line - 1];
    if (text === undefined) return undefined;
    for (const name of names) {
      const key = `${line} ${name} ${isCall}`;
      const from = this.#next.get(key) ?? 0;
      const start =
        (isCall ? wholeWord(text, name, { from, before: CALL }) : undefined) ??
        wholeWord(text, name, { from }) ??
        wholeWord(text, name, { from: Math.max(0, from - 1) });
      if (start === undefined) continue;
      this.#next.set(key, start + 1);
      return { line: line - 1, start, end: start + name.length };
    }
    return undefined;
  }

  /** Returns an empty range at the first character of a line that is not white space. */
  beginOf(line: number): WrittenRange {
    const start = Math.max(0, this.#lines[line - 1]?.search(/\S/) ?? 0);
    return { line: line - 1, start, end: start };
  }
}

const WORD = /[\p{L}\p{N}_$]/u;
/** The name of a module may be a path. */
const PATH = /[\p{L}\p{N}_$./]/u;

/** Begins with the arguments of a call, perhaps after those of a type. */
const CALL = /^\s*(?:<[^()]*>)?\(/;

function wholeWord(
  text: string,
  name: string,
  { from, before }: { readonly from: number; readonly before?: RegExp },
): number | undefined {
  if (name === "") return undefined;
  const [first = "", last = ""] = [name.at(0), name.at(-1)];
  for (let at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + 1)) {
    const isCutBefore = (WORD.test(first) ? WORD : PATH).test(text.charAt(at - 1));
    const isCutAfter = WORD.test(last) && WORD.test(text.charAt(at + name.length));
    if (isCutBefore || isCutAfter) continue;
    if (before === undefined || before.test(text.slice(at + name.length))) return at;
  }
  return undefined;
}
