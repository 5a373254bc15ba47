// Files that the writers of a team save repeatedly. Each text names its version, so an answer shows its age.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { FoundPassage } from "./team-machines.ts";

const FILES = 40;

/** A file and its history. Versions count from 1. */
export interface EditedFile {
  readonly path: string;
  version: number;
  /** The newest version that a successful run included, and the time when the run ended. */
  acknowledged: { readonly version: number; readonly atMs: number }[];
}

/** The files that one writer saves. */
export function newFiles(root: string, writer: number, count = FILES): readonly EditedFile[] {
  const files = Array.from({ length: count }, (_, at) => ({
    path: `w${writer}-${at}.md`,
    version: 0,
    acknowledged: [],
  }));
  for (const file of files) save(root, file);
  return files;
}

export function save(root: string, file: EditedFile): void {
  file.version += 1;
  const draft = join(root, `.${file.path}.draft`);
  writeFileSync(draft, textOf(file.path, file.version));
  renameSync(draft, join(root, file.path));
}

export function textOf(path: string, version: number): string {
  return `# Account ${nameOf(path)}\n\nThe balance of ${nameOf(path)} is v${version}.\n`;
}

/** A word that only this file has. */
export function nameOf(path: string): string {
  return `ledger${path.replace(/\D+/g, "x")}`;
}

/** The problem with an answer about a file; `oldest`: the oldest correct version. */
export function answerProblem(
  passages: readonly FoundPassage[],
  { path, version }: EditedFile,
  oldest: number,
): string | undefined {
  const found = passages.find((passage) => passage.path === path);
  if (found === undefined) return `${path} was not found`;
  // A file that changes during the read may come without its text.
  if (found.text === "") return undefined;
  const shown = Number(/ is v(?<version>\d+)\./.exec(found.text)?.groups?.["version"]);
  if (found.text.trimEnd() !== textOf(path, shown).trimEnd()) return `${path}: ${found.text}`;
  return shown >= oldest && shown <= version
    ? undefined
    : `${path}: v${shown}, not v${oldest} to v${version}`;
}

/** The newest version acknowledged before that time; 0 if there is none. */
export function acknowledgedBefore({ acknowledged }: EditedFile, atMs: number): number {
  return Math.max(0, ...acknowledged.filter((one) => one.atMs <= atMs).map((one) => one.version));
}

/** Some of them, by chance. */
export function picked<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, () => all[Math.floor(Math.random() * all.length)]).filter(
    (one) => one !== undefined,
  );
}
