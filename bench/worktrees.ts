// node bench/worktrees.ts REPOSITORY [--questions 10000] [--switches 200] [--folder DIR]: measures the cost of the
// second and third worktree of a repository, compared with the first index and with `git worktree add`. It asks random
// questions about three worktrees that differ in 1 % of their files, and compares a fresh index with one after
// `--switches` branch switches, every fifth of which ends with a killed run. Adds worktrees to the repository, and
// removes them again. Exit code 1 for an answer from another tree. It needs three times the space of the files.
import { spawn, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

import { localOwner } from "../src/sources/principal.ts";
import { seededRandom } from "./quality/random.ts";
import { timed, type Usage } from "./timed-child.ts";
import { bytesIn } from "./worktrees/bytes-in.ts";
import { engineIn } from "./worktrees/engine-in.ts";
import { markFiles } from "./worktrees/mark-files.ts";
import { askRandomly } from "./worktrees/questions.ts";
import { wrongAnswers } from "./worktrees/wrong-answers.ts";
import { homesIn, SVC, type Environment } from "./workspace.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: "string", default: "10000" },
    switches: { type: "string", default: "200" },
    folder: { type: "string", default: tmpdir() },
  },
});
const [repository] = positionals;
if (repository === undefined) {
  throw new Error("usage: node bench/worktrees.ts REPOSITORY [--questions N] [--switches N]");
}
const CHANGED_SHARE = 0.01;
/** A younger file may change again with the same time stamps, and is read again: see MIN_STABLE_AGE_MS. */
const SETTLE_MS = 2500;
const NAMES = ["first", "second", "third"] as const;

const svc = process.env["SVC_BIN"] ?? SVC;
const top = resolve(repository);
const place = realpathSync(mkdtempSync(join(values.folder, "svc-worktrees-")));
const env = homesIn(place)();
const data = env["SERVICE_HOME"] ?? "";
const random = seededRandom("worktrees");
const rows: Record<string, number | string>[] = [];
const added: string[] = [];
let isWrong = false;

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
}

function row(what: string, { wallMs, cpuMs }: Usage, bytes: number): void {
  rows.push({
    what,
    s: Number((wallMs / 1000).toFixed(2)),
    "processor s": Number((cpuMs / 1000).toFixed(2)),
    MB: Number((bytes / 1e6).toFixed(1)),
  });
  console.error(rows.at(-1));
}

async function addWorktree(name: string): Promise<string> {
  const folder = join(place, name);
  added.push(folder);
  const command = ["git", "-C", top, "worktree", "add", "-q", "--detach", folder];
  const usage = await timed(command, { env });
  if (name === "second") row("git worktree add", usage, bytesIn(folder));
  return folder;
}

/** Indexes a folder and records the cost. */
async function indexed(name: string, folder: string, what: string): Promise<void> {
  const before = bytesIn(data);
  const usage = await timed([svc, "index", folder, "--namespace", name], { env });
  row(what, usage, bytesIn(data) - before);
}

async function measure(): Promise<void> {
  // The data folder must exist to be measured.
  execFileSync(svc, ["status"], { env });
  const first = await addWorktree("first");
  await delay(SETTLE_MS);
  await indexed("first", first, "first index");
  const second = await addWorktree("second");
  await delay(SETTLE_MS);
  await indexed("second", second, "second worktree, the same");
  const tracked = git(first, "ls-files").split("\n");
  const texts = tracked.filter((path) => /\.(?:c|h|java|kt|py|ts|js|go|rs|md|rst|txt)$/.test(path));
  const changed = texts.filter(() => random() < CHANGED_SHARE);
  const third = await addWorktree("third");
  markFiles(third, changed, "thirdmark");
  await delay(SETTLE_MS);
  await indexed("third", third, `third worktree, ${changed.length} files differ`);
  markFiles(first, changed, "firstmark");
  markFiles(second, changed, "secondmark");
  await delay(SETTLE_MS);
  await indexed("first", first, "first again, these differ");
  await indexed("second", second, "second again, these differ");
  await ask([first, second, third], texts, changed);
  await switchBranches(second);
  const beforeRemoval = bytesIn(data);
  for (const name of ["first", "third", "second"]) {
    execFileSync(svc, ["namespaces", "remove", name, "--yes"], { env });
  }
  console.log(`${(beforeRemoval / 1e6).toFixed(1)} MB before the removal of all namespaces,`);
  console.log(`${(bytesIn(data) / 1e6).toFixed(1)} MB after it.`);
}

