// The searched parts of a commit: its message, the lines that it changed, and the names of the files and definitions
// that it touched.

import { maskSecrets } from "../../base/mask-secrets.ts";
import type { CommitDocument } from "../../index/commits/commit-index.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import type { Commit } from "../../sources/commit-objects.ts";
import type { FilePatch } from "../../sources/patch-text.ts";

/** Limits of one commit: a commit of a whole library says little with each of its lines. */
const MAX_FILES = 60;
const MAX_LINES_PER_FILE = 300;
const MAX_CHARACTERS = 48_000;
const MAX_SECTIONS = 40;
const MAX_BODY_CHARACTERS = 16_000;
const MAX_LINE_LENGTH = 400;

export function commitDocument(
  { id, subject, body }: Pick<Commit, "id" | "subject" | "body">,
  files: readonly FilePatch[],
): CommitDocument {
  const shown = files
    .filter((file) => skipReasonOfPath(pathOf(file)) === undefined)
    .slice(0, MAX_FILES);
  const message = maskSecrets(`${subject}\n${body.slice(0, MAX_BODY_CHARACTERS)}`);
  const end = message.indexOf("\n");
  const sections = new Set(
    shown.flatMap(({ hunks }) => hunks.map(({ section }) => section)).filter((one) => one !== ""),
  );
  return {
    id,
    subject: message.slice(0, end),
    body: message.slice(end + 1),
    changedLines: copied(changedLines(shown)),
    names: copied([...new Set(shown.map(pathOf)), ...[...sections].slice(0, MAX_SECTIONS)]),
  };
}

/** Masks secrets. Parts of a string keep all of it in memory, here the patches of many commits, so this makes new ones. */
function copied(lines: readonly string[]): readonly string[] {
  return maskSecrets(lines.join("\n")).split("\n");
}

function pathOf({ path, oldPath }: FilePatch): string {
  return path ?? oldPath ?? "";
}

function changedLines(files: readonly FilePatch[]): readonly string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const { hunks } of files) {
    const changed = hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(" ")));
    for (const line of changed.slice(0, MAX_LINES_PER_FILE)) {
      const text = line.slice(1, MAX_LINE_LENGTH);
      characters += text.length;
      if (characters > MAX_CHARACTERS) return lines;
      lines.push(text);
    }
  }
  return lines;
}
