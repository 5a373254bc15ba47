// Lines of the protocol's checklist that apply to standard input and output and to HTTP alike, in the revisions
// that they concern. Lines for one transport are tested in its own file.
// oxlint-disable no-await-in-loop -- the tests send one message after the other
import { describe, expect, test } from "vitest";

import { ERRORS, httpStatusOf, rpcMessage, SvcError } from "../../src/base/errors.ts";
import { tools as realTools } from "../../src/tools/registry.ts";
import { fixtureTool, MODERN_RESULT_META, repeatsStructuredContent } from "../helpers/rpc.ts";
import { FIXTURE_TOOLS } from "../transports/fixtures/tools.ts";
import { LEGACY, MODERN, onBothWires, type Exchange, type Exchanged, type Peer } from "./wires.ts";

const EVERY = [...LEGACY, MODERN] as const;
const REAL = { tools: realTools };
const climb = fixtureTool("climb", async (_input, { progress, emit }) => {
  for (const done of [1, 1, 2, 0, 3]) progress({ done, total: 3 });
  emit({ text: "up" });
  return {};
});
const repeatable = fixtureTool("repeatable", async (_input, { emit }) => {
  emit({ text: "a" });
  emit({ text: "b" });
  return { isRepeatable: true };
});
const FIXTURES = { tools: [...FIXTURE_TOOLS, climb, repeatable] };

function bare(method: string): object {
  return { jsonrpc: "2.0", id: method, method };
}

function listWith(_meta: object): object {
  return { ...bare("tools/list"), params: { _meta } };
}

/** "code error_code"; over HTTP also checks that the status is that of the table. */
function refusal(peer: Peer, { received, status }: Exchanged): string {
  const [reply] = received.flat();
  const { error } = reply ?? {};
  if (error === undefined) throw new Error(`no error: ${JSON.stringify(received)}`);
  expect(error.message).toBe(rpcMessage(error.code));
  expect(error.data.detail).toMatch(/./);
  if (peer.isHttp) expect(status).toBe(httpStatusOf(error.data.error_code));
  return `${error.code} ${error.data.error_code}`;
}

function call(peer: Peer, version: (typeof EVERY)[number], params: object): Promise<Exchange> {
  return peer.ask(version, "tools/call", { ...params });
}

onBothWires(
  "S4 an invalid request is refused, with its id if that can be read",
  FIXTURES,
  async (peer) => {
    const rest = { jsonrpc: "2.0", method: "ping" };
    const bad: readonly [unknown, unknown][] = [
      ["text", null],
      [7, null],
      [null, null],
      [{ a: 1 }, null],
      [{ ...rest, id: 5, jsonrpc: "1.0" }, 5],
      [{ jsonrpc: "2.0", id: "a" }, "a"],
      [{ jsonrpc: "2.0", id: 6, method: 7 }, 6],
      [{ ...rest, id: null }, null],
      [{ ...rest, id: 1.5 }, null],
      [{ ...rest, id: {} }, null],
    ];
    for (const [message, id] of bad) {
      const answer = await peer.send(message, 1);
      expect(refusal(peer, answer)).toBe("-32600 INVALID_REQUEST");
      expect(answer.received).toMatchObject([{ id }]);
    }
    const noObject = { ...rest, id: 8, params: [1] };
    expect(refusal(peer, await peer.send(noObject, 1))).toBe("-32602 INVALID_PARAMS");
    const more = { ...rest, id: 9, other: 1, ...JSON.parse('{"__proto__":{"a":1}}') };
    expect((await peer.send(more, 1)).received).toEqual([{ jsonrpc: "2.0", id: 9, result: {} }]);
  },
);

onBothWires(
  "S9 of two simultaneous requests with one id the second is refused",
  FIXTURES,
  async (peer) => {
    const one = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo" } };
    const { received } = await peer.send([one, one], 1, "2025-03-26");
    const replies = received.flat();
    expect(replies.map(({ id }) => id)).toEqual([1, 1]);
    expect(replies.filter(({ result }) => result !== undefined)).toHaveLength(1);
    expect(replies.map(({ error }) => error?.data.error_code)).toContain("DUPLICATE_ID");
  },
);

