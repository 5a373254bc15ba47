// Finds the names that a commit removed from the code of a repository: definitions, flags, and files.

import { skipReasonOfPath } from "../../scan/name-rules.ts";
import {
  fileRole,
  isExample,
  isGeneratedName,
  isVendored,
  languageOf,
} from "../../scan/classify.ts";
import type { FilePatch, PatchHunk } from "../../sources/patch-text.ts";
import { addWords, definedIn, MAX_LINE_LENGTH, type NameCertainty } from "./code-names.ts";

/** Something that a commit removed. */
export interface RemovedName {
  /** A name, a flag with its dashes, or a path with `/` before it. */
  readonly key: string;
  /** The file that it was in. */
  readonly path: string;
  /** What the commit has in its place: another name, or the new path of a file; "" if that is not known. */
  readonly became: string;
  /** "moved": the commit also changed a dependency, or imports all names of a module, which may have the name now. */
  readonly certainty: NameCertainty | "moved";
}

/** A commit with more removed names replaces the program by another one; those are the first. */
const MAX_NAMES_PER_COMMIT = 5000;
const MIN_NAME_LENGTH = 3;

/** Returns what a commit removed and did not add again elsewhere. */
export function removedIn(files: readonly FilePatch[]): readonly RemovedName[] {
  const removed = new Map<string, RemovedName>();
  for (const file of files) addRemovedPath(file, removed);
  for (const { oldPath, hunks } of files) {
    if (oldPath === undefined || !definesNames(oldPath)) continue;
    for (const hunk of hunks) addRemovedNames(hunk, oldPath, removed);
  }
  if (removed.size === 0) return [];
  const added = addedWords(files);
  const left = [...removed.values()].filter(({ key }) => !added.has(key.replace(/^--/, "")));
  if (left.length === 0) return left;
  const isMoved = changesDependency(files) || files.some(importsAll);
  return left.map((one) =>
    isMoved && !one.key.startsWith("/") ? { ...one, certainty: "moved" } : one,
  );
}

const MANIFEST =
  /(?:^|\/)(?:setup\.(?:py|cfg)|pyproject\.toml|requirements[^/]*\.txt|package\.json|Cargo\.toml|go\.mod|Gemfile|[^/]+\.gemspec|pom\.xml|build\.gradle(?:\.kts)?|composer\.json)$/;
/** A name with a version or a range of them. */
const DEPENDENCY =
  /(?<name>@?[A-Za-z][\w./@-]*)["']?\s*(?:[:=]\s*["'{]?|["'(,\s]*)[\^~<>=!v]*\s*\d+(?:\.\d+)+/g;

/** Whether a commit adds a package to a manifest, or another version of one. */
function changesDependency(files: readonly FilePatch[]): boolean {
  return files.some(
    ({ path, hunks }) =>
      path !== undefined &&
      MANIFEST.test(path) &&
      hunks.some(({ lines }) =>
        lines.some(
          (line) => line.startsWith("+") && line.length <= MAX_LINE_LENGTH && isDependency(line),
        ),
      ),
  );
}

function isDependency(line: string): boolean {
  return [...line.matchAll(DEPENDENCY)].some(
    ({ groups }) => !/(?:^|_|-)version$/i.test(groups?.["name"] ?? ""),
  );
}

/** A line by which a file has all names of another one, or of a package. */
const IMPORT_OF_ALL =
  /^\+\s*(?:from\s+[\w.]+\s+import\s+\*|export\s+\*\s+from|(?:pub\s+)?use\s+[\w:]+::\*|import\s+(?:static\s+)?[\w.]+\.\*)/;

function importsAll({ hunks }: FilePatch): boolean {
  return hunks.some(({ lines }) => lines.some((line) => IMPORT_OF_ALL.test(line)));
}

/** Files that a build or a test run writes; some were committed by accident. */
const OUTPUT_FOLDER =
  /(?:^|\/)(?:cover(?:age)?|htmlcov|dist|build|out|output|target|_build|node_modules)\//i;

function addRemovedPath(
  { path, oldPath, renamed }: FilePatch,
  removed: Map<string, RemovedName>,
): void {
  const from = renamed?.from ?? (path === undefined ? oldPath : undefined);
  if (from === undefined || skipReasonOfPath(from) !== undefined) return;
  if (OUTPUT_FOLDER.test(from) || isGeneratedName(from)) return;
  removed.set(`/${from}`, {
    key: `/${from}`,
    path: from,
    became: renamed?.to ?? "",
    certainty: "sure",
  });
}

function addRemovedNames(
  { lines }: PatchHunk,
  path: string,
  removed: Map<string, RemovedName>,
): void {
  const added = lines.filter((line) => line.startsWith("+"));
  for (const line of lines) {
    if (!line.startsWith("-") || line.length > MAX_LINE_LENGTH) continue;
    for (const [key, certainty] of definedIn(line.slice(1))) {
      if (key.length < MIN_NAME_LENGTH || removed.size >= MAX_NAMES_PER_COMMIT) continue;
      const known = removed.get(key);
      if (known?.certainty === "sure" && (certainty === "likely" || known.became !== "")) continue;
      removed.set(key, { key, path, became: successorOf(key, line, added), certainty });
    }
  }
}

const WORD = /([A-Za-z_$][\w$]*(?:-[\w$]+)*)/;

/** The name that stands for `key` in an added line which is otherwise the same; "" if there is none. */
function successorOf(key: string, line: string, added: readonly string[]): string {
  const isFlag = key.startsWith("--");
  const bare = isFlag ? key.slice(2) : key;
  const before = line.slice(1).split(WORD);
  for (const other of added) {
    const after = other.slice(1).split(WORD);
    if (after.length !== before.length) continue;
    const places = before.flatMap((part, at) => (part === after[at] ? [] : [at]));
    const [first] = places;
    if (first === undefined || !places.every((at) => before[at] === bare)) continue;
    const name = after[first] ?? "";
    if (places.every((at) => after[at] === name) && WORD.test(name))
      return isFlag ? `--${name}` : name;
  }
  return "";
}

function addedWords(files: readonly FilePatch[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { path, hunks } of files) {
    if (path === undefined || fileRole(path, languageOf(path)) === "docs") continue;
    for (const { lines } of hunks)
      for (const line of lines) if (line.startsWith("+")) addWords(line, words);
  }
  return words;
}

const DOCS_FOLDER = /(?:^|\/)docs?(?:[_-]\w+)?\//i;
/** Copies of other projects, under names that `isVendored` does not know. */
const COPIES_FOLDER = /(?:^|\/)(?:[^/]*vendor[^/]*|xlib|extern(?:al|s)?)\//i;

/** Whether the definitions of a file belong to the program, and not to its tests, examples or documentation. */
export function definesNames(path: string): boolean {
  const language = languageOf(path);
  return (
    language !== undefined &&
    fileRole(path, language) === "code" &&
    !isExample(path, "code") &&
    !isVendored(path) &&
    !isGeneratedName(path) &&
    !DOCS_FOLDER.test(path) &&
    !COPIES_FOLDER.test(path) &&
    skipReasonOfPath(path) === undefined
  );
}
