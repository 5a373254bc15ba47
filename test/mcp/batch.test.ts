import { describe, expect, test } from "vitest";
import { isObject } from "../../src/mcp/message.ts";
import { fixtureTool, openSession, type Wire } from "../helpers/rpc.ts";

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});

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
