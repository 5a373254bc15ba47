// H10: the headers of a request must agree with its body.
import { expect, test } from "vitest";

import { fixtureTool, modernParams } from "../../helpers/rpc.ts";
import { modernText } from "./listeners.ts";
import { message, open, outcomeOf, serve, summary, type TestServer } from "./serve.ts";

type Headers = Readonly<Record<string, string | undefined>>;

const look = fixtureTool("look", async () => ({}));
const umlaut = fixtureTool("schlüssel", async () => ({}));
const VERSION = { "MCP-Protocol-Version": undefined };
/** The same header in other letters, and so a second one on the wire. */
const LOOK = { "mcp-name": "look" };

async function answerTo(server: TestServer, text: string): Promise<string> {
  const wire = open(server);
  wire.send(text);
  return wire.until(/\r\n\r\n(?:\{[^]*\})?$/);
}

/** Returns the outcome of a call of the tool with these headers replaced. */
async function callOutcome(
  server: TestServer,
  headers: Headers,
  params: Readonly<Record<string, unknown>> = { name: "look" },
): Promise<string> {
  return summary(await answerTo(server, modernText(server, "tools/call", { params, headers })));
}

test("H10 a modern request whose headers and body agree is answered", async () => {
  const server = await serve([look]);
  expect(await callOutcome(server, {})).toBe("200 ok");
  for (const method of ["tools/list", "server/discover"]) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await answerTo(server, modernText(server, method))).toContain('"resultType":"complete"');
  }
});

test.each<readonly [string, Headers]>([
  ["a missing version", VERSION],
  ["another version", { "MCP-Protocol-Version": "2025-11-25" }],
  ["an unknown version", { "MCP-Protocol-Version": "1999-01-01" }],
  ["a missing method", { "Mcp-Method": undefined }],
  ["another method", { "Mcp-Method": "tools/list" }],
  ["the method in capitals", { "Mcp-Method": "TOOLS/CALL" }],
  ["a missing name", { "Mcp-Name": undefined }],
  ["another name", { "Mcp-Name": "write" }],
  ["a name that is not Base64", { "Mcp-Name": "=?base64?bG9va?=" }],
  ["a name of bytes that are not UTF-8", { "Mcp-Name": "=?base64?/w==?=" }],
  ["another mark of Base64", { "Mcp-Name": "=?BASE64?bG9vaw==?=" }],
])("H10 %s is a mismatch", async (_, headers) => {
  const server = await serve([look]);
  const text = modernText(server, "tools/call", { params: { name: "look" }, id: "a", headers });
  const answer = await answerTo(server, text);
  expect(summary(answer)).toBe("400 HEADER_MISMATCH");
  expect(answer).toMatch(/"id":"a","error":\{"code":-32020,"message":"Header mismatch","data":\{/);
  expect(server.audited).toMatchObject([{ outcome: "HEADER_MISMATCH" }]);
});

test.each<readonly [string, Headers]>([
  ["blanks around values", { "Mcp-Name": "  look \t", "Mcp-Method": " tools/call " }],
  ["names in other letters", { "Mcp-Method": undefined, "MCP-METHOD": "tools/call" }],
  ["names in small letters", { "Mcp-Name": undefined, "mcp-name": "look" }],
  ["a name in Base64", { "Mcp-Name": "=?base64?bG9vaw==?=" }],
])("%s are accepted", async (_, headers) => {
  expect(await callOutcome(await serve([look]), headers)).toBe("200 ok");
});

test("H10 a name that is not ASCII comes in Base64", async () => {
  const server = await serve([umlaut]);
  const params = { name: "schlüssel" };
  const encoded = `=?base64?${Buffer.from("schlüssel").toString("base64")}?=`;
  expect(await callOutcome(server, { "Mcp-Name": encoded }, params)).toBe("200 ok");
  expect(await callOutcome(server, { "Mcp-Name": "schl?ssel" }, params)).toBe(
    "400 HEADER_MISMATCH",
  );
});

test("a repeated header counts once if both values are equal", async () => {
  const server = await serve([look]);
  const [same, others] = ["look", "write"].map((first) => ({ "Mcp-Name": first, ...LOOK }));
  expect(await callOutcome(server, { ...same })).toBe("200 ok");
  expect(await callOutcome(server, { ...others })).toBe("400 HEADER_MISMATCH");
});

test("a call without a name gets an error about the name, not about its header", async () => {
  expect(await callOutcome(await serve([look]), {}, {})).toBe("400 INVALID_PARAMS");
});

test("an unsupported version is refused with the supported ones", async () => {
  const server = await serve();
  const meta = { "io.modelcontextprotocol/protocolVersion": "2999-01-01" };
  const body = message("server/discover", modernParams({}, meta));
  const headers = { "MCP-Protocol-Version": "2999-01-01" };
  expect(await outcomeOf(server, { body, headers })).toBe("400 UNSUPPORTED_VERSION");
});

test("a request that is modern only by its header lacks its parameters", async () => {
  const server = await serve();
  const headers = { "MCP-Protocol-Version": "2026-07-28" };
  expect(await outcomeOf(server, { headers })).toBe("400 INVALID_PARAMS");
  const body = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  expect(await outcomeOf(server, { headers, body })).toBe("202 ok");
});

test("the headers of the modern era mean nothing in the legacy one", async () => {
  const server = await serve();
  const headers = { "Mcp-Method": "tools/call", "Mcp-Name": "look" };
  expect(await outcomeOf(server, { headers })).toBe("200 ok");
  const versioned = { ...headers, "MCP-Protocol-Version": "2025-11-25" };
  expect(await outcomeOf(server, { headers: versioned })).toBe("200 ok");
});

test("a batch is one of 2025-03-26, whatever else its headers say", async () => {
  const server = await serve();
  const body = `[${message("ping")}]`;
  const outcomeFor = (version: string | undefined): Promise<string> =>
    outcomeOf(server, { body, headers: { "MCP-Protocol-Version": version, "Mcp-Method": "x" } });
  expect([await outcomeFor(undefined), await outcomeFor("2025-03-26")]).toEqual([
    "200 ok",
    "200 ok",
  ]);
  for (const version of ["2025-06-18", "2026-07-28", "1999-01-01"]) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeFor(version)).toBe("400 INVALID_REQUEST");
  }
  const modern = `[${message("tools/list", modernParams())}]`;
  expect(await outcomeOf(server, { body: modern })).not.toContain("200");
});

test("H10 an unknown version is refused for every message of a legacy client", async () => {
  const server = await serve();
  const headers = { "MCP-Protocol-Version": "1999-01-01" };
  const bodies = [
    message("initialize", {}),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ];
  for (const body of bodies) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeOf(server, { headers, body })).toBe("400 INVALID_REQUEST");
  }
});

test("H11 a client that disconnects ends its modern call", async () => {
  const [started, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait = fixtureTool("wait", (_input, { signal }) => {
    started.resolve();
    signal.addEventListener("abort", () => aborted.resolve());
    return new Promise(() => {});
  });
  const server = await serve([wait]);
  const wire = open(server);
  wire.send(modernText(server, "tools/call", { params: { name: "wait" } }));
  await started.promise;
  wire.socket.destroy();
  await aborted.promise;
  await expect
    .poll(() => server.audited, { timeout: 20_000 })
    .toMatchObject([{ tool: "wait", outcome: "cancelled" }]);
});
