// node bench/from-server.ts REPOSITORY [--questions 2000] [--behind 60] [--folder DIR]: measures the cost of a clone's
// first index that starts from the index of `svc serve`, compared with one built from the files. It also measures a
// fetch and a run after the server's index and the clone have moved on by `--behind` commits, compared with a run
// without a fetch. It asks random questions about two clones that differ in 1 % of their files, and compares the
// answers with those of a fresh index. Exit code 1 for an answer from another tree.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

import { localOwner } from "../src/sources/principal.ts";
import { seededRandom } from "./quality/random.ts";
import { HttpServer } from "./soak/http-server.ts";
import { runningCpuMs, timed } from "./timed-child.ts";
import { bytesIn } from "./worktrees/bytes-in.ts";
import { engineIn } from "./worktrees/engine-in.ts";
import { markFiles } from "./worktrees/mark-files.ts";
import { askRandomly } from "./worktrees/questions.ts";
import { sameAnswers } from "./worktrees/same-answers.ts";
import { openFresh, wrongAnswers } from "./worktrees/wrong-answers.ts";
import { dataDirectoryOf, homesIn, SVC, withToken, type Environment } from "./workspace.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: "string", default: "2000" },
    behind: { type: "string", default: "60" },
    folder: { type: "string", default: tmpdir() },
  },
});
const [repository] = positionals;
if (repository === undefined) {
  throw new Error("usage: node bench/from-server.ts REPOSITORY [--questions N] [--behind N]");
}
const CHANGED_SHARE = 0.01;
/** A younger file may change again with the same time stamps, and is read again: see MIN_STABLE_AGE_MS. */
const SETTLE_MS = 2500;
/** No such server exists: only the name of the repository matters. */
const ORIGIN = "https://code.example.org/team/project.git";

const place = realpathSync(mkdtempSync(join(values.folder, "svc-from-server-")));
const newEnv = homesIn(place);
const random = seededRandom("from-server");
const rows: Record<string, number | string>[] = [];
let isWrong = false;

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
}

function clone(name: string, commit: string): string {
  const folder = join(place, name);
  execFileSync("git", ["clone", "-q", "--no-checkout", resolve(repository ?? ""), folder]);
  git(folder, "checkout", "-q", "--detach", commit);
  git(folder, "remote", "set-url", "origin", ORIGIN);
  return folder;
}

/** Indexes a folder and notes what it costs this machine, and the server. */
async function indexed(
  what: string,
  folder: string,
  { env, from }: { readonly env: Environment; readonly from?: HttpServer },
): Promise<void> {
  const namespace = folder.slice(place.length + 1);
  const before = bytesIn(dataDirectoryOf(env));
  const received = receivedBytes();
  const server = from && (runningCpuMs(from.pid) ?? 0);
  const remote = from === undefined ? [] : ["--from-remote", from.url];
  const usage = await timed([SVC, "index", folder, "--namespace", namespace, ...remote], { env });
  rows.push({
    what,
    "processor s": Number((usage.cpuMs / 1000).toFixed(2)),
    s: Number((usage.wallMs / 1000).toFixed(2)),
    "server's s": server === undefined ? 0 : ((runningCpuMs(from?.pid ?? 0) ?? 0) - server) / 1000,
    "MB received": from === undefined ? 0 : megabytes(receivedBytes() - received),
    "MB more on disk": megabytes(bytesIn(dataDirectoryOf(env)) - before),
  });
  console.error(rows.at(-1));
}

function megabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1));
}

/** Bytes received over the loopback device, including packet headers; 0 if /proc does not count them. */
function receivedBytes(): number {
  try {
    const lines = execFileSync("cat", ["/proc/net/dev"], { encoding: "utf8" });
    return Number(/^\s*lo:\s*(?<bytes>\d+)/m.exec(lines)?.groups?.["bytes"] ?? 0);
  } catch {
    return 0;
  }
}

