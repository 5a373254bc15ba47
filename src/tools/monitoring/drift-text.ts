// Documentation that no longer fits the code, as people and models read it.

import { counted } from "../../base/amounts.ts";
import type { DriftItem, DriftResult } from "../../engine/api/drift.ts";

/** Digits of an id that is shown. */
const ID_DIGITS = 10;

/** "docs/api.md:12  Sessions  `Session.open()`: `open` was renamed to `start` in 1234567890 (2026-01-31): Rename it" */
export function driftLine({ path, line, section, text, name, became, removed }: DriftItem): string {
  const { commit, authoredAt, subject } = removed;
  const what = text === name ? `\`${name}\`` : `\`${text}\`: \`${name}\``;
  const how = became === "" ? "was removed" : `was renamed to \`${became}\``;
  const date = authoredAt === "" ? "" : ` (${authoredAt.slice(0, 10)})`;
  const statement = `${what} ${how} in ${commit.slice(0, ID_DIGITS)}${date}: ${subject}`;
  return [`${path}:${line}`, section, statement].filter((part) => part !== "").join("  ");
}

/** Returns what is to say besides the statements, a sentence each. */
export function driftNotes({
  statements,
  hasMore,
  checked,
  partial,
}: DriftResult): readonly string[] {
  const { pages, statements: names } = checked;
  return [
    ...(statements.length === 0
      ? [`No outdated names: checked ${counted(names, "name")} on ${counted(pages, "page")}.`]
      : []),
    ...(hasMore ? ["There are more: raise the limit, or narrow them with a path."] : []),
    ...partial,
  ];
}

/** A line for each statement, then the notes. */
export function driftText(result: DriftResult): string {
  return [...result.statements.map(driftLine), ...driftNotes(result)].join("\n");
}
