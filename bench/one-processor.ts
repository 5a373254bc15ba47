import { spawnSync } from "node:child_process";

/**
 * Runs a function, with all programs that it starts, on one processor. The system's placement of processes changes the
 * time of a 0.1 ms call by half and stays the same for a whole run: on one machine, the same servers had ratios from
 * 0.9 to 1.4. Without `taskset`, as on macOS, everything runs on all processors.
 */
export async function onOneProcessor<T>(run: () => Promise<T>): Promise<T> {
  const all = processorsOf(process.pid);
  const first = /^\d+/.exec(all ?? "")?.[0];
  if (all === undefined || first === undefined) return run();
  taskset("-a", "-c", "-p", first, String(process.pid));
  try {
    return await run();
  } finally {
    taskset("-a", "-c", "-p", all, String(process.pid));
  }
}

/** The list of processors that a process may use, such as "0-3,6". */
function processorsOf(pid: number): string | undefined {
  return /: ([\d,-]+)\s*$/.exec(taskset("-c", "-p", String(pid)) ?? "")?.[1];
}

/** Calls taskset of util-linux. Returns undefined if it is missing or fails. */
function taskset(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("taskset", args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return status === 0 ? stdout : undefined;
}
