// node bench/replay-changes.ts GIT_DIRECTORY [--commits N]: checks out the last commits of a repository one after the
// other, and compares the change log of each with a diff of whole texts. Prints the differences, and
// the cost of an indexing run with the change log.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { EmbeddedBackend } from "../src/index/embedded/backend.ts";
import { addMonitor } from "../src/sources/registry/monitors.ts";
import type { ChangeEvent } from "../src/index/change-log/change-event.ts";
import {
  folderVersion,
  newLines,
  problemsOf,
  type FolderVersion,
} from "../test/helpers/change-oracle.ts";
import { authorized } from "../test/helpers/authorized.ts";
import { openRegistry } from "../test/helpers/open-registry.ts";
import { runIndex } from "../test/helpers/run-index.ts";

const PATTERN = "return|await";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: "string", default: "200" } },
});
const [repository] = positionals;
if (repository === undefined) throw new Error("name a directory of git");
const place = mkdtempSync(join(tmpdir(), "svc-replay-"));
try {
  await replay(repository, Number(values.commits));
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function replay(from: string, count: number): Promise<void> {
  const root = join(place, "tree");
  const dataDirectory = join(place, "data");
  mkdirSync(root);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", [`--git-dir=${from}`, `--work-tree=${root}`, ...args], {
      encoding: "utf8",
      env: { ...process.env, GIT_INDEX_FILE: join(place, "index") },
      stdio: ["ignore", "pipe", "ignore"],
    });
  const commits = git("log", "--first-parent", "--format=%H", "-n", String(count + 1), "HEAD")
    .trim()
    .split("\n")
    .toReversed();
  const registry = openRegistry(dataDirectory);
  const source = await registry.addSource("replay", { root });
  await addMonitor(registry, {
    namespace: "replay",
    owner: "local",
    name: "pattern",
    kind: "pattern",
    question: PATTERN,
  });
  const backend = new EmbeddedBackend(dataDirectory);
  const job = { dataDirectory, namespace: "replay", sources: [source], rebuild: false, waitMs: 0 };
  const run = () => runIndex(job);
  let total = 0;
  let hits = 0;
  let wrong = 0;
  let seq = 0;
  let before = await folderVersion(root);
  for (const [number, commit] of commits.entries()) {
    git("checkout", "-q", "-f", commit, "--", ".");
    const listed = new Set(git("ls-tree", "-r", "-z", "--name-only", commit).split("\0"));
    for (const path of before.keys()) if (!listed.has(path)) rmSync(join(root, path));
    await run();
    const paths = await indexedPaths(backend);
    const now = await folderVersion(root, (path) => paths.has(path));
    const reader = await backend.reader(authorized("replay"));
    const changes = (await reader?.changeLog.after(seq, 100_000, [1])) ?? [];
    seq = changes.at(-1)?.seq ?? seq;
    if (number > 0) {
      total += changes.length;
      const problems = [...problemsOf(before, now, changes), ...wrongHits(before, now, changes)];
      hits += changes.reduce((sum, change) => sum + countOf(change), 0);
      wrong += problems.length;
      for (const problem of problems) console.log(`${commit.slice(0, 9)} ${problem}`);
    }
    before = now;
  }
  console.log(`${commits.length - 1} commits, ${total} changes, ${hits} hits, ${wrong} wrong`);
  registry.close();
  backend.close();
}

async function indexedPaths(backend: EmbeddedBackend): Promise<ReadonlySet<string>> {
  const reader = await backend.reader(authorized("replay"));
  const tree = await reader?.fileTree();
  const paths = new Set<string>();
  const add = (folder: string): void => {
    const prefix = folder === "" ? "" : `${folder}/`;
    for (const name of tree?.filesIn(folder) ?? []) paths.add(`${prefix}${name}`);
    for (const name of tree?.foldersIn(folder) ?? []) add(`${prefix}${name}`);
  };
  add("");
  const skipped = (await reader?.skippedFiles(1_000_000)) ?? [];
  for (const { path } of skipped) paths.delete(path);
  return paths;
}

function wrongHits(
  before: FolderVersion,
  now: FolderVersion,
  changes: readonly ChangeEvent[],
): readonly string[] {
  const expression = new RegExp(PATTERN);
  return changes.flatMap((change) => {
    const { path, oldPath } = change;
    const lines = newLines(before.get(oldPath ?? path)?.text ?? "", now.get(path)?.text ?? "");
    const wanted = lines.filter(({ text }) => expression.test(text)).length;
    const found = countOf(change);
    return found === wanted ? [] : [`${path}: ${found} hits, expected ${wanted}`];
  });
}

function countOf({ hits: [hit] }: ChangeEvent): number {
  return hit === undefined ? 0 : Number(Object(hit.detail)["count"]);
}
