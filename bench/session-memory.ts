// node bench/session-memory.ts [--with SVC] [--minutes 0] FOLDER: measures the memory of `svc mcp` while it answers,
// with all tools, and after half a minute of rest; with --with, also that of another svc on its own index. --minutes:
// how long it continues with four edits and five questions per second, on a copy of the folder.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

import { inputsOf, type ToolInputs } from "./call-latency/inputs.ts";
import { call, greet, startServer, type Server } from "./growth/processes.ts";
import { openTree, type IndexedTree } from "./growth/tree.ts";
import { runningCpuMs } from "./timed-child.ts";
import { homesIn, runSvcAt, SVC } from "./workspace.ts";

const QUESTIONS = 200;
const CALLS_OF_OTHERS = 10;
/** Time after which svc limits its memory (`src/base/small-heap.ts`). */
const STARTED_MS = 6000;
const REST_MS = 35_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { with: { type: "string" }, minutes: { type: "string", default: "0" } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1)
  throw new Error("usage: node bench/session-memory.ts [--with SVC] [--minutes N] FOLDER");
const place = realpathSync(mkdtempSync(join(tmpdir(), "svc-session-memory-")));
try {
  const freshEnv = homesIn(place);
  const root = join(place, "tree");
  cpSync(resolve(folder), root, { recursive: true });
  for (const svc of values.with === undefined ? [SVC] : [SVC, resolve(values.with)]) {
    const env = { ...freshEnv(), SERVICE_PASSPHRASE: "correct horse battery staple" };
    runSvcAt(svc, ["index", root], env);
    const token = runSvcAt(svc, ["auth", "token", "create", "--name", "bench"], env).trim();
    const tree = await openTree({ name: folder, root, folder: place, freshEnv }, env);
    console.log(
      `${svc}\n${await session(svc, { ...tree, env: { ...env, SERVICE_TOKEN: token } })}`,
    );
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** One session: a line for each of its parts. */
async function session(svc: string, tree: IndexedTree): Promise<string> {
  const server = startServer(tree.root, tree.env, svc);
  const lines: string[] = [];
  const note = (part: string): void => void lines.push(`${part.padEnd(34)} ${memoryOf(server)}`);
  try {
    await greet(server);
    note("initialized");
    const kinds = inputsOf(tree, QUESTIONS);
    const questions = kinds.filter(({ tool }) => tool === "search_context");
    await ask(server, questions, 1);
    await wait(STARTED_MS);
    const before = runningCpuMs(server.pid) ?? NaN;
    await ask(server, questions, QUESTIONS);
    const cpuMs = ((runningCpuMs(server.pid) ?? NaN) - before) / QUESTIONS;
    note(`${QUESTIONS} questions, ${cpuMs.toFixed(1)} ms each`);
    await ask(server, kinds, CALLS_OF_OTHERS);
    note(`${CALLS_OF_OTHERS} calls of each tool`);
    const minutes = Number(values.minutes);
    if (minutes > 0) {
      await questionsAndEdits(server, tree, minutes * 60_000);
      note(`${minutes} minutes, questions and edits`);
    }
    await wait(REST_MS);
    note("35 s of rest");
  } finally {
    await server.kill();
  }
  return lines.join("\n");
}

/** The first `count` calls of each tool. */
async function ask(server: Server, kinds: readonly ToolInputs[], count: number): Promise<void> {
  for (const { tool, inputs } of kinds) {
    for (const input of inputs.slice(0, count)) {
      // The answer may report that there is nothing of that kind.
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as an agent asks
      await call(server, tool, input).catch(() => undefined);
    }
  }
}

/** Four edits and five questions a second. */
async function questionsAndEdits(server: Server, tree: IndexedTree, ms: number): Promise<void> {
  const [questions] = inputsOf(tree, 2000).filter(({ tool }) => tool === "search_context");
  const end = performance.now() + ms;
  for (let round = 0; performance.now() < end; round += 1) {
    const file = join(tree.root, tree.paths[(round * 37) % tree.paths.length] ?? "");
    /* oxlint-disable no-await-in-loop -- at a steady pace */
    if (round % 5 !== 4) writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
    const input = questions?.inputs[round % questions.inputs.length] ?? {};
    await call(server, "search_context", input).catch(() => undefined);
    await wait(200);
    /* oxlint-enable no-await-in-loop */
  }
}

/** Resident memory, the part that does not belong to the program file, and the peak. */
function memoryOf({ pid }: Server): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string): string => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
    return `${((Number(kilobytes) * 1024) / 1e6).toFixed(0)} MB`;
  };
  return `${megabytes("VmRSS")}, ${megabytes("RssAnon")} of it private; peak ${megabytes("VmHWM")}`;
}
