/** Replaces the range `[start, end)`, in UTF-16 units, with `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text after all edits. They must not overlap; insertions at the same offset keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start);
  let result = "";
  let at = 0;
  for (const edit of inOrder) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Returns the line break that the text uses. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** Returns the start of the line that contains `offset`. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the end of the line that contains `offset`, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at === -1) return text.length;
  return at > offset && text[at - 1] === "\r" ? at - 1 : at;
}
