// The limits that the system sets for this process. Below some of them V8 and SQLite end the process or fail in ways
// that name no cause, so that they are checked before anything is opened.
import { readFileSync } from "node:fs";

import { SvcError } from "./errors.ts";

interface Limit {
  /** As /proc/self/limits calls it. */
  readonly name: string;
  readonly min: number;
  readonly what: (value: number) => string;
  readonly hint: string;
}

const GIB = 1024 ** 3;

const LIMITS: readonly Limit[] = [
  {
    name: "Max open files",
    // An indexing run of a small project opens 40; the rest is for larger ones.
    min: 64,
    what: (value) => `svc may have only ${value} files open at a time, and needs at least 64.`,
    hint: "Raise the limit, for example with `ulimit -n 1024`.",
  },
  {
    name: "Max address space",
    // V8 and WebAssembly reserve addresses that they never use as memory.
    min: 4 * GIB,
    what: (value) =>
      `svc may use only ${(value / GIB).toFixed(1)} GiB of address space, and needs at least 4 GiB.`,
    hint: "Raise the limit with `ulimit -v unlimited`; to limit memory itself, use a container or a cgroup.",
  },
];

/** Throws INDEX_UNAVAILABLE where a limit of this process is too low for svc to work. Only Linux is asked. */
export function requireUsableLimits(): void {
  if (process.platform !== "linux") return;
  let table: string;
  try {
    table = readFileSync("/proc/self/limits", "latin1");
  } catch {
    // Without /proc nothing is known, and nothing is refused.
    return;
  }
  for (const { name, min, what, hint } of LIMITS) {
    const soft = Number(new RegExp(`^${name} +(\\d+) `, "m").exec(table)?.[1] ?? Infinity);
    if (soft < min) throw new SvcError("INDEX_UNAVAILABLE", what(soft), { hint });
  }
}
