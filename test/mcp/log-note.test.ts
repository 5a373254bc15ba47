// The note on a token that expires soon: at the end of each answer, and once per session as a log message.
import { expect, test } from "vitest";

import type { ServerOptions } from "../../src/mcp/options.ts";
import { fixtureTool, modernParams, openSession, type Wire } from "../helpers/rpc.ts";

const METHOD = "notifications/message";
const LEVEL = "io.modelcontextprotocol/logLevel";
const NOTE = "Note for your user: the token expires.";
const MESSAGE = {
  jsonrpc: "2.0",
  method: METHOD,
  params: { level: "warning", logger: "svc", data: NOTE },
};

const TOOLS = [
  fixtureTool("text", async (_input, { emit }) => {
    emit({ text: "one" });
    emit({
      text: "two",
      meta: { "dev.svc/confidence": 0.9, "dev.svc/passages": [["a.ts", 1, 2]], own: 1 },
    });
    return { isRepeatable: true };
  }),
  fixtureTool("passages", async (_input, { emit }) => {
    emit({ text: "one", meta: { "dev.svc/passages": [["a.ts", 1, 2]] } });
    return {};
  }),
  fixtureTool("data", async () => ({ structured: { count: 1 } })),
];

function open(options: Partial<ServerOptions> = {}) {
  return openSession({ tools: TOOLS, note: () => NOTE, ...options });
}

const logged = (sent: readonly Wire[]): readonly Wire[] =>
  sent.filter(({ method }) => method === METHOD);

test("each answer ends with the note, and the facts of the passages stay in the last item", async () => {
  const { request } = open();
  const ephemeral = { type: "ephemeral" };
  expect((await request("tools/call", { name: "text" })).result).toEqual({
    content: [
      { type: "text", text: "one", partial: true },
      { type: "text", text: "two", partial: true, _meta: { own: 1 } },
      {
        type: "text",
        text: NOTE,
        partial: false,
        cache_control: ephemeral,
        _meta: {
          "dev.svc/partial": false,
          "dev.svc/cacheControl": ephemeral,
          "dev.svc/confidence": 0.9,
          "dev.svc/passages": [["a.ts", 1, 2]],
        },
      },
    ],
  });
  const only = (await request("tools/call", { name: "passages" })).result?.["content"];
  expect(only).toMatchObject([
    { text: "one" },
    { _meta: { "dev.svc/passages": [["a.ts", 1, 2]] } },
  ]);
  expect(JSON.stringify(only).split("_meta")).toHaveLength(2);
  const { result } = await request("tools/call", { name: "data" });
  expect(result).toMatchObject({
    content: [{ text: NOTE, partial: false }],
    structuredContent: { count: 1 },
  });
});

test("a legacy client gets one log message, once it is initialized", async () => {
  const { request, exchange, sent } = open();
  await request("initialize", { clientInfo: { name: "t" } });
  await request("tools/list");
  expect(logged(sent)).toEqual([]);
  await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
  await request("tools/list");
  await request("tools/call", { name: "data" });
  expect(logged(sent)).toEqual([MESSAGE]);
});

test.each([
  [undefined, []],
  ["error", []],
  ["emergency", []],
  ["loud", []],
  ["warning", [MESSAGE]],
  ["debug", [MESSAGE]],
])("a modern client that asks for the level %s", async (level, expected) => {
  const { request, sent } = open();
  const params = modernParams({ name: "data" }, level === undefined ? {} : { [LEVEL]: level });
  await request("tools/call", params);
  await request("tools/call", params);
  expect(logged(sent)).toEqual(expected);
});

test("without a note there is nothing, and a note may begin while the session runs", async () => {
  let note: string | undefined;
  const { request, exchange, sent } = open({ note: () => note });
  await request("initialize", { clientInfo: { name: "t" } });
  await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
  const plain = await request("tools/call", { name: "text" });
  expect(JSON.stringify([plain, logged(sent)])).not.toContain("Note");
  note = NOTE;
  await request("tools/list");
  expect(logged(sent)).toEqual([MESSAGE]);
});
