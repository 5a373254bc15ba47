// node bench/soak.ts [--minutes 10] [--servers 8]: several processes on one data directory, random edits, kills of the
// one that watches, and searches that are checked against the files. Ends with 1 for a wrong answer or an error.
import { spawn, type ChildProcess } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";

import { makeProject, pathOf, textOf, wordOf } from "./freshness/project.ts";
import { Server, until } from "./freshness/server.ts";
import { homesIn, runSvc, SVC, withToken, type Environment } from "./workspace.ts";

const FILES = 600;
/** Answers that lag longer than that behind the files are wrong. */
const LAG_MS = 20_000;
const KILL_EVERY_MS = 10_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    servers: { type: "string", default: "8" },
  },
});

const wrong: string[] = [];
const errors: string[] = [];
const takeOvers: number[] = [];
const counts = { edits: 0, checks: 0, runs: 0, kills: 0 };

function pick<T>(from: readonly T[]): T {
  const one = from[Math.floor(Math.random() * from.length)];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Some edit of a person or a program. */
function edit(root: string, version: number): void {
  counts.edits += 1;
  const path = join(root, pathOf(Math.floor(Math.random() * FILES)));
  const text = textOf(Math.floor(Math.random() * FILES), version);
  const folder = join(path, "..");
  try {
    switch (Math.floor(Math.random() * 6)) {
      case 0:
        rmSync(path);
        break;
      case 1:
        writeFileSync(`${path}.tmp~`, text);
        renameSync(`${path}.tmp~`, path);
        break;
      case 2:
        renameSync(folder, `${folder}x`);
        renameSync(`${folder}x`, folder);
        break;
      case 3:
        mkdirSync(join(folder, `new${version}`), { recursive: true });
        writeFileSync(join(folder, `new${version}`, "more.ts"), text);
        break;
      case 4:
        rmSync(join(folder, pick(readdirSync(folder))), { recursive: true });
        break;
      default:
        writeFileSync(path, text);
    }
  } catch {
    // What it was about is not there now.
  }
}

/** What a search must find: read from the files themselves. */
function filesWith(root: string, text: string): string {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  const found = paths.filter((entry) => {
    try {
      return readFileSync(join(entry.parentPath, entry.name), "utf8").includes(text);
    } catch {
      return false;
    }
  });
  return found
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
    .join(" ");
}

/** A file that nobody else touches is saved, and another server must find it, and no other. */
async function check(root: string, servers: readonly Server[], round: number): Promise<void> {
  counts.checks += 1;
  const word = `zqsoak${round}zq`;
  const path = join(root, "checked", `c${round % 40}.ts`);
  writeFileSync(path, `export const ${word} = 1;\n`);
  const wanted = filesWith(root, word);
  const asked = pick(servers);
  let latest = "";
  try {
    await until(
      async () => {
        latest = (await asked.filesWith(word)).join(" ");
        return latest === wanted;
      },
      { withinMs: LAG_MS, everyMs: 20 },
    );
  } catch (thrown) {
    // One that was killed meanwhile owes no answer.
    if (!servers.includes(asked)) return;
    const text = String(thrown);
    if (/did not hold/.test(text)) wrong.push(`${word}: "${latest}" instead of "${wanted}"`);
    else errors.push(text);
  }
}

/** What runs: the servers over standard input, and the one over HTTP. */
interface Scene {
  readonly root: string;
  readonly env: Environment;
  readonly servers: Server[];
  serving: ChildProcess;
}

function startServing(root: string, env: Environment): ChildProcess {
  return spawn(SVC, ["serve", "--port", "0", "--root", root], {
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
}

async function killLeader(scene: Scene): Promise<void> {
  const { root, env, servers } = scene;
  const pid = (await pick(servers).freshness())?.pid;
  const at = servers.findIndex((server) => server.pid === pid);
  const [leader] = at === -1 ? [] : servers.splice(at, 1);
  if (leader === undefined && scene.serving.pid !== pid) return;
  counts.kills += 1;
  errors.push(...(leader?.warnings ?? []));
  // Its last requests fail, and nobody waits for them.
  if (leader === undefined) scene.serving.kill("SIGKILL");
  else await leader.kill();
  const from = performance.now();
  const isTaken = async (): Promise<boolean> => {
    const now = await pick(servers).freshness();
    return now?.pid !== null && now?.pid !== pid;
  };
  try {
    await until(isTaken, { withinMs: LAG_MS, everyMs: 10 });
    takeOvers.push(performance.now() - from);
  } catch {
    wrong.push("nobody has taken over");
  }
  if (leader === undefined) {
    scene.serving = startServing(root, env);
    return;
  }
  const next = await Server.start(root, env);
  await next.filesWith("ledger");
  servers.push(next);
}

/** Runs `svc index` again and again until `isOver`. */
async function indexAgainAndAgain(
  root: string,
  env: Environment,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    counts.runs += 1;
    const child = spawn(SVC, ["index", root], { env, stdio: ["ignore", "ignore", "pipe"] });
    const problem = await ended(child);
    if (problem !== undefined) errors.push(problem);
    await wait(500 + Math.random() * 1500);
  }
}

function ended(child: ChildProcess): Promise<string | undefined> {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (more: string) => (text += more));
  return new Promise((resolve) => {
    child.once("close", (code) => resolve(code === 0 ? undefined : `ended with ${code}: ${text}`));
  });
}

async function main(minutes: number, serverCount: number): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-soak-")));
  const root = join(base, "project");
  mkdirSync(join(root, "checked"), { recursive: true });
  makeProject(root, FILES);
  const env = withToken(homesIn(base)());
  runSvc(["index", root], env);
  const servers: Server[] = [];
  const scene: Scene = { root, env, servers, serving: startServing(root, env) };
  const end = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() > end;
  try {
    for (let at = 0; at < serverCount; at += 1) {
      const server = await Server.start(root, env);
      await server.filesWith("ledger");
      servers.push(server);
    }
    const editing = (async () => {
      for (let version = 1; !isOver(); version += 1) {
        edit(root, version);
        await wait(Math.random() * 60);
      }
    })();
    const killing = (async () => {
      while (!isOver()) {
        await wait(KILL_EVERY_MS);
        await killLeader(scene);
      }
    })();
    const indexing = [0, 1].map(() => indexAgainAndAgain(root, env, isOver));
    for (let round = 0; !isOver(); round += 1) {
      await check(root, servers, round);
      await wait(50);
    }
    await Promise.all([editing, killing, ...indexing]);
    const texts = Array.from({ length: 30 }, (_, at) => `the ${wordOf(at * 19)} of`);
    for (const server of servers) {
      const isRight = async (): Promise<boolean> => {
        const found = await Promise.all(texts.map((text) => server.filesWith(text)));
        return found.every((paths, at) => paths.join(" ") === filesWith(root, texts[at] ?? ""));
      };
      await until(isRight, { withinMs: LAG_MS, everyMs: 200 }).catch(() =>
        wrong.push("at the end a server does not find what is there"),
      );
      errors.push(...server.warnings);
    }
    const served = ended(scene.serving);
    scene.serving.kill("SIGTERM");
    const problem = await served;
    if (problem !== undefined) errors.push(problem);
  } finally {
    scene.serving.kill("SIGKILL");
    for (const server of servers) await server.kill();
    rmSync(base, { recursive: true, force: true });
  }
}

await main(Number(values.minutes), Number(values.servers));
const sorted = takeOvers.map(Math.round).toSorted((one, other) => one - other);
console.log(
  JSON.stringify({ ...counts, wrong: wrong.length, errors: errors.length, takeOversMs: sorted }),
);
for (const line of [...wrong, ...errors].slice(0, 40)) console.error(line);
process.exitCode = wrong.length + errors.length === 0 ? 0 : 1;
