import { expect } from "vitest";

import { serverFor } from "./server-for.ts";
import type { Reply } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const server = serverFor({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });

/** The result of a tool call: `code error_code`, or "ok". */
async function call(name: string, input: unknown): Promise<string> {
  const { error } = await server().request("tools/call", { name, arguments: input });
  return error === undefined ? "ok" : `${error.code} ${error.data.error_code}`;
}

/** The result of a request: `code message`, or "ok". */
async function request(method: string, params: unknown): Promise<string> {
  return codeAndMessage(await server().request(method, params));
}

async function raw(line: string): Promise<string> {
  return codeAndMessage(await server().raw(line));
}

function codeAndMessage({ error }: Reply): string {
  return error === undefined ? "ok" : `${error.code} ${error.message}`;
}

verifies("7/parse-error", "a line that is not JSON is a parse error without an id", async () => {
  const { id, error } = await server().raw('{"jsonrpc":"2.0","id":1,');
  expect(id).toBeNull();
  expect(error).toMatchObject({ code: -32_700, message: "Parse error" });
});

verifies("7/invalid-request", "JSON that is no request is an invalid request", async () => {
  const lines = [
    '"text"',
    "[]",
    "{}",
    '{"jsonrpc":"1.0","id":900,"method":"ping"}',
    '{"jsonrpc":"2.0","id":901}',
    '{"jsonrpc":"2.0","id":902,"method":7}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  ];
  const refused = await Promise.all(lines.map(async (line) => [line, await raw(line)]));
  expect(refused).toEqual(lines.map((line) => [line, "-32600 Invalid request"]));
});

verifies("7/invalid-request", "the id comes back where it can be read", async () => {
  const { id } = await server().raw('{"jsonrpc":"1.0","id":903,"method":"ping"}');
  expect(id).toBe(903);
});

verifies("7/method-not-found", "an unknown method is not found", async () => {
  const methods = ["tools/lists", "resources/list", "prompts/list", "logging/setLevel"];
  const refused = await Promise.all(methods.map(async (name) => [name, await request(name, {})]));
  expect(refused).toEqual(methods.map((name) => [name, "-32601 Method not found"]));
});

verifies("7/invalid-params", "params outside their schema are invalid params", async () => {
  const bad: unknown[] = [
    { name: "no_such_tool", arguments: {} },
    { name: "search_context", arguments: { query: "t" } },
    { name: "search_context", arguments: { query: "tides", namespace: "none" } },
    { name: "search_context", arguments: { limit: 5 } },
    { name: "search_context", arguments: [] },
    { name: 7 },
    {},
    [1],
  ];
  const refused = await Promise.all(bad.map(async (it) => [it, await request("tools/call", it)]));
  expect(refused).toEqual(bad.map((it) => [it, "-32602 Invalid params"]));
});

verifies(
  ["2.5/error-response", "7/error-shape", "7/error-data"],
  "every error has the same members, with its own code and detail",
  async () => {
    const replies = [
      await server().raw("{"),
      await server().raw("{}"),
      await server().request("no/such/method"),
      await server().request("tools/call", { name: "no_such_tool" }),
      await server().request("tools/call", { name: "search_context", arguments: { query: "?" } }),
    ];
    for (const reply of replies) {
      expect(Object.keys(reply).toSorted()).toEqual(["error", "id", "jsonrpc"]);
      expect(reply.jsonrpc).toBe("2.0");
      expect(reply.error).toEqual({
        code: expect.any(Number),
        message: expect.any(String),
        data: {
          error_code: expect.stringMatching(/^[A-Z]+(_[A-Z]+)*$/),
          detail: expect.stringMatching(/\S/),
        },
      });
    }
  },
);

verifies(["7/error-codes", "8/query-length"], "a query of 2 characters is invalid", async () => {
  expect(await call("search_context", { query: "ab" })).toBe("-32602 INVALID_QUERY");
  expect(await call("search_context", { query: "" })).toBe("-32602 INVALID_QUERY");
});

verifies(
  ["7/error-codes", "8/query-length"],
  "a query of 10001 characters is invalid",
  async () => {
    expect(await call("search_context", { query: "a".repeat(10_001) })).toBe(
      "-32602 INVALID_QUERY",
    );
  },
);

verifies("8/query-length", "queries of 3 and of 10000 characters are answered", async () => {
  expect(await call("search_context", { query: "day" })).toBe("ok");
  expect(await call("search_context", { query: "tide ".repeat(2000) })).toBe("ok");
});

verifies("8/query-length", "characters are code points, not UTF-16 units", async () => {
  const wave = "\u{1F30A}";
  expect(wave).toHaveLength(2);
  expect(await call("search_context", { query: wave.repeat(2) })).toBe("-32602 INVALID_QUERY");
  expect(await call("search_context", { query: wave.repeat(3) })).toBe("ok");
  expect(await call("search_context", { query: wave.repeat(10_000) })).toBe("ok");
  expect(await call("search_context", { query: wave.repeat(10_001) })).toBe("-32602 INVALID_QUERY");
});

verifies("7/error-codes", "a namespace that does not exist is NAMESPACE_NOT_FOUND", async () => {
  const input = { query: "turn of the tide", namespace: "no-such-namespace" };
  expect(await call("search_context", input)).toBe("-32602 NAMESPACE_NOT_FOUND");
});
