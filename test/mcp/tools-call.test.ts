import { describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import type { ServerOptions } from "../../src/mcp/options.ts";
import { localOwner } from "../../src/sources/principal.ts";
import type { ToolResult, Progress, ToolContext } from "../../src/tools/tool.ts";
import { FIXTURE_TOOLS } from "../transports/fixtures/tools.ts";
import { fixtureTool, openSession, recordingLogger, type Wire } from "../helpers/rpc.ts";

/** tools/call on a new session, with the fixture tools by default. */
function call(
  name: unknown,
  args?: unknown,
  more: Partial<ServerOptions> & { meta?: unknown } = {},
): Promise<Wire> {
  const { meta, ...options } = more;
  const { request } = openSession({ tools: FIXTURE_TOOLS, ...options });
  return request("tools/call", { name, arguments: args, _meta: meta, unknown: "ignored" }, 1);
}

/** The reply to a call of a tool with this `run`. */
function answerOf(
  run: (context: ToolContext) => Promise<ToolResult>,
  options: Partial<ServerOptions> = {},
): Promise<Wire> {
  return call(
    "t",
    {},
    { tools: [fixtureTool("t", (_input, context) => run(context))], ...options },
  );
}

/** "code ERROR_CODE". Checks that the error has all five parts (T11). */
function errorOf({ error, result }: Wire): string {
  expect(result).toBeUndefined();
  expect(error).toEqual({
    code: expect.any(Number),
    message: expect.any(String),
    data: { error_code: expect.any(String), detail: expect.stringMatching(/./) },
  });
  return `${error?.code} ${error?.message}: ${error?.data.error_code}`;
}

describe("T4 an INVALID_QUERY of the tool is a protocol error", () => {
  test.each(["ab", "x".repeat(10_001), "🙂🙂"])("%#", async (query) => {
    expect(errorOf(await call("search_context", { query }))).toBe(
      "-32602 Invalid params: INVALID_QUERY",
    );
  });

  test.each(["abc", "🙂🙂🙂", "🙂".repeat(10_000)])(
    "3 to 10,000 code points pass: %#",
    async (query) => {
      expect((await call("search_context", { query })).result).toBeDefined();
    },
  );
});

describe("T5 errors of the call itself", () => {
  test("an unknown tool is TOOL_NOT_FOUND, and the detail shortens a long name", async () => {
    const reply = await call("n".repeat(10_000));
    expect(errorOf(reply)).toBe("-32602 Invalid params: TOOL_NOT_FOUND");
    expect(reply.error?.data.detail.length).toBeLessThan(200);
  });

  test.each([
    [undefined, {}],
    [7, {}],
    ["echo", []],
    ["echo", null],
    ["echo", "text"],
  ])("name %j with arguments %j is INVALID_PARAMS", async (name, args) => {
    expect(errorOf(await call(name, args))).toBe("-32602 Invalid params: INVALID_PARAMS");
  });

  test("arguments are optional", async () => {
    expect((await call("echo")).result).toBeDefined();
  });

  test.each(["", "abc", 5, null])(
    "the cursor %j on tools/list is INVALID_CURSOR",
    async (cursor) => {
      expect(errorOf(await openSession().request("tools/list", { cursor }))).toBe(
        "-32602 Invalid params: INVALID_CURSOR",
      );
    },
  );
});

describe("T8 progress", () => {
  const steps = fixtureTool("steps", async (_input, { progress }) => {
    const reports: Progress[] = [
      { done: 1, total: 9, message: "walking" },
      { done: 1 },
      { done: 0.5 },
      { done: Number.NaN },
      { done: 2 },
    ];
    for (const report of reports) progress(report);
    return {};
  });

  async function progressFor(meta: unknown): Promise<unknown[]> {
    const { request, sent } = openSession({ tools: [steps] });
    await request("tools/call", { name: "steps", _meta: meta });
    const reports = sent.filter(({ method }) => method === "notifications/progress");
    expect(sent.at(-1)).not.toHaveProperty("method");
    return reports.map(({ params }) => params);
  }

  test.each([0, 7, "", "token"])("is sent for the token %j, strictly increasing", async (token) => {
    expect(await progressFor({ progressToken: token })).toEqual([
      { progressToken: token, progress: 1, total: 9, message: "walking" },
      { progressToken: token, progress: 2 },
    ]);
  });

  test.each([undefined, null, {}, { progressToken: null }, { progressToken: 1.5 }, 3])(
    "is not sent for the _meta %j",
    async (meta) => {
      expect(await progressFor(meta)).toEqual([]);
    },
  );

  test("ends with the reply", async () => {
    let late: (() => void) | undefined;
    const tool = fixtureTool("t", async (_input, { progress }) => {
      late = () => progress({ done: 2 });
      return {};
    });
    const { request, sent } = openSession({ tools: [tool] });
    await request("tools/call", { name: "t", _meta: { progressToken: 0 } });
    late?.();
    expect(sent).toHaveLength(1);
  });
});

describe("T9 a bug in a tool", () => {
  test.each([
    new Error("boom at /home/someone/a.ts"),
    "boom",
    undefined,
    new RangeError("Maximum call stack size exceeded"),
  ])("%s is an internal error without its message", async (thrown) => {
    const { logger, entries } = recordingLogger();
    const reply = await answerOf(() => Promise.reject(thrown), { logger });
    expect(errorOf(reply)).toBe("-32603 Internal error: INTERNAL_ERROR");
    expect(reply.error?.data.detail).toBe("Internal error; the log shows the cause.");
    expect(entries.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  test("has its stack trace in the log", async () => {
    const { logger, entries } = recordingLogger();
    const bug = new Error("boom");
    await answerOf(() => Promise.reject(bug), { logger });
    const [warning] = entries.filter(({ level }) => level === "warn");
    expect(warning?.fields).toMatchObject({ id: 1, method: "tools/call", error: bug });
  });

  test("thrown synchronously, or in authorize, is an internal error", async () => {
    const throwing = fixtureTool("t", () => {
      throw new Error("boom");
    });
    for (const reply of [
      await call("t", {}, { tools: [throwing] }),
      await call("echo", {}, { authorize: () => Promise.reject(new Error("boom")) }),
    ]) {
      expect(errorOf(reply)).toBe("-32603 Internal error: INTERNAL_ERROR");
    }
  });

  test("that makes the answer unserializable is an internal error", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const structured of [circular, { big: 1n }]) {
      const reply = await answerOf(async () => ({ structured }));
      expect(errorOf(reply)).toBe("-32603 Internal error: INTERNAL_ERROR");
    }
  });

  test("a full disk is STORAGE_FULL", async () => {
    const full = Object.assign(new Error("write"), { code: "ENOSPC" });
    expect(errorOf(await answerOf(() => Promise.reject(full)))).toBe(
      "-32603 Internal error: STORAGE_FULL",
    );
  });
});

describe("T10 the time limit", () => {
  test("answers TIMEOUT, aborts the work, and the session continues", async () => {
    let reason: unknown;
    const deaf = fixtureTool("deaf", (_input, { signal }) => {
      signal.addEventListener("abort", () => (reason = signal.reason));
      return new Promise(() => {});
    });
    const { request } = openSession({ tools: [deaf], timeoutMs: 20 });
    const reply = await request("tools/call", { name: "deaf" });
    expect(errorOf(reply)).toBe("-32603 Internal error: TIMEOUT");
    expect(reply.error?.data.detail).toMatch(/longer than 0\.02 seconds/);
    expect(reason).toMatchObject({ code: "TIMEOUT" });
    expect((await request("ping")).result).toEqual({});
  });

  test("includes the wait for a slot, and calls that ignore it keep no slot", async () => {
    const never = fixtureTool("never", () => new Promise(() => {}));
    const { request } = openSession({ tools: [never], timeoutMs: 20, maxInFlight: 1 });
    const replies = await Promise.all(
      [1, 2, 3].map(() => request("tools/call", { name: "never" })),
    );
    expect(replies.map(errorOf)).toEqual(Array(3).fill("-32603 Internal error: TIMEOUT"));
    expect((await request("tools/list")).result).toBeDefined();
  });

  test("applies to a blocked credential check", async () => {
    const options = { timeoutMs: 20, authorize: () => new Promise<never>(() => {}) };
    expect(errorOf(await call("echo", {}, options))).toBe("-32603 Internal error: TIMEOUT");
  });
});

test("T11 an error about the query is a result with isError", async () => {
  const detail = "There is no a.ts. Nearest: b.ts.";
  expect((await call("missing")).result).toEqual({
    content: [{ type: "text", text: detail, partial: false }],
    isError: true,
    structuredContent: { error_code: "PATH_NOT_FOUND", detail },
  });
});

test("T11 an error about the call has code, table message, error_code and detail", async () => {
  const error = new SvcError("NAMESPACE_NOT_FOUND", "There is no namespace x.", { hint: "Try y." });
  expect((await answerOf(() => Promise.reject(error))).error).toEqual({
    code: -32602,
    message: "Invalid params",
    data: { error_code: "NAMESPACE_NOT_FOUND", detail: "There is no namespace x. Try y." },
  });
});

describe("a read-only caller", () => {
  const read = fixtureTool("read", async () => ({}));
  const write = fixtureTool("write", async () => ({}), { readOnly: false });
  const tools = [read, write];

  test("neither sees nor calls tools that change the index", async () => {
    const { request } = openSession({
      tools,
      authorize: async () => localOwner({ readOnly: true }),
    });
    expect((await request("tools/list")).result).toEqual({ tools: [read.descriptor] });
    expect((await request("tools/call", { name: "read" })).result).toBeDefined();
    expect(errorOf(await request("tools/call", { name: "write" }))).toBe(
      "403 Forbidden: FORBIDDEN",
    );
  });

  test("whose rights changed is notified once of the new list", async () => {
    let isReadOnly = false;
    const authorize = () => Promise.resolve(localOwner({ readOnly: isReadOnly }));
    const { request, exchange, sent } = openSession({ tools, authorize });
    await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
    await request("tools/list");
    await request("tools/call", { name: "read" });
    isReadOnly = true;
    await request("tools/call", { name: "read" });
    await request("tools/call", { name: "read" });
    const notices = sent.filter(({ method }) => method !== undefined);
    expect(notices).toEqual([
      { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} },
    ]);
  });
});

/** The fields of the info lines that one call writes. */
async function logged(name: string, options: Partial<ServerOptions> = {}): Promise<unknown[]> {
  const { logger, entries } = recordingLogger();
  await call(name, { query: "where is it" }, { logger, ...options });
  return entries.filter(({ level }) => level === "info").map(({ fields }) => fields);
}

describe("the log of calls", () => {
  test.each([
    ["search_context", { outcome: "ok", items: 3 }],
    ["missing", { outcome: "INVALID_PARAMS", items: 1 }],
    ["nothing", { outcome: "TOOL_NOT_FOUND", items: 0 }],
  ])("has one line for %s", async (tool, fields) => {
    expect(await logged(tool)).toEqual([{ id: 1, tool, ms: expect.any(Number), ...fields }]);
  });

  test("has one line for a cancelled call and for a timed-out one", async () => {
    const never = fixtureTool("never", () => new Promise(() => {}));
    expect(await logged("never", { tools: [never], timeoutMs: 5 })).toMatchObject([
      { outcome: "TIMEOUT" },
    ]);
    const { logger, entries } = recordingLogger();
    const { session, exchange } = openSession({ tools: [never], logger });
    const params = { name: "never" };
    const running = exchange({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    session.close();
    await running;
    expect(entries.filter(({ level }) => level === "info")).toMatchObject([
      { fields: { outcome: "cancelled" } },
    ]);
  });

  test("never contains the arguments", async () => {
    expect(JSON.stringify(await logged("search_context"))).not.toContain("where is it");
  });
});
