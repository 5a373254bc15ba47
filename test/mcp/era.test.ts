import { describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { localOwner } from "../../src/sources/principal.ts";
import {
  fixtureTool,
  MODERN_RESULT_META,
  modernParams,
  openSession,
  type Wire,
} from "../helpers/rpc.ts";
import { FIXTURE_TOOLS } from "../transports/fixtures/tools.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});

/** "code ERROR_CODE" for an error, "ok" for a result. */
function outcome({ error }: Wire): string {
  return error === undefined ? "ok" : `${error.code} ${error.data.error_code}`;
}

/** The outcome of one request with this `_meta` to a fresh session. */
async function withMeta(method: string, meta: object): Promise<string> {
  return outcome(await openSession({ tools: [echo] }).request(method, { _meta: meta }));
}

describe("M1 the era of a request", () => {
  test.each([undefined, null, 7, {}, ["2026-07-28"]])(
    "is the legacy one when the version is %j",
    async (version) => {
      expect(await withMeta("ping", { [VERSION]: version })).toBe("ok");
      expect(await withMeta("server/discover", { [VERSION]: version })).toBe(
        "-32601 METHOD_NOT_FOUND",
      );
    },
  );

  test.each([undefined, null, [], "sampling"])(
    "modern with the capabilities %j is INVALID_PARAMS, whatever the method",
    async (capabilities) => {
      const meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: capabilities };
      for (const method of ["server/discover", "tools/list", "tools/call", "initialize"]) {
        expect(await withMeta(method, meta)).toBe("-32602 INVALID_PARAMS");
      }
    },
  );

  test("needs no clientInfo, and accepts any", async () => {
    const meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };
    expect(await withMeta("tools/list", meta)).toBe("ok");
    const odd = { ...meta, "io.modelcontextprotocol/clientInfo": 7 };
    expect(await withMeta("server/discover", odd)).toBe("ok");
  });

  test.each(["initialize", "tools/list", "tools/call", "server/discover"])(
    "modern makes %s without an id a notification",
    async (method) => {
      const { exchange } = openSession({ tools: [echo] });
      const params = modernParams({ name: "echo" });
      expect(await exchange({ jsonrpc: "2.0", method, params })).toEqual([]);
    },
  );

  test("does not make a message without a method or with invalid params valid", async () => {
    const { exchange } = openSession();
    const params = modernParams();
    const [noMethod] = await exchange({ jsonrpc: "2.0", id: 1, method: 7, params });
    expect(noMethod && outcome(noMethod)).toBe("-32600 INVALID_REQUEST");
    const [list] = await exchange({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/list",
      params: [params],
    });
    expect(list && outcome(list)).toBe("-32602 INVALID_PARAMS");
  });
});

describe("M2 an unsupported version", () => {
  test.each(["1900-01-01", "2025-11-25", "2027-01-01", ""])(
    "%j gets the list of those that are",
    async (version) => {
      const { request } = openSession({ tools: [echo] });
      const { error } = await request("tools/list", modernParams({}, { [VERSION]: version }));
      expect(error).toEqual({
        code: -32022,
        message: "Unsupported protocol version",
        data: {
          error_code: "UNSUPPORTED_VERSION",
          detail: expect.stringContaining("2026-07-28"),
          supported: ["2026-07-28"],
          requested: version,
        },
      });
      const { result } = await request("server/discover", modernParams());
      expect(result?.["supportedVersions"]).toEqual(error?.data.supported);
    },
  );

  test("is checked first, before the method and the credential", async () => {
    const { request } = openSession({
      authorize: () => Promise.reject(new SvcError("UNAUTHENTICATED", "No credential.")),
    });
    const params = modernParams({}, { [VERSION]: "1900-01-01" });
    for (const method of ["initialize", "nonsense", "tools/call", "subscriptions/listen"]) {
      expect(outcome(await request(method, params))).toBe("-32022 UNSUPPORTED_VERSION");
    }
  });

  test("is quoted shortened and with secrets masked", async () => {
    const version = `svt_${"a".repeat(38)} ${"x".repeat(10_000)}`;
    const { request } = openSession();
    const reply = await request("tools/list", modernParams({}, { [VERSION]: version }));
    expect(JSON.stringify(reply).length).toBeLessThan(600);
    expect(JSON.stringify(reply)).not.toContain("svt_a");
  });
});

