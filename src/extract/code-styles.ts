const NAME =
  /^(source ?(?:code|text)|html preformatted|preformatted( text)?|code( ?block| ?listing)?|listing|macro text|verbatim)$/iu;
const FONT =
  /cascadia|courier|consolas|fira code|inconsolata|lucida console|menlo|monaco|\bmono\b|monospace|source code|typewriter/iu;
/** A paragraph of prose is one long line. */
const MAX_CODE_CHARS = 200;

/** Whether paragraphs with a style of this name are program code. */
export function isCodeStyle(name: string): boolean {
  return NAME.test(name);
}

/**
 * Whether a paragraph is a line of a program that was pasted from an editor. `codeLetters`: how many of its characters, without
 * spaces, are in fonts of code.
 */
export function isPastedCode(text: string, codeLetters: number): boolean {
  if (codeLetters === 0 || codeLetters < inkOf(text)) return false;
  return text.split("\n").every((line) => line.length <= MAX_CODE_CHARS);
}

/** Returns the number of characters other than spaces. */
export function inkOf(text: string): number {
  return text.replace(/\s+/gu, "").length;
}

/** Whether all letters of a font have one width. */
export function isCodeFont(name: string): boolean {
  return FONT.test(name);
}
