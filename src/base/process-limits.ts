// Limits that the system sets for this process. Below some of them V8 and SQLite end the process or fail
// without naming the cause, so they are checked before anything is opened.
import { readFileSync } from "node:fs";

import { SvcError } from "./errors.ts";

interface Limit {
  /** The limit's name in /proc/self/limits. */
  readonly name: string;
  readonly min: number;
  readonly detail: (value: number) => string;
  readonly hint: string;
}

const GIB = 1024 ** 3;

const LIMITS: readonly Limit[] = [
  {
    name: "Max open files",
    // An indexing run of a small project opens 40; larger ones need more.
    min: 64,
    detail: (value) => `This process may open only ${value} files; svc needs at least 64.`,
    hint: "Raise the limit, for example with `ulimit -n 1024`.",
  },
  {
    name: "Max address space",
    // V8 and WebAssembly reserve addresses that they never use as memory.
    min: 4 * GIB,
    detail: (value) =>
      `This process may use only ${(value / GIB).toFixed(1)} GiB of address space; svc needs at least 4 GiB.`,
    hint: "Raise the limit with `ulimit -v unlimited`; to limit memory itself, use a container or a cgroup.",
  },
];

/** Throws INDEX_UNAVAILABLE if a limit of this process is too low for svc. Checks limits on Linux only. */
export function requireUsableLimits(): void {
  if (process.platform !== "linux") return;
  let table: string;
  try {
    table = readFileSync("/proc/self/limits", "latin1");
  } catch {
    // Without /proc the limits are unknown; svc continues.
    return;
  }
  for (const { name, min, detail, hint } of LIMITS) {
    const soft = Number(new RegExp(`^${name} +(\\d+) `, "m").exec(table)?.[1] ?? Infinity);
    if (soft < min) throw new SvcError("INDEX_UNAVAILABLE", detail(soft), { hint });
  }
}
