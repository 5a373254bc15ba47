// The note on a result about names in it that the code no longer has.

import type { OutdatedName } from "../engine/api/outdated.ts";

/** Digits of an id that is shown. */
const ID_DIGITS = 10;
const MAX_NOTED = 3;

interface Noted {
  readonly outdated?: readonly OutdatedName[] | undefined;
}

/** A line for each: "line 12: `--dry-run` was removed in 81c02be9aa (2026-02-02)". */
export function outdatedNotes({ outdated = [] }: Noted): readonly string[] {
  return outdated.slice(0, MAX_NOTED).map(({ line, name, became, commit, authoredAt }) => {
    const how = became === "" ? "was removed" : `was renamed to \`${became}\``;
    const date = authoredAt === "" ? "" : ` (${authoredAt.slice(0, 10)})`;
    return `line ${line}: \`${name}\` ${how} in ${commit.slice(0, ID_DIGITS)}${date}`;
  });
}

/** The same as a member of a record; none without any. */
export function outdatedRecord({ outdated = [] }: Noted): {
  readonly outdated?: {
    line: number;
    name: string;
    became?: string;
    commit: string;
    date?: string;
  }[];
} {
  if (outdated.length === 0) return {};
  return {
    outdated: outdated.map(({ line, name, became, commit, authoredAt }) => ({
      line,
      name,
      ...(became === "" ? {} : { became }),
      commit,
      ...(authoredAt === "" ? {} : { date: authoredAt }),
    })),
  };
}