onBothWires(
  "L1 initialize answers with the requested version, or the newest",
  FIXTURES,
  async (peer) => {
    const answered = async (params: object): Promise<unknown> => {
      const message = { jsonrpc: "2.0", id: 1, method: "initialize", params };
      const [reply] = (await peer.send(message, 1)).received.flat();
      expect(reply?.result).toEqual({
        protocolVersion: expect.any(String),
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "svc", version: "0.8.0", protocolVersion: "2024-11-05" },
        instructions: "Ask for code.",
      });
      return reply?.result?.["protocolVersion"];
    };
    for (const version of LEGACY)
      expect(await answered({ protocolVersion: version })).toBe(version);
    expect(await answered({ protocolVersion: "1999-01-01" })).toBe("2025-11-25");
    expect(await answered({ protocolVersion: MODERN })).toBe("2025-11-25");
    expect(await answered({ clientInfo: { name: "me" } })).toBe("2024-11-05");
  },
);

onBothWires(
  "L2, L3 ping and tools/list need no initialize, which may be repeated",
  FIXTURES,
  async (peer) => {
    expect((await peer.send(bare("ping"), 1)).received).toMatchObject([{ result: {} }]);
    expect((await peer.send(bare("tools/list"), 1)).received).toMatchObject([
      { result: { tools: FIXTURES.tools.map(({ name }) => ({ name })) } },
    ]);
    for (const version of [...LEGACY, ...LEGACY]) {
      const { reply } = await peer.ask(version, "initialize", { protocolVersion: version });
      expect(reply.result).toMatchObject({ protocolVersion: version });
      expect((await peer.ask(version, "ping")).reply.result).toEqual({});
    }
  },
);

onBothWires("L4 what is not declared is not there, in any revision", FIXTURES, async (peer) => {
  const absent = `prompts/list prompts/get resources/list resources/read resources/templates/list
    resources/subscribe completion/complete logging/setLevel tasks/list tasks/get tasks/cancel
    sampling/createMessage roots/list elicitation/create`.split(/\s+/);
  for (const version of EVERY) {
    for (const method of absent) {
      expect(refusal(peer, await peer.ask(version, method))).toBe("-32601 METHOD_NOT_FOUND");
    }
  }
});

onBothWires("L5 batches are of 2025-03-26, and of no other revision", FIXTURES, async (peer) => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const batch = [ping, notification, { ...ping, id: "b", method: "nothing" }, 7];
  const [replies] = (await peer.send(batch, 1, "2025-03-26")).received;
  expect(replies).toMatchObject([
    { id: 1, result: {} },
    { id: "b", error: { code: -32_601 } },
    { id: null, error: { code: -32_600 } },
  ]);
  expect(refusal(peer, await peer.send([], 1, "2025-03-26"))).toBe("-32600 INVALID_REQUEST");
  const silent = await peer.send([notification, notification], 0, "2025-03-26");
  expect(silent.received).toEqual([]);
  if (peer.isHttp) expect(silent.status).toBe(202);
  for (const version of LEGACY.filter((one) => one !== "2025-03-26")) {
    expect(refusal(peer, await peer.send([ping], 1, version))).toBe("-32600 INVALID_REQUEST");
  }
});

onBothWires("M1 a request with capabilities in its _meta is modern", FIXTURES, async (peer) => {
  const VERSION = { "io.modelcontextprotocol/protocolVersion": MODERN };
  const CAPABLE = { "io.modelcontextprotocol/clientCapabilities": {} };
  const good = await peer.send(listWith({ ...VERSION, ...CAPABLE }), 1, MODERN);
  expect(good.received).toMatchObject([{ result: { resultType: "complete" } }]);
  expect(refusal(peer, await peer.send(listWith(VERSION), 1, MODERN))).toBe(
    "-32602 INVALID_PARAMS",
  );
  const legacy = await peer.send(listWith(CAPABLE), 1, "2025-11-25");
  expect(legacy.received.flat()[0]?.result).not.toHaveProperty("resultType");
});

