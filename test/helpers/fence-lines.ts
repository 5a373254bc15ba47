/** The number of lines that a reader takes for the beginning or the end of a fence. */
export function fenceLines(text: string): number {
  return text.split("\n").filter((line) => /^\s*(?:```|~~~)/.test(line)).length;
}
