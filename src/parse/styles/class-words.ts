// The names of classes in a text: the value of an attribute, or a text in quotes.

/** The name of a class, with its offset. */
export interface ClassWord {
  readonly name: string;
  readonly at: number;
}

const CLASS = /^-?[\p{L}_][\p{L}\p{N}_-]{0,80}$/u;

/** Yields the names between white space. `glued`: whether code touches the first or the last of them, which is then only a part. */
export function* classWords(
  text: string,
  at: number,
  glued: { readonly start: boolean; readonly end: boolean } = { start: false, end: false },
): Generator<ClassWord> {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const isPart =
      (glued.start && index === 0) || (glued.end && index + word.length === text.length);
    if (!isPart && CLASS.test(word)) yield { name: word, at: at + index };
  }
}

/** Returns whether no character, or white space, is next to a word. */
export function isBlank(char: string | undefined): boolean {
  return char === undefined || /\s/.test(char);
}
