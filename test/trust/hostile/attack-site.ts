// The place where attacks are built, and the tools for building them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { plant, tree } from "../../helpers/tree.ts";

/**
 * Occurs in names of the other repository, and nowhere else. It has one letter case, and is not a possible typo of a
 * real word.
 */
export const CANARY = "zqvictimxkvwj";

/** The place of an attack: an empty folder `root`, and the repository that it targets. */
export interface AttackSite {
  readonly root: string;
  readonly victim: string;
  /** A separate repository in `root`, with five commits and no word of the victim's. */
  readonly ownRepository: () => void;
}

export interface Attack {
  readonly name: string;
  readonly build: (site: AttackSite) => void;
}

/** Runs git as the author of a tree would, without the machine's settings. */
export function git(directory: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...identity, ...args], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Word -> the files of the repository that `commitRounds` makes with it, those of git included. */
const repositories = new Map<string, Files>();

/** Five commits and a change in the work tree; `word` is in each name. */
export function commitRounds(root: string, word: string): void {
  if (readdirSync(root).includes(".git")) commitEach(root, word);
  else plant(root, repositoryOf(word));
}

/**
 * Made once and then copied, because its commits start sixteen processes, and the attacks need dozens of such
 * repositories.
 */
function repositoryOf(word: string): Files {
  const known = repositories.get(word);
  if (known !== undefined) return known;
  const { path, dispose } = tree();
  git(path, "init", "-q", "-b", "main");
  commitEach(path, word);
  const files = filesBelow(path);
  dispose();
  repositories.set(word, files);
  return files;
}

function commitEach(root: string, word: string): void {
  for (const round of [1, 2, 3, 4, 5]) {
    plant(root, filesOf(word, round));
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", `${word} ${round}`);
  }
  plant(root, filesOf(word, 6));
}

/** Everything below a folder, in the form for `plant`. */
function filesBelow(root: string): Files {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path);
    return entry.isDirectory() ? [`${name}/`, ""] : [name, readFileSync(path)];
  });
  return Object.fromEntries(entries);
}

function filesOf(word: string, round: number): Readonly<Record<string, string>> {
  return {
    "ledger.ts": [
      `export function settle_${word}(amount: number): number {`,
      `  return amount + ${round};`,
      "}",
      `export function round_${round}_${word}(): number {`,
      `  return settle_${word}(${round});`,
      "}",
      "",
    ].join("\n"),
    [`${word}/book.ts`]: `export class Book_${word}_${round} {\n  total = ${round};\n}\n`,
  };
}