onBothWires(
  "M2, M3 discovery lists the versions, and no other is accepted",
  FIXTURES,
  async (peer) => {
    const { reply } = await peer.ask(MODERN, "server/discover");
    expect(reply.result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: { listChanged: true } },
      instructions: "Ask for code.",
      resultType: "complete",
      ttlMs: expect.any(Number),
      cacheScope: expect.stringMatching(/^(public|private)$/),
      _meta: MODERN_RESULT_META,
    });
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "1900-01-01",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const message = { jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: meta } };
    // Over HTTP the header matches the body, otherwise that would be the error.
    const answer = await peer.send(message, 1, peer.isHttp ? "1900-01-01" : undefined);
    const [{ error } = {}] = answer.received.flat();
    expect(error).toMatchObject({
      code: -32_022,
      data: { error_code: "UNSUPPORTED_VERSION", supported: [MODERN], requested: "1900-01-01" },
    });
    if (peer.isHttp) expect(answer.status).toBe(400);
  },
);

onBothWires(
  "M4 results of 2026-07-28 state their type, older ones do not",
  FIXTURES,
  async (peer) => {
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", { name: "echo" }],
      ["tools/call", { name: "missing" }],
    ] as const) {
      const { reply } = await peer.ask(MODERN, method, params);
      expect(reply.result).toMatchObject({ resultType: "complete", _meta: MODERN_RESULT_META });
      if (method === "tools/list") {
        expect(reply.result).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
      }
      for (const version of LEGACY) {
        const { result } = (await peer.ask(version, method, params)).reply;
        expect(
          Object.keys(result ?? {}).filter((key) => /resultType|ttlMs|cacheScope|_meta/.test(key)),
        ).toEqual([]);
      }
    }
  },
);

onBothWires("M5 what 2026-07-28 has taken away is not found in it", FIXTURES, async (peer) => {
  const gone = ["initialize", "ping", "logging/setLevel", "resources/subscribe"];
  for (const method of [...gone, "resources/unsubscribe"]) {
    expect(refusal(peer, await peer.ask(MODERN, method))).toBe("-32601 METHOD_NOT_FOUND");
  }
});

onBothWires("M8 nothing is sent that was not asked for", FIXTURES, async (peer) => {
  for (const version of EVERY) {
    const meta = { "io.modelcontextprotocol/logLevel": "debug" };
    const { received } = await call(peer, version, {
      name: "broken",
      _meta: version === MODERN ? undefined : meta,
    });
    expect(received).toHaveLength(1);
  }
});

onBothWires(
  "T1, T2, T3 the twelve tools, in their order, as every revision shows them",
  REAL,
  async (peer) => {
    const lists: unknown[] = [];
    for (const version of [...EVERY, ...EVERY]) {
      const { reply } = await peer.ask(version, "tools/list");
      lists.push(reply.result?.["tools"]);
    }
    for (const list of lists) expect(list).toEqual(lists[0]);
    const listed = realTools.map(({ descriptor }) => JSON.parse(JSON.stringify(descriptor)));
    expect(lists[0]).toEqual(listed);
    expect(listed).toHaveLength(12);
    for (const { name, title, description, inputSchema, annotations } of listed) {
      expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
      expect([title, description].every((text) => typeof text === "string" && text !== "")).toBe(
        true,
      );
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toContain("$ref");
      expect(annotations).toHaveProperty("readOnlyHint");
    }
    expect(listed[0]?.inputSchema).not.toHaveProperty("required.0");
    const search = listed.find(({ name }) => name === "search_context");
    expect(search).toMatchObject({ _meta: { "anthropic/alwaysLoad": true } });
  },
);

onBothWires("T4 a query has 3 to 10,000 code points", FIXTURES, async (peer) => {
  const outcome = async (query: string): Promise<string> => {
    const answer = await call(peer, "2025-11-25", { name: "search_context", arguments: { query } });
    return answer.reply.result === undefined ? refusal(peer, answer) : "ok";
  };
  const [face] = "🙂";
  const requests = ["abc", "🙂🙂🙂", "🙂".repeat(10_000), "x".repeat(10_000)];
  for (const query of requests) expect(await outcome(query)).toBe("ok");
  for (const query of ["", "ab", "🙂🙂", "x".repeat(10_001), `${face}`]) {
    expect(await outcome(query)).toBe("-32602 INVALID_QUERY");
  }
});

