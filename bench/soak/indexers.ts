// Programs that repeatedly index the same project; some of them are killed meanwhile.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

import { lockHolderPid } from "../../src/base/lock-holder.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { generationsIn } from "../freshness/server.ts";
import { dataDirectoryOf, SVC, type Environment } from "../workspace.ts";

/** One run in this many is killed while it holds the lock; the next one must get the lock. */
const KILL_EVERY = 3;

interface RunRecord {
  runs: number;
  kills: number;
  readonly published: number[];
  readonly errors: string[];
}

export async function indexAgainAndAgain(
  root: string,
  env: Environment,
  { isOver, scene }: { readonly isOver: () => boolean; readonly scene: RunRecord },
): Promise<void> {
  for (let run = 1; !isOver(); run += 1) {
    scene.runs += 1;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await indexOnce(root, env, { isKilled: run % KILL_EVERY === 1, scene });
    // oxlint-disable-next-line no-await-in-loop -- as above
    await wait(200 + Math.random() * 800);
  }
}

async function indexOnce(
  root: string,
  env: Environment,
  { isKilled, scene }: { readonly isKilled: boolean; readonly scene: RunRecord },
): Promise<void> {
  const child = spawn(SVC, ["index", "--json", root], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (more: string) => (out += more));
  child.stderr.setEncoding("utf8").on("data", (more: string) => (err += more));
  const closed = once(child, "close");
  if (isKilled && (await killInside(child, writerLockOf(env)))) scene.kills += 1;
  await closed;
  if (child.signalCode === "SIGKILL") return;
  if (child.exitCode !== 0) scene.errors.push(`svc index ended with ${child.exitCode}: ${err}`);
  else scene.published.push(...generationsIn(out));
}

/** Kills it as soon as it holds the lock; false when it has ended before. */
async function killInside(child: ChildProcess, lock: string): Promise<boolean> {
  while (child.exitCode === null) {
    if (lockHolderPid(lock) === child.pid) return child.kill("SIGKILL");
    // oxlint-disable-next-line no-await-in-loop -- until it holds the lock, or has ended
    await wait(1);
  }
  return false;
}

function writerLockOf(env: Environment): string {
  return indexLayout(dataDirectoryOf(env), "project").writerLock;
}
