// The index files that a server has opened by the time it answers. strace shows them if it is available; otherwise a
// check of the open files after each reply, which misses files that were closed again.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

import type { Report } from "./report.ts";
import { lineClient } from "./timed-child.ts";
import { SVC, type Workspace } from "./workspace.ts";

const TRACER = "strace";

type Fact = Report["facts"][number];

/** Files opened until the reply to `tools/list`. Empty on systems that support neither check. */
export async function indexFilesOpened(workspace: Workspace): Promise<readonly Fact[]> {
  const found = canTrace() ? await traced(workspace) : await looked(workspace);
  if (found === undefined) return [];
  const { opened, how } = found;
  const names = opened.length === 0 ? "" : `: ${opened.join(", ")}`;
  const text = `no file of the index is opened before the reply to tools/list (${how})${names}`;
  return [{ text, holds: opened.length === 0 }];
}

interface Found {
  readonly opened: readonly string[];
  readonly how: string;
}

function canTrace(): boolean {
  return spawnSync(TRACER, ["-f", "-qq", "-o", "/dev/null", "true"]).status === 0;
}

async function traced(workspace: Workspace): Promise<Found> {
  const log = join(workspace.dataDirectory, "../strace.log");
  const calls = "trace=open,openat,openat2,write,writev,sendmsg";
  const strace = ["-f", "-qq", "-s", "48", "-e", calls, "-o", log];
  const server = [SVC, "mcp", "--stdio", "--root", workspace.root];
  await handshake(TRACER, [...strace, ...server], workspace);
  const lines = readFileSync(log, "utf8").split("\n");
  const reply = lines.findIndex((line) => /"id\\":2,/.test(line));
  if (reply === -1) throw new Error(`strace shows no reply to tools/list: ${log}`);
  const opened = lines
    .slice(0, reply)
    .filter((line) => /\bopen/.test(line))
    .map((line) => /"([^"]+)"/.exec(line)?.[1] ?? "")
    .filter((file) => isOfIndex(file, workspace));
  return { opened, how: "strace" };
}

async function looked(workspace: Workspace): Promise<Found | undefined> {
  if (!existsSync("/proc/self/fd")) return undefined;
  const opened = new Set<string>();
  await handshake(SVC, ["mcp", "--stdio", "--root", workspace.root], workspace, (pid) => {
    for (const file of openFiles(pid)) if (isOfIndex(file, workspace)) opened.add(file);
  });
  return { opened: [...opened], how: "/proc/PID/fd" };
}

async function handshake(
  program: string,
  args: readonly string[],
  { env }: Workspace,
  look: (pid: number) => void = () => {},
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const client = lineClient(child);
  for (const method of ["initialize", "tools/list"]) {
    await client.request(method, {});
    look(child.pid ?? 0);
  }
  await client.close();
}

function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // It was closed after it was listed.
      return [];
    }
  });
}

/**
 * Everything in the data directory is the index, except the credentials, their log, and the note of the token that was
 * accepted last: the check of a token reads those.
 */
function isOfIndex(file: string, { dataDirectory }: Workspace): boolean {
  if (!file.startsWith(`${dataDirectory}/`)) return false;
  return !/^(?:credentials\/|audit[./]|accepted-token\.json$)/.test(
    file.slice(dataDirectory.length + 1),
  );
}
