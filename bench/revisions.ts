// node bench/revisions.ts REPOSITORY [--back 10,100,1000] [--questions 300] [--folder DIR]: measures the cost of
// indexing a commit that is `--back` commits old, and checks whether answers about it match its checkout. Questions are
// random; each answer is checked against the files of a worktree of the commit, and answers that seem wrong against a
// fresh index of the worktree. Adds worktrees to the repository, and removes them again. Exit code 1 for an answer from
// another tree.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import type { Engine } from "../src/engine/api/engine.ts";
import { localOwner } from "../src/sources/principal.ts";
import { seededRandom } from "./quality/random.ts";
import { timed } from "./timed-child.ts";
import { bytesIn } from "./worktrees/bytes-in.ts";
import { engineIn } from "./worktrees/engine-in.ts";
import { askRandomly, type Questions } from "./worktrees/questions.ts";
import { homesIn, SVC } from "./workspace.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    back: { type: "string", default: "10,100,1000" },
    questions: { type: "string", default: "300" },
    folder: { type: "string", default: tmpdir() },
  },
});
const [repository] = positionals;
if (repository === undefined) {
  throw new Error("usage: node bench/revisions.ts REPOSITORY [--back N,N] [--questions N]");
}
const svc = process.env["SVC_BIN"] ?? SVC;
const top = resolve(repository);
const place = realpathSync(mkdtempSync(join(values.folder, "svc-revisions-")));
const env = homesIn(place)();
const data = env["SERVICE_HOME"] ?? "";
const now = join(place, "now");
const WHAT = "where are errors handled";
const added: string[] = [];
const rows: Record<string, number | string>[] = [];
let isWrong = false;

function git(...args: readonly string[]): string {
  const output = execFileSync("git", ["-C", top, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return output.trim();
}

function addWorktree(folder: string, commit: string): void {
  added.push(folder);
  git("worktree", "add", "-q", "--detach", folder, commit);
}

async function measured(what: string, args: readonly string[]): Promise<void> {
  const before = bytesIn(data);
  const { wallMs, cpuMs } = await timed([svc, ...args], { env });
  rows.push({
    what,
    s: Number((wallMs / 1000).toFixed(2)),
    "processor s": Number((cpuMs / 1000).toFixed(2)),
    MB: Number(((bytesIn(data) - before) / 1e6).toFixed(1)),
  });
}

/** The queries of an engine about one commit. */
function about(engine: Engine, at: string): Questions["engine"] {
  return {
    search: (request) => engine.search({ ...request, at }),
    searchText: (request) => engine.searchText({ ...request, at }),
    findSymbols: (request) => engine.findSymbols({ ...request, at }),
    references: (request) => engine.references({ ...request, at }),
  };
}

async function compare(back: string): Promise<void> {
  const commit = git("rev-parse", `HEAD~${back}`);
  const question = ["search", WHAT, now, "--at", commit, "--json"];
  const changed = git("diff", "--name-only", commit, "HEAD")
    .split("\n")
    .filter((path) => path !== "");
  await measured(`${back} commits back, ${changed.length} files differ`, question);
  await measured("  again", question);
  const tree = join(place, `back-${back}`);
  addWorktree(tree, commit);
  const fresh = join(place, `fresh-${back}`);
  mkdirSync(fresh);
  const freshEnv = homesIn(fresh)();
  execFileSync(svc, ["index", tree, "--namespace", "now"], { env: freshEnv });
  const [engine, truth] = [engineIn(env, place), engineIn(freshEnv, place)];
  try {
    const paths = git("ls-tree", "-r", "--name-only", commit)
      .split("\n")
      .filter((path) => /\.(?:c|h|java|kt|py|ts|js|go|rs|md|rst|txt)$/.test(path));
    const { asked, doubtful } = await askRandomly(
      {
        engine: about(engine, commit),
        principal: localOwner(),
        trees: [{ namespace: "now", folder: tree }],
        paths,
        changed: paths.filter((path) => changed.includes(path)),
        random: seededRandom(`revisions ${back}`),
      },
      Number(values.questions),
    );
    const wrong: string[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    for (const one of doubtful) if (!(await one.isSameIn(truth))) wrong.push(...one.problems);
    console.log(`${back} commits back: ${JSON.stringify(asked)}, ${wrong.length} wrong answers`);
    for (const one of wrong.slice(0, 10)) console.log(`  ${one}`);
    isWrong ||= wrong.length > 0;
  } finally {
    await engine.close();
    await truth.close();
  }
}

try {
  addWorktree(now, "HEAD");
  execFileSync(svc, ["status"], { env });
  await measured("first index", ["index", now, "--namespace", "now"]);
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const back of values.back.split(",")) await compare(back);
  console.table(rows);
} finally {
  for (const folder of added) git("worktree", "remove", "--force", folder);
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
