import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import type { CallEvent } from "../../src/credentials/audit-event.ts";
import type { Engine } from "../../src/engine/api/engine.ts";
import { withMiddleware } from "../../src/engine/middleware/engine-calls.ts";
import { tracing } from "../../src/engine/middleware/tracing.ts";
import type { ServerOptions } from "../../src/mcp/options.ts";
import { fixtureTool, openSession } from "../helpers/rpc.ts";

/** An engine with the only method that these tests use. */
function engineOf(namespace: string): Engine {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const engine = {
    outline: () => Promise.resolve({ namespace }),
    traced: (note: (name: string) => void) => withMiddleware(engine, [tracing(note)]),
  } as unknown as Engine;
  return engine;
}

const tools = [
  fixtureTool("say", async ({ text }, { emit }) => {
    for (const word of String(text).split(" ")) emit({ text: word });
    return {};
  }),
  fixtureTool("outline", async (_input, { engine, principal, signal }) => {
    const { namespace } = await (
      await engine()
    ).outline({ principal, signal, maxTokens: 100, path: "" });
    if (namespace === "none") throw new SvcError("NAMESPACE_NOT_FOUND", "None.");
    return {};
  }),
  fixtureTool("wait", async (_input, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return {};
  }),
  fixtureTool("fail", () => Promise.reject(new SvcError("SYMBOL_NOT_FOUND", "No such symbol."))),
];

function audited(options: Partial<ServerOptions> = {}) {
  const calls: CallEvent[] = [];
  const peer = openSession({
    tools,
    engine: () => Promise.resolve(engineOf("own")),
    audit: (call) => void calls.push(call),
    ...options,
  });
  const tool = (name: unknown, args: object = {}, id: string | number = 1) =>
    peer.exchange({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  return { ...peer, calls, tool };
}

test("a call is audited once, with its query and its outcome", async () => {
  const { calls, tool } = audited();
  await tool("say", { text: "one three", query: "why?", namespace: "given" }, "r-1");
  expect(calls).toEqual([
    {
      principal: "local",
      tool: "say",
      namespace: "given",
      outcome: "ok",
      ms: expect.any(Number),
      items: 2,
      characters: 8,
      query: "why?",
      request: "r-1",
    },
  ]);
});

test("the namespace is that of the answer, also for later calls that name none", async () => {
  const { calls, tool } = audited();
  for (const name of ["say", "outline", "say"]) await tool(name, { text: "x" });
  expect(calls.map(({ namespace }) => namespace)).toEqual([null, "own", "own"]);
});

test.each([
  ["a failure that is a result", "fail", "SYMBOL_NOT_FOUND"],
  ["a failure that is an error", "nothing", "TOOL_NOT_FOUND"],
])("%s is audited with its code", async (_name, name, outcome) => {
  const { calls, tool } = audited();
  await tool(name);
  expect(calls).toMatchObject([{ tool: name, outcome, principal: "local" }]);
});

test("a call without a credential is audited without a principal", async () => {
  const { calls, tool } = audited({
    authorize: () => Promise.reject(new SvcError("CREDENTIAL_REVOKED", "It was revoked.")),
  });
  await tool("say", { text: "x" });
  expect(calls).toMatchObject([
    { principal: null, outcome: "CREDENTIAL_REVOKED", items: 0, namespace: null },
  ]);
});

test("a cancelled call and a timed-out call are audited", async () => {
  const { calls, tool, exchange } = audited({ timeoutMs: 30 });
  const running = tool("wait", {}, 7);
  await exchange({ jsonrpc: "2.0", id: 8, method: "tools/list" });
  await exchange({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  await running;
  await tool("wait");
  expect(calls.map(({ outcome }) => outcome)).toEqual(["cancelled", "TIMEOUT"]);
});

test("a call with a duplicate id is audited; other methods are not", async () => {
  const { calls, tool, exchange, session } = audited();
  const first = tool("wait", {}, 1);
  await tool("say", {}, 1);
  await exchange({ jsonrpc: "2.0", id: 2, method: "ping" });
  await exchange({ jsonrpc: "2.0", id: 3, method: "tools/list" });
  expect(calls.map(({ outcome }) => outcome)).toEqual(["DUPLICATE_ID"]);
  session.close();
  await first;
  expect(calls.map(({ outcome }) => outcome)).toEqual(["DUPLICATE_ID", "cancelled"]);
});

test("the answer is sent before the call is audited", async () => {
  const order: unknown[] = [];
  const { tool, sent } = audited({ audit: () => void order.push(sent.length) });
  await tool("say", { text: "x" });
  expect(order).toEqual([1]);
});

test.each([[null], [[]], ["x"], [undefined], [{ name: 7 }], [{ name: "say", arguments: [] }]])(
  "malformed params %j are recorded too",
  async (params) => {
    const { calls, exchange } = audited();
    await exchange({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(calls).toMatchObject([{ outcome: "INVALID_PARAMS" }]);
  },
);
