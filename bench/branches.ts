// node bench/branches.ts REPOSITORY [--back 40] [--switches 100] [--questions 400] [--folder DIR]: measures the cost of
// a branch switch in place. A worktree of the repository is switched between HEAD and the commit that is `--back`
// merges older:
// the first switch reads the files that differ, the others find them in the index. Then it is switched at random between
// five commits, and every fifth run is killed. The answers to random questions are checked against the files, and
// answers that seem wrong are checked against a fresh index. Exit code 1 for an answer of another branch, or an index
// that differs from a fresh one. Adds a worktree to the repository, and removes it again.
import { spawn, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

import { localOwner } from "../src/sources/principal.ts";
import { seededRandom } from "./quality/random.ts";
import { timed } from "./timed-child.ts";
import { bytesIn } from "./worktrees/bytes-in.ts";
import { engineIn } from "./worktrees/engine-in.ts";
import { askRandomly } from "./worktrees/questions.ts";
import { homesIn, SVC, type Environment } from "./workspace.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    back: { type: "string", default: "40" },
    switches: { type: "string", default: "100" },
    questions: { type: "string", default: "400" },
    folder: { type: "string", default: tmpdir() },
  },
});
const [repository] = positionals;
if (repository === undefined) {
  throw new Error("usage: node bench/branches.ts REPOSITORY [--back N] [--switches N]");
}
/** A younger file may change again with the same time stamps, and is read again: see MIN_STABLE_AGE_MS. */
const SETTLE_MS = 2500;
const KILL_EVERY = 5;

const svc = process.env["SVC_BIN"] ?? SVC;
const top = resolve(repository);
const place = realpathSync(mkdtempSync(join(values.folder, "svc-branches-")));
const tree = join(place, "tree");
const nextHome = homesIn(place);
const env = nextHome();
const random = seededRandom("branches");
const rows: Record<string, number | string>[] = [];
let isWrong = false;

function git(folder: string, ...args: readonly string[]): string {
  const options = { encoding: "utf8", maxBuffer: 1 << 28 } as const;
  return execFileSync("git", ["-C", folder, ...args], options).trim();
}

const INDEX = [svc, "index", tree, "--namespace", "tree"] as const;

/** Switches the branch, indexes it, and records the cost. Returns the processor time in milliseconds. */
async function indexed(commit: string, what: string, home = env): Promise<number> {
  git(tree, "checkout", "-q", "-f", commit);
  await delay(SETTLE_MS);
  const { wallMs, cpuMs } = await timed(INDEX, { env: home });
  rows.push({
    what,
    s: Number((wallMs / 1000).toFixed(2)),
    "processor s": Number((cpuMs / 1000).toFixed(2)),
    "MB of the index": Number((bytesIn(home["SERVICE_HOME"] ?? "") / 1e6).toFixed(1)),
  });
  console.error(rows.at(-1));
  return cpuMs;
}

async function measure(now: string, before: string): Promise<void> {
  const whole = await indexed(now, "first index");
  const first = await indexed(before, "first switch");
  const switches = [
    await indexed(now, "switch back"),
    await indexed(before, "switch again"),
    await indexed(now, "and back"),
  ];
  const mean = switches.reduce((sum, ms) => sum + ms, 0) / switches.length;
  console.log(git(tree, "diff", "--shortstat", before, now));
  console.log(
    `later switches take ${(mean / first).toFixed(2)} of the processor time of the first,`,
  );
  console.log(`and ${(mean / whole).toFixed(3)} of that of a fresh index.`);
}

/** Indexes the tree and, if a time is given, kills the run after that time. Returns whether it was killed. */
async function isKilled(waitMs: number): Promise<boolean> {
  const [program, ...args] = INDEX;
  const child = spawn(program, args, { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const isEnded = await Promise.race([ended.then(() => true), delay(waitMs, false)]);
  if (!isEnded) child.kill("SIGKILL");
  await ended;
  return !isEnded;
}

async function switchAtRandom(commits: readonly string[]): Promise<void> {
  const count = Number(values.switches);
  let killed = 0;
  for (let at = 0; at < count; at += 1) {
    git(tree, "checkout", "-q", "-f", commits[Math.floor(random() * commits.length)] ?? "HEAD");
    const waitMs = at % KILL_EVERY === 0 ? 100 + random() * 900 : 600_000;
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    if (await isKilled(waitMs)) killed += 1;
  }
  await indexed(git(tree, "rev-parse", "HEAD"), `after ${count} switches, ${killed} killed runs`);
  const fresh = nextHome();
  await indexed(git(tree, "rev-parse", "HEAD"), "fresh index of the same", fresh);
  const [own, other] = [env, fresh].map(totalsOf);
  console.log(`totals: ${own ?? ""}, fresh: ${other ?? ""}`);
  console.log(String(execFileSync(svc, ["index", "--verify", tree], { env })).trim());
  isWrong ||= own !== other;
  await ask(fresh, commits);
}

function totalsOf(home: Environment): string {
  const output = execFileSync(svc, ["status", "--namespace", "tree", "--json"], { env: home });
  const { namespaces }: { namespaces: Record<string, unknown>[] } = JSON.parse(String(output));
  const { files, chunks, symbols, bytes, skipped } = namespaces[0] ?? {};
  return JSON.stringify({ files, chunks, symbols, bytes, skipped });
}

async function ask(fresh: Environment, commits: readonly string[]): Promise<void> {
  const [one = "HEAD", other = "HEAD"] = [commits[0], commits.at(-1)];
  const changed = git(tree, "diff", "--name-only", one, other).split("\n");
  const paths = git(tree, "ls-files").split("\n");
  const engines = [env, fresh].map((home) => engineIn(home, place));
  const [engine, freshEngine] = engines;
  if (engine === undefined || freshEngine === undefined) return;
  try {
    const { asked, doubtful } = await askRandomly(
      {
        engine,
        principal: localOwner(),
        trees: [{ namespace: "tree", folder: tree }],
        paths: paths.filter(isText),
        changed: changed.filter(isText),
        random,
      },
      Number(values.questions),
    );
    const wrong: string[] = [];
    for (const { problems, isSameIn } of doubtful) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      if (!(await isSameIn(freshEngine))) wrong.push(...problems);
    }
    console.log(`questions ${JSON.stringify(asked)}: ${wrong.length} wrong answers`);
    for (const problem of wrong.slice(0, 10)) console.log(`  ${problem}`);
    isWrong ||= wrong.length > 0;
  } finally {
    await Promise.all(engines.map((each) => each.close()));
  }
}

function isText(path: string): boolean {
  return /\.(?:c|h|java|kt|py|ts|js|go|rs|md|rst|txt)$/.test(path);
}

try {
  const now = git(top, "rev-parse", "HEAD");
  const history = git(
    top,
    "rev-list",
    "--first-parent",
    "-n",
    String(Number(values.back) + 1),
    now,
  );
  const commits = history.split("\n");
  git(top, "worktree", "add", "-q", "--detach", tree, now);
  await measure(now, commits.at(-1) ?? now);
  const five = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => commits[Math.round(share * (commits.length - 1))] ?? now,
  );
  if (Number(values.switches) > 0) await switchAtRandom(five);
  console.table(rows);
} finally {
  git(top, "worktree", "remove", "--force", tree);
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
