// Processor time of running processes, as reported by Linux.
import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;
/** Places in the part of /proc/PID/stat after the name (proc(5)). */
const [PARENT, USER, SYSTEM, WAITED_USER, WAITED_SYSTEM] = [1, 11, 12, 13, 14];

export function parentOf(pid: number): number {
  return Number(statOf(pid)[PARENT]);
}

function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Processor time of a process, in steps of 10 ms. */
export function cpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}

/** Processor time of children that have ended. */
export function waitedCpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[WAITED_USER]) + Number(fields[WAITED_SYSTEM])) * TICK_MS;
}

/** Processor time of the first thread. */
export function mainThreadMs(pid: number): number {
  const [onCpu = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(onCpu) / 1e6;
}

export function childrenOf(pid: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        return parentOf(one) === pid;
      } catch {
        return false;
      }
    });
}
