import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { svcProgram } from "./svc-program.ts";

interface IndexedFolder {
  readonly folder: string;
  readonly namespace: string;
  /** The data directory. */
  readonly data: string;
  readonly home: string;
}

/**
 * Runs `svc index`, and kills it after this time. Returns the duration in milliseconds; undefined if it was killed.
 */
export async function indexFor(
  waitMs: number,
  { folder, namespace, data, home }: IndexedFolder,
): Promise<number | undefined> {
  const [program, ...args] = svcProgram();
  const started = performance.now();
  const child = spawn(program, [...args, "index", folder, "--namespace", namespace], {
    env: { PATH: process.env["PATH"], HOME: home, SERVICE_HOME: data },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const isEnded = await Promise.race([ended.then(() => true), delay(waitMs, false)]);
  if (!isEnded) child.kill("SIGKILL");
  await ended;
  return isEnded ? performance.now() - started : undefined;
}
