import type { ToolResult } from "../freshness/server.ts";
import type { EditedProject } from "./edited-project.ts";

/** The passages of an answer that were not lines of their files at any time since then. */
export function wrongPassages(
  { content }: ToolResult,
  project: EditedProject,
  sinceMs: number,
): readonly string[] {
  return content
    .filter(({ text }) => {
      const passage = placeOf(text);
      if (passage === undefined) return false;
      // The first line names the file.
      const shown = text.split("\n").slice(1);
      const texts = project.textsSince(passage.path, sinceMs);
      return !texts.some((one) => holds(one.split("\n").slice(passage.startLine - 1), shown));
    })
    .map(({ text }) => `not of the file: ${JSON.stringify(text)}`);
}

/** The first line of an item that is a passage begins with `path:10-40`. */
function placeOf(text: string): { readonly path: string; readonly startLine: number } | undefined {
  const { path, line } = /^(?<path>\S.*?):(?<line>\d+)-\d+(?: {2}|\n)/.exec(text)?.groups ?? {};
  return path === undefined ? undefined : { path, startLine: Number(line) };
}

const NO_FILE = /^No file "(?<path>[^"]+)"/gm;

/** Files that an answer reports as missing although they existed all the time. */
export function wrongRefusals(
  { content }: ToolResult,
  project: EditedProject,
  sinceMs: number,
): readonly string[] {
  const paths = content.flatMap(({ text }) =>
    Array.from(text.matchAll(NO_FILE), ({ groups }) => groups?.["path"] ?? ""),
  );
  return paths
    .filter((path) => project.isThereSince(path, sinceMs))
    .map((path) => `said not to be there: ${path}`);
}

/** An answer that is an error, except for a missing file or symbol. */
export function failures({ isError, content }: ToolResult): readonly string[] {
  const text = content.map((item) => item.text).join("\n");
  return isError === true && !/^No (?:file|symbol) /.test(text) ? [text] : [];
}

/** Whether the shown lines match these lines, from the first one on; "…" means omitted lines. */
function holds(lines: readonly string[], shown: readonly string[]): boolean {
  let at = 0;
  let isGap = false;
  for (const line of shown) {
    if (line === "…") {
      isGap = true;
      continue;
    }
    const found = isGap ? lines.indexOf(line, at) : at;
    if (lines[found] !== line) return false;
    at = found + 1;
    isGap = false;
  }
  return true;
}
