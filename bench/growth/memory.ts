// The memory of a server after it has answered, and the peak memory of indexing.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { peakRssBytes } from "../timed-child.ts";
import { dataDirectoryOf, SVC } from "../workspace.ts";
import { comparedWith, figure, peer, type Figure } from "./figure.ts";
import { QUESTIONS } from "./generic-questions.ts";
import { call, greet, rest, startServer } from "./processes.ts";
import { hasWords } from "./progress.ts";
import type { Extent, IndexedTree } from "./tree.ts";

const LOOK_EVERY_MS = 10;
/** Reading the progress of the index costs more than reading the memory. */
const PROGRESS_EVERY_MS = 250;
const ASKED = 20;

export async function memory(tree: IndexedTree, extent: Extent): Promise<readonly Figure[]> {
  // Not the maximum that the kernel keeps: a fork inherits that of this process.
  const script = "process.memoryUsage.rss()";
  const node = spawnSync(process.execPath, ["-p", script], { encoding: "utf8" });
  const details = { unit: "MB", work: "nothing" } as const;
  const idle = figure("memory, server that has answered", megabytes(await idleBytes(tree)), {
    ...details,
    target: "100 MB",
  });
  const bare = peer("bare node", [Number(node.stdout) / 1e6], idle);
  const peak = figure("memory, first index, peak", megabytes(await indexingPeak(tree, extent)), {
    ...details,
    target: "600 MB",
  });
  return [comparedWith(idle, bare), bare, comparedWith(peak, bare)];
}

function megabytes(bytes: number | undefined): readonly number[] {
  return bytes === undefined ? [] : [bytes / 1e6];
}

async function idleBytes({ root, env }: IndexedTree): Promise<number | undefined> {
  const server = startServer(root, env);
  try {
    await greet(server);
    for (const query of QUESTIONS.slice(0, ASKED)) {
      await call(server, "search_context", { query, limit: 10 });
    }
    await rest(server.pid);
    return residentBytes(server.pid);
  } finally {
    await server.kill();
  }
}

function residentBytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

/** Peak memory of the executable, until its end or until searches find words. Undefined without /proc. */
async function indexingPeak(tree: IndexedTree, extent: Extent): Promise<number | undefined> {
  const env = tree.freshEnv();
  const child = spawn(SVC, ["index", tree.root], { env, stdio: "ignore" });
  const end = once(child, "close").then(() => true);
  let peak: number | undefined;
  let lookAt = performance.now() + PROGRESS_EVERY_MS;
  while (!(await Promise.race([end, wait(LOOK_EVERY_MS, false)]))) {
    peak = peakRssBytes(child.pid ?? 0) ?? peak;
    if (extent.hasSyntax || performance.now() < lookAt) continue;
    if (await hasWords(dataDirectoryOf(env), tree.root)) child.kill("SIGKILL");
    lookAt = performance.now() + PROGRESS_EVERY_MS;
  }
  return peak;
}
