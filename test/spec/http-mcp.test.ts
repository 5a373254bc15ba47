import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, expect } from "vitest";

import { createTokenFor, outputHere, servedHere } from "./commands-here.ts";
import { JSON_BODY, post, startHttp } from "./http-server.ts";
import { createPlace } from "./program.ts";
import { startServer, type Reply } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const served = servedHere({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });
const broken = createPlace();
afterAll(broken.remove);

const QUESTION = { query: "turn of the tide" };

function request(method: string, params?: unknown, id: unknown = 1): object {
  return { jsonrpc: "2.0", id, method, params };
}

/** The result of a message: HTTP status, code and message. */
async function outcomeOf(message: unknown): Promise<string> {
  const { status, body } = await served().rpc(message);
  return body.error === undefined
    ? `${status} ok`
    : `${status} ${body.error.code} ${body.error.message}`;
}

verifies(
  ["4.2/method-and-path", "4.2/headers", "4.2/body", "4.2/response", "9/mcp-path"],
  "POST /mcp with a token takes a JSON-RPC request and answers with the response",
  async () => {
    const params = { name: "search_context", arguments: QUESTION };
    const { status, headers, body } = await served().rpc(request("tools/call", params, 41));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(Object.keys(body).toSorted()).toEqual(["id", "jsonrpc", "result"]);
    expect(body).toMatchObject({ jsonrpc: "2.0", id: 41 });
    expect(body.result?.content?.[0]).toMatchObject({ type: "text", partial: false });
    expect(body.result?.content?.[0]?.text).toContain("The tide turns twice a day.");
  },
);

verifies(
  ["4.2/headers", "5/bearer-token"],
  "H12 a token is required, and a key is not accepted",
  async () => {
    const { server, key, token } = served();
    const ask = (headers: Readonly<Record<string, string>>) =>
      post<Reply>(
        `${server.url}/mcp`,
        { ...JSON_BODY, ...headers },
        JSON.stringify(request("ping")),
      );
    const none = await ask({});
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="svc"',
    ]);
    expect(none.body).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: 401, message: "Unauthorized", data: { error_code: "UNAUTHENTICATED" } },
    });
    const wrong = await ask({ Authorization: `Bearer ${key}` });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="svc", error="invalid_token"',
    ]);
    expect(wrong.body.error?.data.detail).toContain("MCP takes an access token");
    const inOtherHeader = await ask({ "X-API-Key": key });
    expect(inOtherHeader.body.error?.data.detail).toContain("API keys are for POST /v1/search");
    expect((await ask({ Authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await ask({ authorization: `bearer  ${token}` })).status).toBe(200);
  },
);

verifies("5/bearer-token", "a revoked token is refused by the running server", async () => {
  const { place, server } = served();
  const created = await createTokenFor(place);
  const headers = { ...JSON_BODY, Authorization: `Bearer ${created.token}` };
  const ask = () => post<Reply>(`${server.url}/mcp`, headers, JSON.stringify(request("ping")));
  expect((await ask()).body.result).toEqual({});
  await outputHere(place, "auth", "token", "revoke", created.token_id);
  const { status, body } = await ask();
  expect([status, body.error?.data.error_code]).toEqual([401, "CREDENTIAL_REVOKED"]);
});

verifies("4.3/same-on-http", "every method answers over HTTP as on standard input", async () => {
  const { place, token, rpc } = served();
  const stdio = startServer(place, { SERVICE_TOKEN: token });
  const messages: [string, unknown][] = [
    ["initialize", { clientInfo: { name: "spec" } }],
    ["ping", undefined],
    ["tools/list", undefined],
    ["tools/call", { name: "search_context", arguments: QUESTION }],
    ["tools/call", { name: "search_context", arguments: { query: "?" } }],
    ["tools/call", { name: "outline", arguments: { path: "nowhere.ts" } }],
    ["no/such/method", {}],
  ];
  for (const [method, params] of messages) {
    // One after the other: each line of standard input is one message.
    // eslint-disable-next-line no-await-in-loop
    const [here, there] = [await rpc(request(method, params)), await stdio.request(method, params)];
    expect({ ...here.body, id: 0 }).toEqual({ ...there, id: 0 });
  }
  expect(await stdio.close()).toBe(0);
});

