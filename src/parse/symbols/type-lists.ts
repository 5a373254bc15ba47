// Folds type parameters and arguments that a formatter has put on lines of their own.

/** Maximum lines of one list. */
const MAX_LINES = 40;

/**
 * Returns the lines with each list between a `<` at the end of a line and the `>` at the beginning of a later line of
 * the same indentation as `<…>`, joined to one line: `open<`, `  T,`, `>(a: T)` become `open<…>(a: T)`. A signature of
 * limited length that shows the list has no room for the parameters after it.
 */
export function withFoldedTypeLists(lines: readonly string[]): readonly string[] {
  if (!lines.some(opensList)) return lines;
  const folded: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    let text = lines[at] ?? "";
    let close = closeOf(lines, at, text);
    while (close !== undefined) {
      at = close;
      text = `${text.trimEnd()}…${(lines[at] ?? "").trimStart()}`;
      close = closeOf(lines, at, text);
    }
    folded.push(text);
  }
  return folded;
}

function opensList(line: string): boolean {
  return /[\w$]<\s*$/.test(line.slice(-200));
}

/** The line that closes the list which `text`, at line `at`, opens; undefined if there is none. */
function closeOf(lines: readonly string[], at: number, text: string): number | undefined {
  if (!opensList(text)) return undefined;
  const indent = indentOf(text);
  for (let line = at + 1; line < Math.min(lines.length, at + MAX_LINES); line += 1) {
    const one = lines[line] ?? "";
    if (one.trim() === "" || indentOf(one) > indent) continue;
    return indentOf(one) === indent && one.trimStart().startsWith(">") ? line : undefined;
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
