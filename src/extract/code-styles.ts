const NAME =
  /^(source ?code|html preformatted|preformatted( text)?|code( ?block| ?listing)?|listing|macro text|verbatim)$/iu;
const FONT = /courier|consolas|menlo|monaco|\bmono\b|monospace|typewriter/iu;

/** Whether paragraphs with a style of this name are program code. */
export function isCodeStyle(name: string): boolean {
  return NAME.test(name);
}

/** Whether all letters of a font have one width. */
export function isCodeFont(name: string): boolean {
  return FONT.test(name);
}
