// Indexes a folder with the program, and asks it over MCP.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { lineClient } from "./timed-child.ts";
import { homesIn, SVC } from "./workspace.ts";

/** Calls a tool and returns its result unchanged. */
export type CallTool = (name: string, input: object) => Promise<unknown>;

/** Calls `run` with a program that has indexed a folder: SVC_BIN or dist/svc. Its index is deleted afterwards. */
export async function withIndexed<T>(
  root: string,
  run: (call: CallTool) => Promise<T>,
): Promise<T> {
  const svc = process.env["SVC_BIN"] ?? SVC;
  const data = mkdtempSync(join(tmpdir(), "svc-bench-program-"));
  try {
    const home = { ...homesIn(data)(), SERVICE_PASSPHRASE: "correct horse battery staple" };
    const indexed = spawnSync(svc, ["index", root], { env: home, encoding: "utf8" });
    if (indexed.status !== 0) throw new Error(indexed.stderr);
    const token = spawnSync(svc, ["auth", "token", "create", "--name", "bench"], { env: home });
    const child = spawn(svc, ["mcp", "--stdio", "--root", root], {
      env: { ...home, SERVICE_TOKEN: token.stdout.toString().trim() },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const client = lineClient(child);
    await client.request("initialize", { clientInfo: { name: "bench" } });
    const result = await run((name, input) =>
      client.request("tools/call", { name, arguments: input }),
    );
    await client.close();
    return result;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
