import { describe, expect, test } from "vitest";

import { localOwner } from "../../src/sources/principal.ts";
import {
  fixtureTool,
  MODERN_RESULT_META,
  modernParams,
  serveInMemory,
  spawnServer,
  type StreamPeer,
  type Wire,
} from "../helpers/rpc.ts";
import { stopTimers } from "../helpers/stopped-clock.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

const read = fixtureTool("read", async () => ({}));
const write = fixtureTool("write", async () => ({}), { readOnly: false });

function request(id: string, method: string, params: Readonly<Record<string, unknown>> = {}) {
  return { jsonrpc: "2.0", id, method, params: modernParams(params) };
}

const PROBE = request("server-discover-probe-1", "server/discover");
const LISTEN = request("listen:0", "subscriptions/listen", {
  notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
});

function isAcknowledged({ method }: Wire): boolean {
  return method === "notifications/subscriptions/acknowledged";
}

const ENDED = {
  jsonrpc: "2.0",
  id: "listen:0",
  result: {
    resultType: "complete",
    _meta: { [SUBSCRIPTION]: "listen:0", ...MODERN_RESULT_META },
  },
};

/** The messages with which Claude Code opens a session, up to the first call. */
async function open(server: StreamPeer): Promise<void> {
  server.send(PROBE);
  await server.waitFor(({ id }) => id === "server-discover-probe-1");
  server.send(LISTEN, request("list", "tools/list"));
  await server.waitFor(isAcknowledged);
  await server.waitFor(({ id }) => id === "list");
}

describe("M6 subscriptions over standard input and output", () => {
  test("Claude Code's session: probe, listen, list, call, SIGINT; the subscription is answered last", async () => {
    const server = spawnServer();
    await open(server);
    server.send(request("call", "tools/call", { name: "echo", arguments: { text: "hello" } }));
    const { result } = await server.waitFor(({ id }) => id === "call");
    expect(result).toMatchObject({ content: [{ text: "hello" }], resultType: "complete" });
    server.child.kill("SIGINT");
    expect(await server.exit()).toBe(0);
    expect(server.received.at(-1)).toEqual(ENDED);
    expect(server.received.filter(({ id }) => id === "listen:0")).toHaveLength(1);
  });

  test("the end of input ends them before the grace period of calls begins", async () => {
    const server = serveInMemory({ tools: [read] });
    await open(server);
    stopTimers();
    server.input.end();
    await server.done;
    expect(server.received.at(-1)).toEqual(ENDED);
  });

  test("`printf ... | svc mcp --stdio`: a subscription that comes with the end is acknowledged and ended", async () => {
    const server = serveInMemory({ tools: [read] });
    server.send(LISTEN);
    server.input.end();
    await server.done;
    expect(server.received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "listen:0",
    ]);
  });

  test("a running call gets its grace period despite an open subscription", async () => {
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>();
    const gate = fixtureTool("gate", async () => {
      await opened;
      return {};
    });
    const server = serveInMemory({ tools: [gate] });
    await open(server);
    server.send(request("call", "tools/call", { name: "gate" }));
    server.input.end();
    await server.waitFor(({ id }) => id === "listen:0");
    openGate();
    await server.done;
    expect(server.received.at(-1)).toMatchObject({
      id: "call",
      result: { resultType: "complete" },
    });
  });

  test("list_changed reaches the listener after the acknowledgement", async () => {
    let readOnly = false;
    const server = serveInMemory({
      tools: [read, write],
      authorize: async () => localOwner({ readOnly }),
    });
    await open(server);
    readOnly = true;
    server.send(request("call", "tools/call", { name: "write" }));
    const { error } = await server.waitFor(({ id }) => id === "call");
    expect(error?.data.error_code).toBe("FORBIDDEN");
    expect(server.received.filter(({ id }) => id === undefined)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: {
          _meta: { [SUBSCRIPTION]: "listen:0" },
          notifications: { toolsListChanged: true },
        },
      },
      {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { [SUBSCRIPTION]: "listen:0" } },
      },
    ]);
    server.stop();
    await server.done;
  });

  test("a client that cancels gets nothing more, and the session continues", async () => {
    const server = serveInMemory({ tools: [read] });
    await open(server);
    server.send(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "listen:0" } },
      request("after", "tools/list"),
    );
    await server.waitFor(({ id }) => id === "after");
    server.stop();
    await server.done;
    expect(server.received.filter(({ id }) => id === "listen:0")).toEqual([]);
  });
});

test("M7 a process serves both eras at the same time", async () => {
  const server = spawnServer();
  const initialized = await server.request("initialize", { protocolVersion: "2025-11-25" });
  expect(initialized.result).toMatchObject({ protocolVersion: "2025-11-25" });
  await open(server);
  expect((await server.request("ping")).result).toEqual({});
  server.child.stdin.end();
  expect(await server.exit()).toBe(0);
  expect(server.received.at(-1)).toEqual(ENDED);
});
