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

/** Sends one message to a new session: "code ERROR_CODE id" for each error, "ok id" for each result. */
async function check(message: unknown): Promise<string[]> {
  return (await openSession({ tools: [echo] }).exchange(message)).map(summary);
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

function ping(id: number): object {
  return { jsonrpc: "2.0", id, method: "ping" };
}

function cancel(requestId: unknown): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

describe("S4 an invalid request is refused with its id, if the id can be read", () => {
  test.each([
    [3, "-32600 INVALID_REQUEST null"],
    ["null", "-32600 INVALID_REQUEST null"],
    [{}, "-32600 INVALID_REQUEST null"],
    [{ a: 1 }, "-32600 INVALID_REQUEST null"],
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, "-32600 INVALID_REQUEST 1"],
    [{ id: "a", method: "ping" }, '-32600 INVALID_REQUEST "a"'],
    [{ jsonrpc: "2.0", id: 1 }, "-32600 INVALID_REQUEST 1"],
    [{ jsonrpc: "2.0", id: 1, method: 7 }, "-32600 INVALID_REQUEST 1"],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, "-32600 INVALID_REQUEST null"],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, "-32600 INVALID_REQUEST null"],
    [{ jsonrpc: "2.0", id: {}, method: "ping" }, "-32600 INVALID_REQUEST null"],
    [{ jsonrpc: "2.0", id: true, method: "ping" }, "-32600 INVALID_REQUEST null"],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', "-32600 INVALID_REQUEST null"],
    ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', "-32600 INVALID_REQUEST null"],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [] }, "-32602 INVALID_PARAMS 1"],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: null }, "-32602 INVALID_PARAMS 1"],
    [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: "x" }, "-32602 INVALID_PARAMS 1"],
  ])("%j", async (message, answer) => {
    expect(await check(message)).toEqual([answer]);
  });

  test("unknown members of a message are ignored", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "ping", extra: 1, result: {}, error: null };
    expect(await check(message)).toEqual(["ok 1"]);
  });

  test("a response is ignored, because the server sends no requests", async () => {
    expect(await check({ jsonrpc: "2.0", id: 1, result: {} })).toEqual([]);
    expect(await check({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } })).toEqual([]);
  });

  test("names of built-in JavaScript members are neither methods nor tools", async () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(await check({ jsonrpc: "2.0", id: 1, method: name })).toEqual([
        "-32601 METHOD_NOT_FOUND 1",
      ]);
      expect(await check(call(1, name))).toEqual(["-32602 TOOL_NOT_FOUND 1"]);
    }
  });

  test("JSON nested 100,000 deep is answered, also with the debug log on", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const line = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`;
    expect(await check(line)).toEqual(["ok 1"]);
  });
});

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

async function negotiated(protocolVersion?: string): Promise<unknown> {
  const params = { clientInfo: { name: "test" }, protocolVersion };
  return (await openSession().request("initialize", params)).result?.["protocolVersion"];
}

describe("L1 initialize", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "echoes %s",
    async (version) => {
      expect(await negotiated(version)).toBe(version);
    },
  );

  test.each(["2026-07-28", "1999-01-01", ""])("answers 2025-11-25 to %j", async (version) => {
    expect(await negotiated(version)).toBe("2025-11-25");
  });

  test("answers the documented version to a client that names none, with the whole result", async () => {
    const { result } = await openSession().request("initialize", { clientInfo: { name: "test" } });
    expect(result).toEqual({
      protocolVersion: "2024-11-05",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "svc", version: "0.8.0", protocolVersion: "2024-11-05" },
      instructions: "Ask for code.",
    });
  });

  test("serverInfo has the documented version with any negotiated version", async () => {
    const { result } = await openSession().request("initialize", { protocolVersion: "2025-06-18" });
    expect(result?.["serverInfo"]).toMatchObject({ protocolVersion: "2024-11-05" });
  });

  test.each([{ protocolVersion: 3 }, { clientInfo: "me" }])(
    "%j is INVALID_PARAMS",
    async (params) => {
      const { error } = await openSession().request("initialize", params);
      expect(error?.data.error_code).toBe("INVALID_PARAMS");
    },
  );
});

test("L2 `ping` and tools/list are answered before initialize", async () => {
  const { request } = openSession({ tools: [echo] });
  expect((await request("ping")).result).toEqual({});
  expect((await request("tools/list")).result).toEqual({ tools: [echo.descriptor] });
});

test("L3 a second initialize is answered, and its version is used from then on", async () => {
  const { request, exchange } = openSession();
  await request("initialize", { protocolVersion: "2025-11-25" });
  const again = await request("initialize", { protocolVersion: "2025-03-26" });
  expect(again.result?.["protocolVersion"]).toBe("2025-03-26");
  const [replies] = await exchange([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
  expect(replies).toMatchObject([{ id: 1, result: {} }]);
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

/** The answers to a batch: one array is one entry. */
async function batch(messages: readonly unknown[], version?: string): Promise<unknown[]> {
  const { exchange, request } = openSession({ tools: [echo] });
  if (version !== undefined) await request("initialize", { protocolVersion: version });
  const answers: readonly unknown[] = await exchange(messages);
  return answers.map((answer) => (Array.isArray(answer) ? answer.map(summary) : summary(answer)));
}

describe("L5 batches", () => {
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  const refusal = "-32600 INVALID_REQUEST null";

  test.each([undefined, "2025-03-26"])("are answered with one array under %s", async (version) => {
    expect(await batch([ping(1), initialized, 7, call(2, "echo")], version)).toEqual([
      ["ok 1", refusal, "ok 2"],
    ]);
  });

  test.each(["2024-11-05", "2025-06-18", "2025-11-25"])("are refused under %s", async (version) => {
    expect(await batch([ping(1)], version)).toEqual([refusal]);
  });

  test("an empty one is INVALID_REQUEST, one with only notifications gets no answer", async () => {
    expect(await batch([])).toEqual([refusal]);
    expect(await batch([initialized, initialized])).toEqual([]);
  });

  test("a duplicate id within one is refused, the first is answered", async () => {
    expect(await batch([call(1, "echo"), call(1, "echo")])).toEqual([
      ["-32600 DUPLICATE_ID 1", "ok 1"],
    ]);
  });

  test("more than 1,000 messages are refused as a whole", async () => {
    expect(await batch(Array.from({ length: 1001 }, (_, id) => ping(id)))).toEqual([refusal]);
  });

  test("the version applies from the line after initialize", async () => {
    const { session, sent } = openSession();
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18" },
    };
    await Promise.all([
      session.receive(JSON.stringify(initialize)),
      session.receive(JSON.stringify([ping(2)])),
    ]);
    expect(sent.map(summary).toSorted()).toEqual(["-32600 INVALID_REQUEST null", "ok 1"]);
  });
});

describe("C9 messages without an id", () => {
  test.each(["initialize", "tools/list", "tools/call"])(
    "%s, shown so by the interface, is answered with the id null",
    async (method) => {
      const [reply] = await openSession({ tools: [echo] }).exchange({
        jsonrpc: "2.0",
        method,
        params: { name: "echo" },
      });
      expect(reply && summary(reply)).toBe("ok null");
    },
  );

  test.each(["ping", "notifications/initialized", "notifications/nonsense", "nonsense"])(
    "%s is a notification, and never answered, even with bad params",
    async (method) => {
      expect(await check({ jsonrpc: "2.0", method })).toEqual([]);
      expect(await check({ jsonrpc: "2.0", method, params: 7 })).toEqual([]);
    },
  );
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
