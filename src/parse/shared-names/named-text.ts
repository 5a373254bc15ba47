// The facts about a file that readers of shared names use.

/** A file in which to look for shared names. */
export interface NamedText {
  readonly path: string;
  /** The name of the file without its folder. */
  readonly baseName: string;
  readonly language: string;
  readonly text: string;
  /** True for a test: what looks like a route there is a call of one. */
  readonly isTest: boolean;
}

/** How many characters of a line before a name may show that it is in a comment. */
const MAX_LINE_CHARS = 400;
const COMMENT = /^\s*(?:\/\/|\/\*|\*(?![\w/])|#(?![[!])|--|<!--|;|"""|''')/;
const HASH_IS_CODE = new Set(["c", "cpp", "csharp", "rust", "objc", "php"]);

/** Returns whether the line of an offset is a comment from its beginning. */
export function isInComment({ text, language }: NamedText, offset: number): boolean {
  const line = text.slice(lineStartAt(text, offset), offset);
  const comment = COMMENT.exec(line);
  return comment !== null && !(comment[0].endsWith("#") && HASH_IS_CODE.has(language));
}

/** Returns the offset at which the line of an offset begins, or a later one if the line is very long. */
export function lineStartAt(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1) + 1, offset - MAX_LINE_CHARS);
}

/** Returns a function that counts lines, from 1, for offsets in ascending order. */
export function lineNumbers(text: string): (offset: number) => number {
  let [line, counted] = [1, 0];
  return (offset) => {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < offset;) {
      line += 1;
      counted = at + 1;
      at = text.indexOf("\n", counted);
    }
    return line;
  };
}
