// Finds corrections in a history: a commit that changed nothing but documentation took a name out of a page, and an earlier
// commit had removed the last use of that name from the code. The search ignores definitions, so that it also finds
// corrections that svc does not look for.
import { fileRole, languageOf } from "../../src/scan/classify.ts";
import { parsePatches, type CommitPatches, type FilePatch } from "../../src/sources/patch-text.ts";
import { addWords, definedIn, isDistinctive } from "../../src/engine/drift/code-names.ts";
import { definesNames } from "../../src/engine/drift/removed-names.ts";
import { isPastPath } from "../../src/engine/drift/past.ts";
import { git, gitWith } from "./git.ts";

/** A name that a commit took out of a page because the code no longer had it. */
export interface Correction {
  readonly commit: string;
  readonly parent: string;
  readonly page: string;
  readonly name: string;
}

const BATCH = 200;
const DIFF =
  "diff-tree --stdin -p --root -r --unified=0 --find-renames --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/";

export function correctionsIn(folder: string): readonly Correction[] {
  const ids = git(folder, ["rev-list", "--no-merges", "--reverse", "HEAD"]).trim().split("\n");
  const counts = new Map<string, number>();
  const defined = new Set<string>();
  const found: Correction[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const input = ids.slice(at, at + BATCH).join("\n");
    for (const commit of parsePatches(gitWith(folder, DIFF.split(" "), input))) {
      if (isOfDocs(commit)) found.push(...namesTakenOut(folder, commit, { counts, defined }));
      else for (const file of commit.files) count(file, counts, defined);
    }
  }
  return found;
}

function roleOf(path: string): string {
  return fileRole(path, languageOf(path));
}

function isOfDocs({ files }: CommitPatches): boolean {
  return (
    files.length > 0 && files.every(({ path, oldPath }) => roleOf(path ?? oldPath ?? "") === "docs")
  );
}

function count(
  { path, oldPath, hunks }: FilePatch,
  counts: Map<string, number>,
  defined: Set<string>,
): void {
  const own = path ?? oldPath;
  if (own === undefined || roleOf(own) === "docs") return;
  const isOwn = definesNames(own);
  for (const { lines } of hunks) {
    for (const line of lines) {
      const words = new Set<string>();
      addWords(line.slice(1), words);
      const change = line.startsWith("+") ? 1 : -1;
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + change);
      if (isOwn && change === 1)
        for (const name of definedIn(line.slice(1)).keys()) defined.add(name);
    }
  }
}

function namesTakenOut(
  folder: string,
  { id, files }: CommitPatches,
  {
    counts,
    defined,
  }: { readonly counts: ReadonlyMap<string, number>; readonly defined: ReadonlySet<string> },
): readonly Correction[] {
  const found: Correction[] = [];
  for (const { path, oldPath, hunks } of files) {
    // A page that is created, deleted or moved is not corrected.
    if (path === undefined || path !== oldPath || isPastPath(path)) continue;
    const lines = hunks.flatMap((hunk) => hunk.lines);
    const after = new Set<string>();
    for (const line of lines) if (line.startsWith("+")) addWords(line.slice(1), after);
    const before = lines.filter((line) => line.startsWith("-"));
    for (const name of new Set(before.flatMap((line) => [...codeWordsOf(line.slice(1))]))) {
      const bare = name.replace(/^--/, "");
      const isGone = (defined.has(bare) || defined.has(name)) && (counts.get(bare) ?? 0) <= 0;
      if (!isGone || after.has(bare) || isInCode(folder, `${id}^`, bare)) continue;
      if (git(folder, ["grep", "-l", "-w", "-F", "-e", bare, id, "--", path]) !== "") continue;
      const parent = git(folder, ["rev-parse", `${id}^`]).trim();
      found.push({ commit: id, parent, page: path, name });
    }
  }
  return found;
}

/** Names in inline code, in directives and in indented code. */
function codeWordsOf(line: string): ReadonlySet<string> {
  const names = new Set<string>();
  const isCode = /^(?: {4}|\t|\s*\.\. )/.test(line);
  const spans = isCode ? [line] : [...line.matchAll(/`+([^`]+)`+/g)].map(([, span = ""]) => span);
  for (const span of spans) {
    for (const [flag] of span.matchAll(/(?<![\w-])--[a-z][\w-]*[a-z0-9]/g)) names.add(flag);
    for (const [word] of span.matchAll(/(?<![-\w])[A-Za-z_$][\w$]{3,}/g))
      if (isDistinctive(word)) names.add(word);
    for (const [, word = ""] of span.matchAll(/([A-Za-z_]\w{2,})(?=\()/g)) names.add(word);
  }
  return names;
}

function isInCode(folder: string, commit: string, word: string): boolean {
  const files = git(folder, ["grep", "-l", "-z", "-I", "-w", "-F", "-e", word, commit]).split("\0");
  return files.some((file) => file !== "" && roleOf(file.slice(file.indexOf(":") + 1)) !== "docs");
}
