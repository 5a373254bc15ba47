// How the process of a session ends, and its standard output in each case.
// oxlint-disable no-await-in-loop -- one after the other, as fast as it is taken
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { expect } from "vitest";

import { FIXTURE_SERVER, spawnServer } from "../helpers/rpc.ts";
import { createPlace, createToken, startProgram, exitCode } from "../spec/program.ts";
import { promise, sized } from "../trust/promise.ts";
import { isAlive } from "../helpers/is-alive.ts";

const BUSY = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deaf"}}\n';
const PING = '{"jsonrpc":"2.0","id":2,"method":"ping"}\n';

const ENDS = ["EOF", "SIGTERM", "SIGHUP", "SIGINT", "EPIPE"] as const;

/** Starts a server with a call that never ends, and ends it in that way. */
async function endBy(end: (typeof ENDS)[number]): Promise<void> {
  const server = spawnServer();
  server.write(BUSY + PING);
  await server.waitFor(({ id }) => id === 2);
  if (end === "EOF") server.child.stdin.end();
  else if (end === "EPIPE") {
    server.child.stdout.destroy();
    // Two lines: writing the first one detects the closed pipe.
    server.write(PING + PING);
  } else server.child.kill(end);
  const code = await server.exit();
  expect({ end, code, stderr: server.stderr() }).toEqual({ end, code: 0, stderr: "" });
}

/** Starts a server whose parent is killed; resolves when the server is gone. */
async function orphan(): Promise<void> {
  const script = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, [process.argv[1]], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write(${JSON.stringify(BUSY + PING)});
    child.stdout.once("data", () => console.log(child.pid));`;
  const parent = spawn(process.execPath, ["-e", script, FIXTURE_SERVER]);
  const [text]: unknown[] = await once(parent.stdout, "data");
  const pid = Number(String(text));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isAlive(pid), { timeout: 5000, interval: 20 }).toBe(false);
}

promise(
  [19],
  "however its client exits, the server exits with 0 and in time, and leaves no process",
  async () => {
    const starts = sized({ quick: 6, full: 102 });
    const ways = [...ENDS.map((end) => () => endBy(end)), orphan];
    for (let at = 0; at < starts; at += ways.length) {
      await Promise.all(ways.map(async (way) => way()));
    }
    return starts;
  },
);

/** Loaded before the program: warns, rejects and throws while a session runs. */
const TROUBLE = `data:text/javascript,${encodeURIComponent(`
  process.emitWarning("something is deprecated", "DeprecationWarning");
  setTimeout(() => { throw new Error("uncaught"); }, Number(process.env.TROUBLE_MS)).unref();
`)}`;

promise(
  [20],
  "standard output has only JSON lines: with the debug log, with warnings, and after a crash",
  async () => {
    const place = createPlace({ "docs/rivers.md": "# Rivers\n" });
    try {
      const token = await createToken(place);
      const env = { SERVICE_TOKEN: token, SERVICE_DEBUG: "true", TROUBLE_MS: "1500" };
      const main = join(import.meta.dirname, "../../src/main.ts");
      const healthy = startProgram(place, ["mcp", "--stdio"], env);
      const troubled = spawn(process.execPath, ["--import", TROUBLE, main, "mcp", "--stdio"], {
        cwd: place.root,
        env: {
          ...env,
          PATH: process.env["PATH"],
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
          HOME: place.home,
          SERVICE_HOME: join(place.home, "data"),
        },
      });
      const runs = [healthy, troubled].map(async (child, at) => {
        const [out, err]: string[][] = [[], []];
        child.stdout.on("data", (text: Buffer | string) => out?.push(String(text)));
        child.stderr.on("data", (text: Buffer | string) => err?.push(String(text)));
        child.stdin.on("error", () => {});
        child.stdin.write(`${PING}garbage\n{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n`);
        child.stdin.write(
          '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"index_status"}}\n',
        );
        if (at === 0)
          await expect.poll(() => out?.join(""), { timeout: 20_000 }).toContain('"id":4');
        if (at === 0) child.stdin.end();
        return { code: await exitCode(child), out: out?.join("") ?? "", err: err?.join("") ?? "" };
      });
      const [fine, fallen] = await Promise.all(runs);
      for (const run of [fine, fallen]) {
        for (const text of run?.out
          .trim()
          .split("\n")
          .filter((one) => one !== "") ?? []) {
          expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0" });
        }
      }
      expect([fine?.code, fallen?.code === 0]).toEqual([0, false]);
      expect(fine?.err).toContain('"received"');
      expect(fallen?.err).toContain("DeprecationWarning");
      expect(fallen?.err).toContain("uncaught");
    } finally {
      place.remove();
    }
    return 2;
  },
);

function line(id: number, name: string): object {
  const input = name === "echo" ? { text: String(id) } : {};
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}

function cancel(requestId: number): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

promise(
  [21],
  "of ten thousand concurrent calls, up to 64 run, each is answered once, and one can be cancelled at once",
  async () => {
    const count = sized({ quick: 2000, full: 10_000 });
    const server = spawnServer("--timeout", "30000");
    const held = Array.from({ length: 64 }, (_, at) => line(-1 - at, "wait"));
    server.send(...held, ...Array.from({ length: count }, (_, id) => line(id, "echo")));
    // Every slot is taken: only messages without a slot are answered.
    await server.request("ping");
    expect(server.received.filter(({ id }) => typeof id === "number")).toEqual([]);
    server.send(cancel(0), cancel(-1));
    await server.waitForCount(count);
    const replies = server.received.filter(({ id }) => typeof id === "number");
    expect(new Set(replies.map(({ id }) => id)).size).toBe(count - 1);
    expect(replies.some(({ id }) => id === 0 || Number(id) < 0)).toBe(false);
    for (const { id, result } of replies)
      expect(result?.["content"]).toMatchObject([{ text: String(id) }]);
    server.send(...held.map((_, at) => cancel(-1 - at)));
    await server.request("ping");
    server.child.stdin.end();
    expect(await server.exit()).toBe(0);
    return count;
  },
);