onBothWires("T5 a missing argument is named, in every revision", FIXTURES, async (peer) => {
  for (const version of EVERY) {
    expect(refusal(peer, await call(peer, version, { name: "nothing" }))).toBe(
      "-32602 TOOL_NOT_FOUND",
    );
    for (const params of [
      {},
      { name: 7 },
      { name: "echo", arguments: "x" },
      { name: "echo", arguments: [] },
    ]) {
      expect(refusal(peer, await call(peer, version, params))).toBe("-32602 INVALID_PARAMS");
    }
    const { ask } = peer;
    for (const cursor of ["x", "", 7]) {
      const answer = await ask(version, "tools/list", { cursor });
      expect(refusal(peer, answer)).toBe("-32602 INVALID_CURSOR");
    }
  }
});

onBothWires(
  "T6 all items but the last are partial, and repeatable ones are cacheable",
  FIXTURES,
  async (peer) => {
    const contentOf = async (name: string): Promise<unknown> =>
      (await call(peer, "2025-06-18", { name, arguments: {} })).reply.result?.["content"];
    expect(await contentOf("repeatable")).toMatchObject([
      { type: "text", text: "a", partial: true },
      { type: "text", text: "b", partial: false, cache_control: { type: "ephemeral" } },
    ]);
    const single = await contentOf("echo");
    expect(single).toMatchObject([{ type: "text", partial: false }]);
    expect(JSON.stringify(single)).not.toContain("cache_control");
  },
);

onBothWires("T7 structured answers are repeated as text", FIXTURES, async (peer) => {
  for (const version of EVERY) {
    const { result } = (await call(peer, version, { name: "status" })).reply;
    expect(result?.["structuredContent"]).toEqual({ files: 3 });
    expect(repeatsStructuredContent(result ?? {})).toBe(true);
  }
});

onBothWires("T8 progress goes to its token, 0 included, and only grows", FIXTURES, async (peer) => {
  for (const version of LEGACY) {
    for (const progressToken of [0, -1, "", "token"]) {
      const { received } = await call(peer, version, { name: "climb", _meta: { progressToken } });
      const steps = received.flat().slice(0, -1);
      expect(steps.map(({ params }) => params?.["progressToken"])).toEqual(
        [1, 2, 3].map(() => progressToken),
      );
      expect(steps.map(({ params }) => params?.["progress"])).toEqual([1, 2, 3]);
      expect(received.flat().at(-1)).toHaveProperty("result");
    }
    expect((await call(peer, version, { name: "climb" })).received).toHaveLength(1);
  }
});

onBothWires("T9 a bug of a tool tells nothing of itself", FIXTURES, async (peer) => {
  for (const version of EVERY) {
    const answer = await call(peer, version, { name: "broken" });
    expect(refusal(peer, answer)).toBe("-32603 INTERNAL_ERROR");
    expect(JSON.stringify(answer.received)).not.toMatch(/secret|\/home|\.ts/);
  }
});

onBothWires(
  "T10 a call that takes too long is TIMEOUT, and the next one is answered",
  { ...FIXTURES, timeoutMs: 60 },
  async (peer) => {
    for (const version of ["2024-11-05", MODERN] as const) {
      expect(refusal(peer, await call(peer, version, { name: "wait" }))).toBe("-32603 TIMEOUT");
    }
    expect((await peer.ask("2024-11-05", "ping")).reply.result).toEqual({});
  },
);

describe("T11 errors", () => {
  const codes = Object.keys(ERRORS).filter((name): name is keyof typeof ERRORS => name in ERRORS);
  const failing = codes.filter((code) => !("asResult" in ERRORS[code]));
  const fail = fixtureTool("fail", async ({ code }) => {
    throw new SvcError(failing.find((one) => one === code) ?? "INTERNAL_ERROR", "What it was.");
  });
  onBothWires(
    "T11 every error has an integer, the message of the table, its code and a detail",
    { tools: [fail] },
    async (peer) => {
      for (const code of failing) {
        const answer = await call(peer, "2025-11-25", { name: "fail", arguments: { code } });
        expect(refusal(peer, answer)).toBe(`${ERRORS[code].rpc} ${code}`);
      }
    },
  );
  test("T11 no two messages of the table belong to one code", () => {
    const numbers = [...new Set(codes.map((code) => ERRORS[code].rpc))];
    expect(new Set(numbers.map(rpcMessage)).size).toBe(numbers.length);
  });
});
