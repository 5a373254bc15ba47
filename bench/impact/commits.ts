// Commits for the evaluation: one changed file of a commit is the query, and the others are the right answers.
import { isGeneratedName, isVendored, languageOf, fileRole } from "../../src/scan/classify.ts";
import { CONFIG_LANGUAGES } from "../../src/scan/languages.ts";
import { pick, seededRandom } from "../quality/random.ts";
import { shuffled } from "../references/sample.ts";

/** A commit from git, with its changed files. */
export interface LoggedCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Seconds since 1970. */
  readonly time: number;
  readonly changes: readonly FileChange[];
}

export interface FileChange {
  readonly path: string;
  /** True for a file that does not exist before the commit, such as one that was moved. */
  readonly isNew: boolean;
  /** True for a file that was moved and is otherwise unchanged. */
  readonly isMoved: boolean;
}

/** The query of a commit. */
export interface Task {
  readonly commit: string;
  readonly parent: string;
  readonly time: number;
  /** One of the changed code files that existed before the commit, and the others. */
  readonly asked: string;
  readonly others: readonly string[];
  /** The same for tests: a changed file that is not a test, and the changed tests. Undefined if either is missing. */
  readonly tests: { readonly asked: string; readonly changed: readonly string[] } | undefined;
  /** Weights are chosen on one half of the commits, and evaluated on the other. */
  readonly half: "tuning" | "judged";
}

const MIN_FILES = 2;
const MAX_FILES = 8;
/** The mark that `LOG_FORMAT` puts before each commit. */
const MARK = "\u0001";

/** Arguments of `git log` for `parseLog`. */
export const LOG_ARGUMENTS = [
  "log",
  "--format=%x01%H %ct %P",
  "--name-status",
  "--find-renames",
  "-z",
] as const;

/** Reads the output of `git log` with `LOG_ARGUMENTS`. */
export function parseLog(text: string): readonly LoggedCommit[] {
  return text
    .split(MARK)
    .slice(1)
    .map((entry) => {
      const [head = "", ...fields] = entry.split("\0");
      const [id = "", time = "", ...parents] = head.trim().split(" ");
      const changes = changesIn(fields.map((field) => field.replace(/^\n/, "")));
      return { id, parents: parents.filter((one) => one !== ""), time: Number(time), changes };
    });
}

/** A status and its path; for a moved or copied file a status with a number, and both paths. */
function changesIn(fields: readonly string[]): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const status = fields[at] ?? "";
    const path = fields[at + 1] ?? "";
    if (/^[RC]/.test(status)) {
      const isMoved = status === "R100";
      if (status.startsWith("R")) changes.push({ path, isNew: false, isMoved });
      changes.push({ path: fields[at + 2] ?? "", isNew: true, isMoved });
      at += 3;
    } else {
      if (status !== "") changes.push({ path, isNew: status === "A", isMoved: false });
      at += status === "" ? 1 : 2;
    }
  }
  return changes;
}

/** Handwritten code and tests: no settings, prose or data, even among tests. */
export function isCode(path: string): boolean {
  const language = languageOf(path);
  if (language === undefined || isGeneratedName(path) || isVendored(path)) return false;
  if (CONFIG_LANGUAGES.has(language) || language === "text") return false;
  const role = fileRole(path, language);
  return role === "code" || role === "tests";
}

export function isTest(path: string): boolean {
  return fileRole(path, languageOf(path)) === "tests";
}

/** The paths of code that a commit changed; undefined if it is not used. */
export function changedCode(commit: LoggedCommit): readonly string[] | undefined {
  if (commit.parents.length !== 1) return undefined;
  const code = commit.changes.filter(({ path, isMoved }) => !isMoved && isCode(path));
  const there = code.filter(({ isNew }) => !isNew).map(({ path }) => path);
  const isRight = code.length >= MIN_FILES && code.length <= MAX_FILES && there.length >= MIN_FILES;
  return isRight ? there : undefined;
}

/** Up to `count` tasks, the oldest first: the same for the same commits and seed. */
export function drawTasks(
  commits: readonly LoggedCommit[],
  { count, seed }: { readonly count: number; readonly seed: string },
): readonly Task[] {
  const right = commits.flatMap((commit) => {
    const files = changedCode(commit);
    return files === undefined ? [] : [{ commit, files }];
  });
  const drawn = shuffled(right, seed).slice(0, count);
  return drawn
    .map(({ commit: { id, parents, time }, files }, at): Task => {
      const random = seededRandom(`${seed}\0${id}`);
      const asked = pick(files, random) ?? "";
      const changed = files.filter(isTest);
      const code = files.filter((path) => !isTest(path));
      const askedCode = code.includes(asked) ? asked : pick(code, random);
      return {
        commit: id,
        parent: parents[0] ?? "",
        time,
        asked,
        others: files.filter((path) => path !== asked),
        tests:
          askedCode === undefined || changed.length === 0
            ? undefined
            : { asked: askedCode, changed },
        half: at % 2 === 0 ? "tuning" : "judged",
      };
    })
    .toSorted((one, other) => one.time - other.time);
}
