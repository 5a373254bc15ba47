// The simulated model provider calls every tool of the script and records each result, with every API.
import { expect, onTestFinished, test } from "vitest";

import { anthropic } from "../../../bench/clients/anthropic.ts";
import { CALLS } from "../../../bench/clients/calls.ts";
import { geminiApi } from "../../../bench/clients/gemini-api.ts";
import { openaiChat } from "../../../bench/clients/openai-chat.ts";
import { openaiResponses } from "../../../bench/clients/openai-responses.ts";
import { startStandIn } from "../../../bench/clients/stand-in.ts";
import type { Json, WireApi } from "../../../bench/clients/wire-api.ts";
import { TOOL_LISTINGS } from "../../../src/tools/tool-listings.ts";

const NAMES = TOOL_LISTINGS.map(({ name }) => `mcp__svc__${name}`);

interface Dialect {
  readonly api: WireApi;
  readonly path: string;
  /** A request that offers the tools and gives the results of those calls. */
  readonly body: (ids: readonly string[]) => Json;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "Anthropic Messages": {
    api: anthropic,
    path: "/v1/messages?beta=true",
    body: (ids) => ({
      stream: true,
      tools: NAMES.map((name) => ({ name })),
      messages: [
        {
          role: "user",
          content: ids.map((id) => ({
            type: "tool_result",
            tool_use_id: id,
            content: [{ type: "text", text: `result of ${id}` }],
          })),
        },
      ],
    }),
  },
  "OpenAI Responses": {
    api: openaiResponses,
    path: "/v1/responses",
    body: (ids) => ({
      tools: [{ type: "namespace", name: "mcp__svc", tools: NAMES.map((name) => ({ name })) }],
      input: ids.map((id) => ({
        type: "function_call_output",
        call_id: id,
        output: `result of ${id}`,
      })),
    }),
  },
  "OpenAI chat completions": {
    api: openaiChat,
    path: "/v1/chat/completions",
    body: (ids) => ({
      stream: true,
      tools: NAMES.map((name) => ({ type: "function", function: { name } })),
      messages: ids.map((id) => ({ role: "tool", tool_call_id: id, content: `result of ${id}` })),
    }),
  },
  Gemini: {
    api: geminiApi,
    path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    body: (ids) => ({
      tools: [{ functionDeclarations: NAMES.map((name) => ({ name })) }],
      contents: [
        {
          parts: ids.map((id) => ({
            functionResponse: { id, response: { output: `result of ${id}` } },
          })),
        },
      ],
    }),
  },
};

test.each(Object.entries(DIALECTS))(
  "%s: all calls of the script are made, and each result is kept",
  async (_name, { api, path, body }) => {
    const standIn = await startStandIn(api);
    onTestFinished(standIn.close);
    const ask = async (ids: readonly string[]): Promise<readonly string[]> => {
      const answer = await fetch(`http://127.0.0.1:${standIn.port}${path}`, {
        method: "POST",
        body: JSON.stringify(body(ids)),
      });
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      const text = await answer.text();
      return [...new Set(text.match(/\bcall_\d+/g))];
    };
    let ids = await ask([]);
    for (let turn = 0; ids.length > 0 && turn < CALLS.length; turn += 1) ids = await ask(ids);
    expect([...standIn.received.keys()].toSorted((one, other) => one - other)).toEqual(
      CALLS.map((_call, at) => at),
    );
    expect(standIn.received.get(7)).toBe("result of call_7");
  },
);

test("a request that offers no tools is answered without calls", async () => {
  const standIn = await startStandIn(anthropic);
  onTestFinished(standIn.close);
  const answer = await fetch(`http://127.0.0.1:${standIn.port}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ messages: [] }),
  });
  expect(await answer.json()).toMatchObject({
    content: [{ type: "text" }],
    stop_reason: "end_turn",
  });
  expect(standIn.received.size).toBe(0);
});

test("the script has 40 questions and 20 wrong calls", () => {
  const wrong = CALLS.filter(({ remedy }) => remedy !== undefined);
  expect([CALLS.length - wrong.length, wrong.length]).toEqual([40, 20]);
});
