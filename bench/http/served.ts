// `svc serve` of the built program over the index of the workspace, and the cost of its process.
import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

import { runSvc, SVC, type Workspace } from "../workspace.ts";
import { get, type Target } from "./mix.ts";
import { Wire } from "./wire.ts";

const START_MS = 60_000;

/** Its API key is for the namespace of the workspace. */
export interface Served extends Target {
  readonly pid: number;
  /** Sends SIGTERM; rejects if the exit is a failure. */
  readonly close: () => Promise<void>;
}

/** Resolves once the index is open: the first call must not pay for that. */
export async function startServed(
  { root, env }: Workspace,
  flags: readonly string[] = [],
): Promise<Served> {
  const words = [
    "auth",
    "keys",
    "create",
    "--name",
    `bench ${randomUUID()}`,
    "--namespace",
    "webpack",
  ];
  const key = runSvc(words, env).trim();
  const child = spawn(SVC, ["serve", "--port", "0", "--root", root, ...flags], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const port = await new Promise<number>((resolve, reject) => {
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      text = (text + part).slice(-4096);
      const found = /listens on https?:\/\/127\.0\.0\.1:(?<port>\d+)/.exec(text)?.groups?.["port"];
      if (found !== undefined) resolve(Number(found));
    });
    void ended.then((code) => reject(new Error(`svc serve ended with ${code}: ${text}`)));
  });
  clearTimeout(timer);
  // Not available over TLS.
  if (flags.length === 0) await untilReady(port);
  return {
    port,
    pid: child.pid ?? 0,
    token: env["SERVICE_TOKEN"] ?? "",
    key,
    async close() {
      child.kill("SIGTERM");
      const code = await ended;
      if (code !== 0) throw new Error(`svc serve ended with ${code}`);
    },
  };
}

async function untilReady(port: number): Promise<void> {
  const wire = new Wire({ port });
  const { status } = await wire.ask(get("/readyz", { port }));
  wire.destroy();
  if (status !== 200) throw new Error(`svc serve is not ready: ${status}`);
}

/** The current resident size; undefined without /proc. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Sockets that a process holds; 0 without /proc. */
export function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith("socket:");
    } catch {
      // It has been closed meanwhile.
      return false;
    }
  }).length;
}