async function measure(): Promise<void> {
  const [newest = "", older = ""] = [`HEAD`, `HEAD~${values.behind}`].map((name) =>
    git(resolve(repository ?? ""), "rev-parse", name).trim(),
  );
  const served = clone("served", older);
  const [serverEnv, env, plainEnv] = [withToken(newEnv()), newEnv(), newEnv()];
  const laptopEnv = { ...env, SERVICE_TOKEN: serverEnv["SERVICE_TOKEN"] ?? "" };
  for (const one of [env, plainEnv]) execFileSync(SVC, ["status"], { env: one });
  execFileSync(SVC, ["index", served, "--namespace", "served"], { env: serverEnv });
  const server = await HttpServer.start(served, serverEnv, ["--share-indexes"]);
  try {
    const texts = git(served, "ls-files")
      .split("\n")
      .filter((path) => /\.(?:c|h|java|kt|py|ts|js|go|rs|md|rst|txt)$/.test(path));
    const changed = texts.filter(() => random() < CHANGED_SHARE);
    const [laptop, other] = [clone("laptop", older), clone("other", older)];
    const edit = (): void => {
      markFiles(laptop, changed, "laptopmark");
      markFiles(other, changed, "othermark");
    };
    edit();
    await delay(SETTLE_MS);
    await indexed("first index, of the files", laptop, { env: plainEnv });
    await indexed("first index, from the server", laptop, { env: laptopEnv, from: server });
    await indexed("again, nothing changed", laptop, { env: laptopEnv, from: server });
    await indexed("another clone, which starts from that", other, { env: laptopEnv });
    const differ = git(served, "diff", "--name-only", older, newest).trim().split("\n").length;
    for (const folder of [served, laptop, other]) git(folder, "checkout", "-q", "-f", newest);
    edit();
    await delay(SETTLE_MS);
    await untilIndexed(served, serverEnv);
    const pulled = `after ${values.behind} commits, ${differ} files`;
    await indexed(`${pulled}, of the files`, laptop, { env: plainEnv });
    await indexed(`${pulled}, from the server`, laptop, { env: laptopEnv, from: server });
    await indexed(`${pulled}, the other clone`, other, { env: laptopEnv });
    const paths = texts.filter((path) => git(laptop, "ls-files", "--", path) !== "");
    await ask(
      env,
      { laptop, other },
      paths,
      changed.filter((path) => paths.includes(path)),
    );
  } finally {
    await server.close();
  }
}

/** The server sees the change as well, and one of the two processes writes. */
async function untilIndexed(folder: string, env: Environment): Promise<void> {
  for (let left = 20; ; left -= 1) {
    try {
      execFileSync(SVC, ["index", folder, "--namespace", "served"], { env });
      return;
    } catch (thrown) {
      if (left === 0) throw thrown;
      // oxlint-disable-next-line no-await-in-loop -- until the other is done
      await delay(SETTLE_MS);
    }
  }
}

async function ask(
  env: Environment,
  folders: { readonly laptop: string; readonly other: string },
  paths: readonly string[],
  changed: readonly string[],
): Promise<void> {
  const engine = engineIn(env, place);
  const trees = Object.entries(folders).map(([namespace, folder]) => ({ namespace, folder }));
  const envs = new Map<number, Environment>();
  const freshEnv = (at: number): Environment => {
    const folder = join(place, `fresh-${at}`);
    if (!envs.has(at)) mkdirSync(folder);
    const found = envs.get(at) ?? homesIn(folder)();
    envs.set(at, found);
    return found;
  };
  const fresh = { svc: SVC, trees, freshEnv, place };
  const principal = localOwner();
  try {
    const count = Number(values.questions);
    const { asked, doubtful } = await askRandomly(
      { engine, principal, trees, paths, changed, random },
      count,
    );
    const wrong = await wrongAnswers(doubtful, fresh);
    console.log(`${count} questions ${JSON.stringify(asked)}: ${wrong.length} wrong answers`);
    for (const one of wrong.slice(0, 10)) console.log(`  ${one}`);
    isWrong ||= wrong.length > 0;
    const [freshEngine, ...rest] = openFresh({ ...fresh, trees: trees.slice(0, 1) });
    if (freshEngine === undefined) throw new Error("no fresh index");
    const { laptop: folder } = folders;
    const same = await sameAnswers(
      { engines: [engine, freshEngine], principal, namespace: "laptop", folder, paths, random },
      Math.round(count / 4),
    );
    console.log(`the same answers as a fresh index: ${JSON.stringify(same)}`);
    await Promise.all([freshEngine, ...rest].map((one) => one.close()));
  } finally {
    await engine.close();
  }
}

try {
  await measure();
  console.table(rows);
} finally {
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
