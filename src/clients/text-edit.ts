/** Replaces `[start, end)`, offsets in UTF-16 units, by the text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after all edits, which must not overlap; of two insertions at one place the first goes first. */
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

/** The line break that the text uses. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** Where the line that holds `offset` begins. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line that holds `offset` ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at === -1) return text.length;
  return at > offset && text[at - 1] === "\r" ? at - 1 : at;
}
