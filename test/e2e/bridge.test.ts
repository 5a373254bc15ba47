// `svc mcp --remote` as an editor starts it, and a server that fails in realistic ways.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { createPlace, exitCode, startProgram, type Place } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";
import { SVC } from "./clients/target.ts";

const START_MS = 60_000;
const SLOW = 120_000;
const QUESTION = { query: "turn of the tide" };
const ANSWER = expect.objectContaining({ text: expect.stringContaining("twice a day") });
const DOWN = {
  isError: true,
  structuredContent: {
    error_code: "REMOTE_UNAVAILABLE",
    detail: expect.stringContaining("The next call tries again."),
  },
};

let place: Place;
let token: string;
let port: number;
beforeAll(async () => {
  process.env["SVC_BIN"] = SVC;
  place = createPlace({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });
  await outputHere(place, "index", place.root);
  ({ token } = await createTokenFor(place));
  port = await freePort();
}, START_MS);
afterAll(() => place.remove());

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** `svc serve` on the same port each time, as after an update. */
async function serve() {
  const child = startProgram(place, ["serve", "--port", String(port)]);
  const ended = exitCode(child);
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      if (text.includes("listens on")) resolve();
    });
    void ended.then((code) => reject(new Error(`svc serve ended with ${code}`)));
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended.catch(() => undefined);
  };
  // All servers of this file have the same port.
  onTestFinished(kill);
  return { signal: (name: NodeJS.Signals) => child.kill(name), kill };
}

async function connect(): Promise<Server> {
  const bridge = startServer(place, { SERVICE_TOKEN: token }, [
    "--remote",
    `http://127.0.0.1:${port}`,
  ]);
  await bridge.request("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  bridge.notify("notifications/initialized");
  return bridge;
}

const call = (bridge: Server, name: string, input: unknown) =>
  bridge.request("tools/call", { name, arguments: input });

test(
  "a bridge outlives its server: killed, absent and started again",
  async () => {
    const bridge = await connect();
    expect((await call(bridge, "search_context", QUESTION)).result).toMatchObject(DOWN);
    const first = await serve();
    expect((await call(bridge, "search_context", QUESTION)).result?.content).toEqual([ANSWER]);
    await first.kill();
    expect((await call(bridge, "search_context", QUESTION)).result).toMatchObject(DOWN);
    const second = await serve();
    expect((await call(bridge, "search_context", QUESTION)).result?.content).toEqual([ANSWER]);
    await second.kill();
    expect(await bridge.close()).toBe(0);
  },
  SLOW,
);

test(
  "a call whose server is killed or stops ends, and those after it are answered",
  async () => {
    const server = await serve();
    const bridge = await connect();
    const { result } = await call(bridge, "list_changes", {});
    const input = { since: result?.structuredContent?.["next_cursor"], wait_ms: 25_000 };
    // A stopped process keeps its connections, and the kernel accepts new ones.
    server.signal("SIGSTOP");
    expect((await call(bridge, "search_context", QUESTION)).result).toMatchObject(DOWN);
    server.signal("SIGCONT");
    expect((await call(bridge, "search_context", QUESTION)).result?.content).toEqual([ANSWER]);
    const waiting = call(bridge, "list_changes", input);
    expect((await call(bridge, "search_context", QUESTION)).result?.content).toEqual([ANSWER]);
    await server.kill();
    expect((await waiting).result).toMatchObject(DOWN);
    const again = await serve();
    expect((await call(bridge, "search_context", QUESTION)).result?.content).toEqual([ANSWER]);
    expect(await bridge.close()).toBe(0);
    await again.kill();
  },
  SLOW,
);