async function ask(
  folders: readonly string[],
  paths: readonly string[],
  changed: readonly string[],
): Promise<void> {
  const engine = engineIn(env, place);
  try {
    const trees = folders.map((folder, at) => ({ folder, namespace: NAMES[at] ?? "" }));
    const count = Number(values.questions);
    const { asked, doubtful } = await askRandomly(
      { engine, principal: localOwner(), trees, paths, changed, random },
      count,
    );
    const wrong = await wrongAnswers(doubtful, { svc, trees, freshEnv, place });
    console.log(`${count} questions ${JSON.stringify(asked)}: ${wrong.length} wrong answers`);
    console.log(`  ${doubtful.length} show a line in another form, as a fresh index does`);
    for (const one of wrong.slice(0, 10)) console.log(`  ${one}`);
    isWrong ||= wrong.length > 0;
  } finally {
    await engine.close();
  }
}

const freshEnvs = new Map<number, Environment>();

/** An environment in which only one tree is indexed. */
function freshEnv(at: number): Environment {
  const folder = join(place, `fresh-${at}`);
  if (!freshEnvs.has(at)) mkdirSync(folder);
  const found = freshEnvs.get(at) ?? homesIn(folder)();
  freshEnvs.set(at, found);
  return found;
}

/** Switches between the newest commits in place, then compares the index with a fresh one. */
async function switchBranches(folder: string): Promise<void> {
  const count = Number(values.switches);
  if (count === 0) return;
  git(folder, "checkout", "-q", "-f", "HEAD");
  git(folder, "checkout", "-q", "-f", "--", ".");
  const commits = git(folder, "rev-list", "--first-parent", "-n", "12", "HEAD").trim().split("\n");
  let killed = 0;
  for (let at = 0; at < count; at += 1) {
    git(folder, "checkout", "-q", "-f", commits[Math.floor(random() * commits.length)] ?? "HEAD");
    const child = spawn(svc, ["index", folder], { env, stdio: "ignore" });
    const ended = once(child, "exit");
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    if (
      at % 5 === 0 &&
      !(await Promise.race([ended.then(() => true), delay(random() * 600, false)]))
    ) {
      child.kill("SIGKILL");
      killed += 1;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    await ended;
  }
  execFileSync(svc, ["index", folder], { env });
  const other = homesIn(join(place, "home-1"))();
  execFileSync(svc, ["index", folder, "--namespace", "second"], { env: other });
  const [own, fresh] = [env, other].map((home) => {
    const output = execFileSync(svc, ["status", "--namespace", "second", "--json"], { env: home });
    const { namespaces }: { namespaces: Record<string, unknown>[] } = JSON.parse(String(output));
    const { files, chunks, symbols, bytes, skipped } = namespaces[0] ?? {};
    return JSON.stringify({ files, chunks, symbols, bytes, skipped });
  });
  const verified = String(execFileSync(svc, ["index", "--verify", folder], { env })).trim();
  console.log(`${count} switches of the branch, ${killed} killed runs: ${verified}`);
  console.log(`  ${own ?? ""}\n  ${fresh ?? ""} (fresh)`);
  isWrong ||= own !== fresh;
}

try {
  await measure();
  console.table(rows);
} finally {
  for (const folder of added) git(top, "worktree", "remove", "--force", folder);
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