verifies("7/parse-error-status", "what is not JSON is 400", async () => {
  expect(await outcomeOf('{"jsonrpc":')).toBe("400 -32700 Parse error");
  expect(await outcomeOf("")).toBe("400 -32700 Parse error");
});

verifies("7/invalid-request-status", "JSON that is no request is 400", async () => {
  const bad = ["[]", "{}", { jsonrpc: "1.0", id: 1, method: "ping" }, { jsonrpc: "2.0", id: 1 }];
  const outcomes = await Promise.all(bad.map(outcomeOf));
  expect(outcomes).toEqual(bad.map(() => "400 -32600 Invalid request"));
});

verifies("7/invalid-params-status", "params outside their schema are 400", async () => {
  const bad = [
    { name: "no_such_tool", arguments: {} },
    { name: "search_context", arguments: { query: "ab" } },
    { name: "search_context", arguments: { ...QUESTION, namespace: "no-such-namespace" } },
    {},
  ];
  const outcomes = await Promise.all(bad.map((it) => outcomeOf(request("tools/call", it))));
  expect(outcomes).toEqual(bad.map(() => "400 -32602 Invalid params"));
});

verifies("7/method-not-found-status", "an unknown method is 404", async () => {
  expect(await outcomeOf(request("resources/list", {}))).toBe("404 -32601 Method not found");
});

verifies("7/internal-error-status", "a fault of the server is 500, and tells nothing", async () => {
  const { token } = await createTokenFor(broken);
  // An unexpected state: a directory has the name of a file.
  const registry = join(broken.home, "data", "registry.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(registry + end, { force: true });
  mkdirSync(registry);
  const server = await startHttp(broken);
  const { status, body } = await post<Reply>(
    `${server.url}/mcp`,
    { ...JSON_BODY, Authorization: `Bearer ${token}` },
    JSON.stringify(request("tools/call", { name: "search_context", arguments: QUESTION })),
  );
  expect(status).toBe(500);
  expect(body.error).toEqual({
    code: -32_603,
    message: "Internal error",
    data: {
      error_code: "INTERNAL_ERROR",
      detail: "Internal error; the log shows the cause.",
    },
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "1"]);
  await server.close();
  expect(server.stderr()).toContain("unable to open database file");
});

verifies(
  "1/tool-callers",
  "a remote client of the official SDK lists and calls tools",
  async () => {
    const { server, token } = served();
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: "ci", version: "1.0.0" });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("search_context");
    const found = await client.callTool({ name: "search_context", arguments: QUESTION });
    expect(JSON.stringify(found)).toContain("The tide turns twice a day.");
    await client.close();
  },
);

verifies(
  ["4.2/headers", "8/ephemeral-items"],
  "a cached answer is not returned to a token that was revoked since",
  async () => {
    const { place, server } = served();
    const { token, token_id } = await createTokenFor(place, "--name", "short");
    const ask = async (): Promise<string> => {
      const params = { name: "search_context", arguments: QUESTION };
      const { status, body } = await post<Reply>(
        `${server.url}/mcp`,
        { ...JSON_BODY, Authorization: `Bearer ${token}` },
        JSON.stringify(request("tools/call", params)),
      );
      return `${status} ${JSON.stringify(body)}`;
    };
    const first = await ask();
    expect(first).toMatch(/^200 .*cache_control/);
    expect(await ask()).toBe(first);
    await outputHere(place, "auth", "token", "revoke", token_id);
    expect(await ask()).toMatch(/^401 .*CREDENTIAL_REVOKED/);
  },
);
