// Reads the route and the summary of an operation of OpenAPI from the current text of its file.

/** How many lines of an operation are searched for its summary. */
const MAX_SUMMARY_LINES = 30;
const MAX_SUMMARY_CHARS = 200;
const SUMMARY = /^\s*["']?summary["']?\s*:\s*(\S.{0,400})$/;
const DESCRIPTION = /^\s*["']?description["']?\s*:\s*(\S.{0,400})$/;
const METHOD = /^\s*["']?(\w+)["']?\s*:/;

interface OperationPlace {
  readonly name: string;
  readonly qualifiedName: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Returns the route as the signature, `DELETE /users/{id}`, and the summary, or "" if there is none. `lines`: all lines of
 * the file.
 */
export function operationLines(
  lines: readonly string[],
  { name, qualifiedName, startLine, endLine }: OperationPlace,
): { readonly signature: string; readonly docLine: string } {
  const text = lines.slice(startLine - 1, Math.min(endLine, startLine - 1 + MAX_SUMMARY_LINES));
  const method = METHOD.exec(text[0] ?? "")?.[1]?.toUpperCase() ?? "";
  const path = qualifiedName.slice(0, Math.max(0, qualifiedName.length - name.length - 1));
  const route = `${method} ${path}`.trim();
  const docLine = valueIn(text, SUMMARY) ?? valueIn(text, DESCRIPTION) ?? "";
  return { signature: route === name || route === "" ? name : `${name}: ${route}`, docLine };
}

function valueIn(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const value = pattern.exec(line.slice(0, 500))?.[1];
    if (value === undefined) continue;
    const words = value.replace(/,\s*$/, "").replace(/^(["'])(.*)\1\s*$/, "$2");
    // A text of several lines begins on the next one.
    return /^[|>][+-]?$/.test(words) ? undefined : words.slice(0, MAX_SUMMARY_CHARS);
  }
  return undefined;
}
