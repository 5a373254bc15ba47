import { describe, expect, test } from "vitest";
import { isObject } from "../../src/mcp/message.ts";
import { fixtureTool, openSession, type Wire } from "../helpers/rpc.ts";

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});

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
