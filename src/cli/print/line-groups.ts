import type { TextMatch } from "../../engine/api/search-text.ts";

interface ShownLine {
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** Qualified name of the definition around a match; "" for a context line. */
  readonly symbol: string;
}

/** Consecutive lines of one file. */
export interface LineGroup {
  /** Its namespace, if the search was of several. */
  readonly namespace?: string | undefined;
  readonly path: string;
  readonly lines: readonly ShownLine[];
}

/**
 * Groups matches, in order, with their context lines as grep does: each line once, adjacent and overlapping lines in
 * one group.
 */
export function groupLines(matches: readonly TextMatch[]): readonly LineGroup[] {
  const hunks: { namespace?: string | undefined; path: string; lines: ShownLine[] }[] = [];
  for (const { namespace, path, line: at, lines, symbol } of matches) {
    let hunk = hunks.at(-1);
    for (const { line, text } of lines) {
      const isSameFile = hunk?.path === path && hunk.namespace === namespace;
      const previous = isSameFile ? hunk?.lines.at(-1)?.line : undefined;
      if (hunk === undefined || previous === undefined || line > previous + 1) {
        hunk = { namespace, path, lines: [] };
        hunks.push(hunk);
      }
      const shown = { line, text, isMatch: line === at, symbol: line === at ? symbol : "" };
      const known = hunk.lines.findIndex((one) => one.line === line);
      if (known === -1) hunk.lines.push(shown);
      else if (shown.isMatch) hunk.lines[known] = shown;
    }
  }
  return hunks;
}
