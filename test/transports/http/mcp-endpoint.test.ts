// How /mcp handles messages other than one request with one reply.
import { expect, test } from "vitest";

import { fixtureTool } from "../../helpers/rpc.ts";
import { memoryAccess } from "./memory-access.ts";
import {
  KEY,
  message,
  open,
  outcomeOf,
  PING,
  requestText,
  serve,
  summary,
  TOKEN,
  type TestServer,
} from "./serve.ts";

const climb = fixtureTool("climb", async (_input, { progress, emit }) => {
  progress({ done: 1, total: 2 });
  progress({ done: 2, total: 2 });
  emit({ text: "up" });
  return {};
});
const fall = fixtureTool("fall", async (_input, { progress }) => {
  progress({ done: 1 });
  throw new Error("/home/ada/secret.txt");
});

async function answerTo(
  server: TestServer,
  body: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  line = "POST /mcp HTTP/1.1",
): Promise<string> {
  const wire = open(server);
  wire.send(requestText(server, { line, body, headers: { Connection: "close", ...headers } }));
  return wire.closed();
}

function call(name: string, _meta?: object): string {
  return message("tools/call", { name, _meta });
}

const EVENTS = { Accept: "application/json, text/event-stream" };

test("H5 notifications and responses are accepted with 202 and no body", async () => {
  const server = await serve();
  const accepted = [
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '[{"jsonrpc":"2.0","method":"notifications/initialized"}]',
  ];
  for (const body of accepted) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    const answer = await answerTo(server, body);
    expect(answer).toMatch(/^HTTP\/1\.1 202 Accepted\r\n/);
    expect(answer).toMatch(/\r\nContent-Length: 0\r\n[^]*\r\n\r\n$/);
  }
});

test("a batch is answered with an array in a revision with batches", async () => {
  const server = await serve();
  const batch = `[${PING},${message("nothing", {}, 2)}]`;
  expect(await answerTo(server, batch)).toMatch(
    /^HTTP\/1\.1 200[^]*\[\{"jsonrpc"[^]*-32601[^]*\]$/,
  );
  const versioned = (version: string): Promise<string> =>
    answerTo(server, ` ${batch}`, { "MCP-Protocol-Version": version });
  expect(summary(await versioned("2025-03-26"))).toContain("200");
  expect(summary(await versioned("2025-06-18"))).toBe("400 INVALID_REQUEST");
  expect(summary(await answerTo(server, "[]"))).toBe("400 INVALID_REQUEST");
});

test("an unknown revision is refused, and a missing one means an old one", async () => {
  const server = await serve();
  const outcomeFor = (version: string): Promise<string> =>
    outcomeOf(server, { headers: { "MCP-Protocol-Version": version } });
  expect([await outcomeFor("2025-06-18"), await outcomeFor("1999-01-01")]).toEqual([
    "200 ok",
    "400 INVALID_REQUEST",
  ]);
});

test("H7 progress turns the response into an event stream, for a client that accepts one", async () => {
  const server = await serve([climb]);
  const stream = await answerTo(server, call("climb", { progressToken: 0 }), EVENTS);
  expect(stream).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Type: text\/event-stream\r\n/);
  expect(stream).toContain("X-Accel-Buffering: no");
  const events = [...stream.matchAll(/event: message\ndata: (.*)\n\n/g)].map(
    ([, data = ""]): unknown => JSON.parse(data),
  );
  expect(events).toMatchObject([
    { method: "notifications/progress", params: { progressToken: 0, progress: 1 } },
    { method: "notifications/progress", params: { progressToken: 0, progress: 2 } },
    { id: 1, result: { content: [{ text: "up" }] } },
  ]);
  expect(stream).not.toMatch(/^id:/m);
});

test("H7 without a token, or for a client that accepts only JSON, the response is JSON", async () => {
  const server = await serve([climb]);
  const answers = [
    await answerTo(server, call("climb"), EVENTS),
    await answerTo(server, call("climb", { progressToken: 1 }), { Accept: "application/json" }),
  ];
  for (const answer of answers) {
    expect(answer).toMatch(/\r\nContent-Type: application\/json\r\n[^]*"up"/);
    expect(answer).not.toContain("notifications/progress");
  }
});

test("H7 an error after the first event comes as an event", async () => {
  const server = await serve([fall]);
  const stream = await answerTo(server, call("fall", { progressToken: "t" }), EVENTS);
  expect(stream).toMatch(
    /^HTTP\/1\.1 200 OK[^]*notifications\/progress[^]*"error_code":"INTERNAL_ERROR"/,
  );
  expect(stream).not.toContain("secret");
  expect(summary(await answerTo(server, call("fall")))).toBe("500 INTERNAL_ERROR");
});

test("H8 no session is created, and a named one is ignored", async () => {
  const server = await serve();
  const answer = await answerTo(server, message("initialize", {}), {
    "Mcp-Session-Id": "abc",
    "Last-Event-ID": "7",
  });
  expect(summary(answer)).toBe("200 ok");
  expect(answer.toLowerCase()).not.toContain("mcp-session-id");
});

test("a credential revoked while its request is on the way is refused", async () => {
  const credentials = [
    { id: "token_1", kind: "token", namespaces: "all", secret: TOKEN },
    { id: "key_1", kind: "key", namespaces: ["docs"], secret: KEY },
  ] as const;
  const access = await memoryAccess(credentials);
  const server = await serve([], {
    // Another process revokes the credential after it was verified for the first time.
    authenticate: async (secret, wanted) => {
      const principal = await access.authenticateAs(secret, wanted);
      await access.change(principal.id, { revokedAt: 1 });
      return principal;
    },
  });
  const line = "POST /v1/search HTTP/1.1";
  const key = { "X-API-Key": KEY, Authorization: undefined };
  const answers = [
    await answerTo(server, message("tools/list")),
    await answerTo(server, '{"query":"tides"}', key, line),
  ];
  expect(answers.map(summary)).toEqual(["401 CREDENTIAL_REVOKED", "401 CREDENTIAL_REVOKED"]);
  expect(answers.map((answer) => answer.includes("WWW-Authenticate: Bearer"))).toEqual([
    true,
    true,
  ]);
});
