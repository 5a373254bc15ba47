// Runs svc as its users do: `svc index` into a separate data directory, then queries over MCP.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

import { lineClient } from "../timed-child.ts";
import { homesIn, type Environment } from "../workspace.ts";

export interface SearchServer {
  /** The result of search_context for a question. Rejects for an error, after 30 s, and at the end. */
  readonly ask: (query: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
  readonly indexMs: number;
}

/** The limit of results; the measures check the same number. */
export const LIMIT = 10;
const TIMEOUT_MS = 30_000;
/** Otherwise a bench that indexes dozens of places would leave a key for each. */
const WITHOUT_KEYCHAIN = { SERVICE_PASSPHRASE: "correct horse battery staple" };
const PROTOCOL_VERSION = "2024-11-05";
const run = promisify(execFile);

/** Indexes a folder and starts a server for it. Rejects with svc's message if that fails. */
export async function startSearch(svc: string, root: string): Promise<SearchServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-quality-"));
  try {
    const home = { ...homesIn(folder)(), ...WITHOUT_KEYCHAIN };
    const from = performance.now();
    await run(svc, ["index", root], { env: home });
    const indexMs = performance.now() - from;
    const token = await run(svc, ["auth", "token", "create", "--name", "bench"], { env: home });
    const env = { ...home, SERVICE_TOKEN: token.stdout.trim() };
    const { ask, close } = await connect(svc, root, env);
    return { ask, close: () => close().finally(() => remove(folder)), indexMs };
  } catch (failure) {
    remove(folder);
    throw failure;
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

async function connect(
  svc: string,
  root: string,
  env: Environment,
): Promise<Pick<SearchServer, "ask" | "close">> {
  const child = spawn(svc, ["mcp", "--stdio", "--root", root], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // The request without a reply reports a server that has ended.
  child.stdin.on("error", () => undefined);
  const client = lineClient(child);
  await client.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "svc-bench", version: "1" },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    ask: async (query) => {
      const timer = new AbortController();
      const reply = client.request("tools/call", {
        name: "search_context",
        arguments: { query, limit: LIMIT },
      });
      const timeout = wait(TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no reply within ${TIMEOUT_MS / 1000} s`);
      });
      try {
        return await Promise.race([reply, timeout]);
      } finally {
        timer.abort();
        timeout.catch(() => undefined);
      }
    },
    close: () => client.close(),
  };
}
