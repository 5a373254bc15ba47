// Starts programs and reports their cost. Processor time comes from bash's `time`, which reads the usage of an ended
// child from the kernel (getrusage): exact to the millisecond, with every thread, on Linux and macOS alike. Node cannot
// read this, /proc counts in steps of 10 ms and forgets a process that has ended, and GNU time rounds to 10 ms.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable, type Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";

export interface Usage {
  /** User and system time. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** The command's own standard error is that of bash; the figures go to descriptor 3. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "$@" 2>&4; } 4>&2 2>&3';

const LOOK_EVERY_MS = 10;

type Environment = Readonly<Record<string, string>>;
type Talk = (client: LineClient) => Promise<void>;

/** Runs a command to its end. `talk` communicates with it, and then its input ends; without `talk` it has no input. */
export async function timed(
  command: readonly string[],
  { env, talk = () => Promise.resolve() }: { readonly env: Environment; readonly talk?: Talk },
): Promise<Usage> {
  const child = spawn("bash", ["-c", TIMED, "bench", ...command], {
    env: { ...env, LC_ALL: "C" },
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  let figures = "";
  const report = child.stdio[3];
  if (report instanceof Readable) report.on("data", (data: Buffer) => (figures += String(data)));
  const client = lineClient(child);
  await talk(client);
  await client.close();
  const [real = NaN, user = NaN, system = NaN] = figures.trim().split(" ").map(Number);
  return { wallMs: real * 1000, cpuMs: (user + system) * 1000 };
}

export interface LineClient {
  /** Resolves with the result; rejects for an error, and when the server ends. */
  readonly request: (method: string, params?: unknown) => Promise<unknown>;
  /** Ends the input and waits for the exit; rejects if the exit is a failure. */
  readonly close: () => Promise<void>;
}

/** A minimal MCP client: it must cost the machine little during the measurement. */
export function lineClient(child: ChildProcess): LineClient {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the child has no pipes");
  const waiting = new Map<unknown, PromiseWithResolvers<unknown>>();
  createInterface({ input: stdout }).on("line", (text) => settle(text, waiting));
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const failure = new Error(`the child has ended with ${code}`);
      for (const { reject: fail } of waiting.values()) fail(failure);
      if (code === 0) resolve();
      else reject(failure);
    });
  });
  return { request: requester(stdin, waiting), close: () => (stdin.end(), ended) };
}

function requester(
  stdin: Writable,
  waiting: Map<unknown, PromiseWithResolvers<unknown>>,
): LineClient["request"] {
  let id = 0;
  return (method, params) => {
    id += 1;
    const reply = Promise.withResolvers<unknown>();
    waiting.set(id, reply);
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return reply.promise;
  };
}

function settle(text: string, waiting: Map<unknown, PromiseWithResolvers<unknown>>): void {
  // The output of a program without a protocol is ignored.
  if (!text.startsWith('{"jsonrpc"')) return;
  const { id, result, error }: { id?: unknown; result?: unknown; error?: { data: unknown } } =
    JSON.parse(text);
  const reply = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) reply?.resolve(result);
  else reply?.reject(new Error(JSON.stringify(error.data)));
}

/**
 * The largest resident size of a running process so far; undefined without /proc. The
 * kernel keeps the maximum, so only growth after the last check is missed.
 */
export function peakRssBytes(pid: number): number | undefined {
  const status = readProc(`/proc/${pid}/status`);
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** The largest resident size of a process until it ends; undefined without /proc. */
export async function peakOf(child: ChildProcess): Promise<number | undefined> {
  let peak: number | undefined;
  const end = once(child, "close").then(() => true);
  const pid = child.pid ?? 0;
  while (!(await Promise.race([end, wait(LOOK_EVERY_MS, false)]))) {
    peak = peakRssBytes(pid) ?? peak;
  }
  return peak;
}

/** Processor time of a running process in steps of 10 ms; undefined without /proc. */
export function runningCpuMs(pid: number): number | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold blanks. Fields 14 and 15, in ticks of 1/100 s (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
