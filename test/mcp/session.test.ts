import { describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { isObject } from "../../src/mcp/message.ts";
import { fixtureTool, LOCAL, openSession, recordingLogger, type Wire } from "../helpers/rpc.ts";

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});

/** Ends when the test resolves it or its signal is aborted. */
function gate() {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const aborted: unknown[] = [];
  let started = 0;
  const tool = fixtureTool("gate", async (_input, { signal }) => {
    started += 1;
    signal.addEventListener("abort", () => aborted.push(signal.reason));
    await promise;
    return {};
  });
  return { tool, open, aborted, started: () => started };
}

function summary(answer: unknown): string {
  if (!isObject(answer)) throw new Error("an answer is an object");
  const { id, error } = answer as Wire;
  const shown = JSON.stringify(id);
  return error === undefined ? `ok ${shown}` : `${error.code} ${error.data.error_code} ${shown}`;
}

function call(id: string | number, name: string, args: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

function cancel(requestId: unknown): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

describe("S6 requests run concurrently", () => {
  test("a slow call does not delay a fast one", async () => {
    const { tool, open } = gate();
    const { exchange, sent } = openSession({ tools: [tool, echo] });
    const slow = exchange(call("slow", "gate"));
    await exchange(call("fast", "echo", { text: "x" }));
    expect(sent.map(({ id }) => id)).toEqual(["fast"]);
    open();
    await slow;
    expect(sent.map(({ id }) => id)).toEqual(["fast", "slow"]);
  });

  test("200 requests sent at once get one answer each", async () => {
    const { exchange, sent } = openSession({ tools: [echo] });
    const ids = Array.from({ length: 200 }, (_, id) => id);
    await Promise.all(ids.map((id) => exchange(call(id, "echo", { text: id }))));
    expect(sent.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(ids);
  });

  test("up to maxInFlight requests run; the others wait in order and can be cancelled", async () => {
    const { tool, open, started } = gate();
    const order: unknown[] = [];
    const note = fixtureTool("note", async ({ text }) => {
      order.push(text);
      return {};
    });
    const { exchange, sent } = openSession({ tools: [tool, note], maxInFlight: 2 });
    const all = [
      exchange(call(1, "gate")),
      exchange(call(2, "gate")),
      exchange(call(3, "gate")),
      ...[4, 5, 6].map((id) => exchange(call(id, "note", { text: id }))),
    ];
    await exchange({ jsonrpc: "2.0", id: "alive", method: "ping" });
    await expect.poll(started).toBe(2);
    await exchange(cancel(5));
    open();
    await Promise.all(all);
    expect(started()).toBe(3);
    expect(order).toEqual([4, 6]);
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(["alive", 1, 2, 3, 4, 6]));
  });

  test("`ping` and `initialize` are answered while every slot is taken", async () => {
    const { tool } = gate();
    const { exchange, request } = openSession({ tools: [tool], maxInFlight: 1 });
    void exchange(call(1, "gate"));
    expect((await request("ping")).result).toEqual({});
    expect((await request("initialize")).result).toBeDefined();
  });
});

describe("S8 cancellation", () => {
  test("aborts the call, and no reply follows even when the tool succeeds", async () => {
    const { tool, open, aborted } = gate();
    const { exchange, sent } = openSession({ tools: [tool] });
    const running = exchange(call(7, "gate"));
    await exchange({ jsonrpc: "2.0", id: "sync", method: "tools/list" });
    await exchange(cancel(7));
    open();
    await running;
    expect(aborted).toHaveLength(1);
    expect(sent.map(({ id }) => id)).toEqual(["sync"]);
  });

  test("sent right after its request, before anything ran, leaves no reply", async () => {
    const { exchange, sent } = openSession({ tools: [echo] });
    await Promise.all([exchange(call(7, "echo")), exchange(cancel(7))]);
    expect(sent).toEqual([]);
  });

  test("with an unknown id, another type of id, or malformed is ignored", async () => {
    const { tool, open } = gate();
    const { exchange, sent } = openSession({ tools: [tool] });
    const running = exchange(call(7, "gate"));
    for (const requestId of [8, "7", null, {}, undefined]) await exchange(cancel(requestId));
    await exchange({ jsonrpc: "2.0", method: "notifications/cancelled" });
    open();
    await running;
    expect(sent.map(summary)).toEqual(["ok 7"]);
  });

  test("frees the id at once", async () => {
    const { tool } = gate();
    const { exchange, sent } = openSession({ tools: [tool, echo] });
    const running = exchange(call(7, "gate"));
    await exchange(cancel(7));
    await exchange(call(7, "echo"));
    await running;
    expect(sent.map(summary)).toEqual(["ok 7"]);
  });
});

test("S9 an id that is in flight is refused with DUPLICATE_ID; the first is answered", async () => {
  const { tool, open } = gate();
  const { exchange, sent } = openSession({ tools: [tool] });
  const first = exchange(call(1, "gate"));
  await exchange(call(1, "gate"));
  await exchange({ jsonrpc: "2.0", id: 1, method: "ping" });
  await exchange({ jsonrpc: "2.0", id: "1", method: "ping" });
  open();
  await first;
  expect(sent.map(summary)).toEqual([
    "-32600 DUPLICATE_ID 1",
    "-32600 DUPLICATE_ID 1",
    'ok "1"',
    "ok 1",
  ]);
});

describe("S10 without a credential", () => {
  const refused = openSession({
    tools: [echo],
    authorize: () => Promise.reject(new SvcError("UNAUTHENTICATED", "No credential was given.")),
  });

  test("`initialize` and `ping` answer", async () => {
    expect((await refused.request("initialize")).result?.["instructions"]).toBe("Ask for code.");
    expect((await refused.request("ping")).result).toEqual({});
  });

  test.each(["tools/list", "tools/call"])("%s is UNAUTHENTICATED", async (method) => {
    expect((await refused.request(method, { name: "echo" })).error).toEqual({
      code: 401,
      message: "Unauthorized",
      data: { error_code: "UNAUTHENTICATED", detail: "No credential was given." },
    });
  });

  test("the credential is verified on each call, so that a revoked one is refused on the next", async () => {
    const verdicts = [
      () => Promise.resolve(LOCAL),
      () => Promise.reject(new SvcError("CREDENTIAL_REVOKED", "It was revoked.")),
    ];
    const authorize = () => (verdicts.shift() ?? (() => Promise.reject(new Error())))();
    const { exchange } = openSession({ tools: [echo], authorize });
    expect((await exchange(call(1, "echo"))).map(summary)).toEqual(["ok 1"]);
    expect((await exchange(call(2, "echo"))).map(summary)).toEqual(["401 CREDENTIAL_REVOKED 2"]);
  });
});

test("L2 `ping` and tools/list are answered before initialize", async () => {
  const { request } = openSession({ tools: [echo] });
  expect((await request("ping")).result).toEqual({});
  expect((await request("tools/list")).result).toEqual({ tools: [echo.descriptor] });
});

test.each([
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "completion/complete",
  "logging/setLevel",
  "tasks/list",
  "server/discover",
  "subscriptions/listen",
  "Tools/List",
  "",
])("L4 %j is METHOD_NOT_FOUND", async (method) => {
  const { error } = await openSession().request(method);
  expect(error).toMatchObject({ code: -32601, message: "Method not found" });
  expect(error?.data.error_code).toBe("METHOD_NOT_FOUND");
});

test("M8 the server sends no requests and no log messages", async () => {
  const { request, exchange, sent } = openSession({ tools: [echo] });
  await request("initialize", { protocolVersion: "2025-11-25" });
  await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
  await exchange(call(1, "echo"));
  expect(sent.filter(({ method }) => method !== undefined)).toEqual([]);
});

test("close aborts running and waiting requests; nothing is sent afterwards", async () => {
  const { tool, aborted, started } = gate();
  const { session, exchange, sent } = openSession({ tools: [tool], maxInFlight: 1 });
  const running = [exchange(call(1, "gate")), exchange(call(2, "gate"))];
  await exchange({ jsonrpc: "2.0", id: "sync", method: "ping" });
  await expect.poll(started).toBe(1);
  session.close();
  await Promise.all(running);
  await exchange({ jsonrpc: "2.0", id: "late", method: "ping" });
  expect(aborted).toHaveLength(1);
  expect(sent.map(({ id }) => id)).toEqual(["sync"]);
});

test("every message exchanged is logged at debug", async () => {
  const { logger, entries } = recordingLogger();
  await openSession({ logger }).request("ping", {}, 5);
  expect(entries).toEqual([
    {
      level: "debug",
      message: "received",
      fields: { json: { jsonrpc: "2.0", id: 5, method: "ping", params: {} } },
    },
    {
      level: "debug",
      message: "sent",
      fields: { json: { jsonrpc: "2.0", id: 5, result: {} } },
    },
  ]);
});