describe("M4 additional members of a modern result", () => {
  const modern = { resultType: "complete", _meta: MODERN_RESULT_META };

  test("tools/list: lifetime and scope of its cache", async () => {
    const { request } = openSession({ tools: [echo] });
    expect((await request("tools/list", modernParams())).result).toEqual({
      tools: [echo.descriptor],
      ttlMs: 300_000,
      cacheScope: "private",
      ...modern,
    });
  });

  test.each(["search_context", "status", "missing"])(
    "tools/call of %s: the legacy result and no more",
    async (name) => {
      const { request } = openSession({ tools: FIXTURE_TOOLS });
      const params = { name, arguments: name === "search_context" ? { query: "a bcd" } : {} };
      const { result: legacy } = await request("tools/call", params);
      const { result } = await request("tools/call", modernParams(params));
      expect(result).toEqual({ ...legacy, ...modern });
    },
  );

  test("a legacy client gets none of them, even right after a modern one", async () => {
    const { exchange, request } = openSession({ tools: [echo] });
    await request("server/discover", modernParams());
    await request("tools/list", modernParams());
    const before = JSON.stringify([
      await exchange({ jsonrpc: "2.0", id: 1, method: "initialize" }),
      await exchange({ jsonrpc: "2.0", id: 2, method: "ping" }),
      await exchange({ jsonrpc: "2.0", id: 3, method: "tools/list" }),
      await exchange({ jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "echo" } }),
    ]);
    expect(before).not.toMatch(/resultType|ttlMs|cacheScope|io\.modelcontextprotocol/);
  });

  test("an error is the same in both eras", async () => {
    const { request } = openSession({ tools: FIXTURE_TOOLS });
    const bad = [
      { name: "nothing" },
      { name: "search_context", arguments: { query: "ab" } },
      { name: "broken" },
      { arguments: {} },
    ];
    for (const params of bad) {
      const { error } = await request("tools/call", params);
      expect(error).toBeDefined();
      expect((await request("tools/call", modernParams(params))).error).toEqual(error);
    }
    const { error } = await request("tools/list", modernParams({ cursor: "x" }));
    expect(error?.data.error_code).toBe("INVALID_CURSOR");
  });

  test("T8 progress goes to the token of a modern call too, 0 included", async () => {
    const slow = fixtureTool("slow", async (_input, { progress }) => {
      progress({ done: 1, message: "working" });
      return {};
    });
    const { exchange } = openSession({ tools: [slow] });
    const params = modernParams({ name: "slow" }, { progressToken: 0 });
    expect(await exchange({ jsonrpc: "2.0", id: 1, method: "tools/call", params })).toMatchObject([
      { method: "notifications/progress", params: { progressToken: 0, progress: 1 } },
      { id: 1, result: { resultType: "complete" } },
    ]);
  });
});

describe("M5 methods that the version does not have", () => {
  test.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "tasks/list",
    "Server/Discover",
    "constructor",
    "",
  ])("%j is METHOD_NOT_FOUND", async (method) => {
    const { error } = await openSession().request(method, modernParams());
    expect(error).toMatchObject({
      code: -32601,
      message: "Method not found",
      data: { error_code: "METHOD_NOT_FOUND" },
    });
  });

  test("batches: one with a modern request in it is refused as a whole", async () => {
    const modern = { jsonrpc: "2.0", id: 1, method: "tools/list", params: modernParams() };
    const legacy = { jsonrpc: "2.0", id: 2, method: "ping" };
    const { exchange } = openSession({ tools: [echo] });
    const answers = await exchange([legacy, modern]);
    expect(answers.map(outcome)).toEqual(["-32600 INVALID_REQUEST"]);
  });
});

describe("M7 both eras on one connection", () => {
  test("a modern request is served before, between and after legacy ones", async () => {
    const { request } = openSession({ tools: [echo] });
    const list = async (): Promise<unknown> => (await request("tools/list", modernParams())).result;
    const first = await list();
    await request("initialize", { protocolVersion: "2025-03-26" });
    expect(await list()).toEqual(first);
    await request("tools/list");
    expect(await list()).toEqual(first);
    expect((await request("ping")).result).toEqual({});
  });

  test("a modern request does not set the version of legacy ones", async () => {
    const { request, exchange } = openSession();
    await request("initialize", { protocolVersion: "2025-03-26" });
    await request("server/discover", modernParams());
    const [answer] = await exchange([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
    expect(answer).toMatchObject([{ id: 1, result: {} }]);
  });

  test("a modern and a legacy tools/list do not affect each other", async () => {
    const write = fixtureTool("write", async () => ({}), { readOnly: false });
    let readOnly = false;
    const { request, exchange, sent } = openSession({
      tools: [echo, write],
      authorize: async () => localOwner({ readOnly }),
    });
    await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
    await request("tools/list", modernParams());
    readOnly = true;
    await request("tools/call", { name: "echo" });
    await request("tools/list");
    readOnly = false;
    await request("tools/call", modernParams({ name: "echo" }));
    expect(sent.filter(({ method }) => method !== undefined)).toEqual([]);
    await request("tools/call", { name: "echo" });
    expect(sent.map(({ method }) => method)).toContain("notifications/tools/list_changed");
  });

  test("the credential is verified on each modern call", async () => {
    const verdicts = [
      () => Promise.resolve(localOwner()),
      () => Promise.reject(new SvcError("CREDENTIAL_REVOKED", "It was revoked.")),
    ];
    const authorize = () => (verdicts.shift() ?? (() => Promise.reject(new Error())))();
    const { request } = openSession({ tools: [echo], authorize });
    const params = modernParams({ name: "echo" });
    expect(outcome(await request("tools/call", params))).toBe("ok");
    expect(outcome(await request("tools/call", params))).toBe("401 CREDENTIAL_REVOKED");
  });
});

test("M8 a modern client that requests a log level gets no log messages", async () => {
  const { exchange } = openSession({ tools: [echo] });
  const params = modernParams({ name: "echo" }, { "io.modelcontextprotocol/logLevel": "debug" });
  const answers = await exchange({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  expect(answers.map(({ id }) => id)).toEqual([1]);
});

test("a refused tools/call is audited with its code", async () => {
  const outcomes: string[] = [];
  const { request } = openSession({
    tools: [echo],
    audit: (call) => void outcomes.push(call.outcome),
  });
  await request("tools/call", modernParams({ name: "echo" }, { [VERSION]: "1900-01-01" }));
  await request("tools/call", modernParams({ name: "echo" }));
  expect(outcomes).toEqual(["UNSUPPORTED_VERSION", "ok"]);
});
