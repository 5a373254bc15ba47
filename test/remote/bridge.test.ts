// A session over a pair of streams, the bridge, and the server that answers it: all of them are real.
import { expect, onTestFinished, test } from "vitest";

import { Bridge, type BridgeOptions } from "../../src/remote/bridge.ts";
import { parseServerAddress } from "../../src/remote/server-address.ts";
import { localOwner } from "../../src/sources/principal.ts";
import { tools } from "../../src/tools/registry.ts";
import { createProject, request } from "../helpers/project.ts";
import {
  LOCAL,
  modernParams,
  recordingLogger,
  serveInMemory,
  type StreamServer,
  type Wire,
} from "../helpers/rpc.ts";
import { plant } from "../helpers/tree.ts";
import { memoryAccess } from "../transports/http/memory-access.ts";
import { callTool, NARROW_TOKEN, TOKEN } from "../transports/http/serve-project.ts";
import { serveRemote, tokenOf } from "./serve-remote.ts";

const QUESTION = { name: "search_context", arguments: { query: "turn of the tide" } };
const CHANGED = "notifications/tools/list_changed";
const HITS = "notifications/dev.svc/monitor_hits";
const CHANGING_TOOLS = ["index_source", "set_monitor"];
const LONG_TIMEOUT = { timeout: 60_000 };
const SLOW = 120_000;

/** A repository that the server does not have. */
const repositories = () => ["github.com/team/elsewhere"];

function bridgeTo(url: string, options: Partial<BridgeOptions> = {}): StreamServer {
  const { logger } = recordingLogger();
  const bridge = new Bridge({
    address: parseServerAddress(url),
    readToken: tokenOf(TOKEN),
    version: "0.8.0",
    logger,
    namespace: undefined,
    repositories: () => [],
    caller: (readOnly) => localOwner({ readOnly }),
    local: undefined,
    ...options,
  });
  onTestFinished(() => bridge.close());
  const server = serveInMemory({
    ...bridge.server,
    tools: bridge.tools,
    explainsRefusals: true,
    logger,
  });
  onTestFinished(() => server.stop());
  return server;
}

async function initialize(server: StreamServer, capabilities: unknown = {}): Promise<Wire> {
  const params = { protocolVersion: "2025-11-25", capabilities };
  const reply = await server.request("initialize", params);
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return reply;
}

async function toolNames(server: StreamServer): Promise<readonly string[]> {
  const { result } = await server.request("tools/list");
  const listed: readonly { readonly name: string }[] = Object(result).tools;
  return listed.map(({ name }) => name);
}

test("the answer is that of the server, byte for byte", async () => {
  const { server } = await serveRemote();
  const bridge = bridgeTo(server.url);
  await initialize(bridge);
  const direct = async (): Promise<string> => {
    const { body } = await callTool(server, QUESTION.name, QUESTION.arguments);
    const { result }: Wire = JSON.parse(body);
    return JSON.stringify(result);
  };
  // During a file check, an answer is not marked as repeatable.
  await expect.poll(direct, LONG_TIMEOUT).toContain("cache_control");
  const { result } = await bridge.request("tools/call", QUESTION);
  expect(JSON.stringify(result)).toBe(await direct());
});

test("clients of the modern revision get its members, of this program", async () => {
  const { server } = await serveRemote();
  const bridge = bridgeTo(server.url);
  const { result } = await bridge.request("tools/call", modernParams(QUESTION));
  expect(result).toMatchObject({
    resultType: "complete",
    content: [{ text: expect.stringContaining("twice a day") }],
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "svc", version: "0.8.0" } },
  });
});

test("a server that is down delays neither initialize nor the list of tools, and a call says so", async () => {
  const bridge = bridgeTo("http://127.0.0.1:1");
  expect(await initialize(bridge)).toHaveProperty("result.serverInfo");
  expect(await toolNames(bridge)).toHaveLength(12);
  expect(await bridge.request("tools/call", QUESTION)).toMatchObject({
    result: {
      isError: true,
      structuredContent: {
        error_code: "REMOTE_UNAVAILABLE",
        detail: expect.stringMatching(/http:\/\/127.0.0.1:1 cannot be reached/),
      },
    },
  });
});

test("a refused token is reported to the model with its remedy, and all tools are listed", async () => {
  const { server } = await serveRemote();
  const bridge = bridgeTo(server.url, { readToken: tokenOf(NARROW_TOKEN.replace("UVW", "WVU")) });
  await initialize(bridge);
  expect(await toolNames(bridge)).toHaveLength(12);
  expect(await bridge.request("tools/call", QUESTION)).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("svc auth login http") }] },
  });
});

test("an error of the server has its JSON-RPC code", async () => {
  const { server } = await serveRemote();
  const bridge = bridgeTo(server.url);
  await initialize(bridge);
  const params = { name: "search_context", arguments: { query: "ab" } };
  expect(await bridge.request("tools/call", params)).toMatchObject({
    error: { code: -32_602, data: { error_code: "INVALID_QUERY" } },
  });
});

test(
  "a client is notified when its token loses rights, and of the hits of its monitors",
  async () => {
    const token = { id: "token_1", kind: "token", namespaces: "all", secret: TOKEN } as const;
    const { authenticateAs, rights, change } = await memoryAccess([token], 5);
    const { server } = await serveRemote({ rights, authenticate: authenticateAs });
    const bridge = bridgeTo(server.url);
    await initialize(bridge, { experimental: { "dev.svc/monitorHits": {} } });
    expect(await toolNames(bridge)).toEqual(expect.arrayContaining(CHANGING_TOOLS));
    await bridge.request("tools/call", {
      name: "set_monitor",
      arguments: { action: "create", name: "ebb", pattern: "ebb" },
    });
    await expect.poll(() => subscriptionsOf(server.url), { timeout: SLOW }).toBe(1);
    plant(server.project.root, { "docs/ebb.md": "# The ebb\n" });
    await server.project.engine.index(request());
    const { params } = await bridge.waitFor(({ method }) => method === HITS);
    expect(params).toMatchObject({ namespace: "project", hits: [{ monitor: "ebb" }] });
    expect(params).not.toHaveProperty("_meta");
    await change(token.id, { readOnly: true });
    await bridge.waitFor(({ method }) => method === CHANGED);
    expect(await toolNames(bridge)).toHaveLength(10);
  },
  SLOW,
);

test("a workspace that the server does not have is an error, or is answered from this machine", async () => {
  const { server } = await serveRemote();
  const strict = bridgeTo(server.url, { repositories });
  await initialize(strict);
  expect(await strict.request("tools/call", QUESTION)).toMatchObject({
    error: {
      data: {
        error_code: "NAMESPACE_NOT_FOUND",
        detail: expect.stringMatching(/no index of github.com\/team\/elsewhere.*--local-first/s),
      },
    },
  });
  // The client can list the server's namespaces, and name them.
  expect(await strict.request("tools/call", { name: "index_status", arguments: {} })).toMatchObject(
    {
      result: { structuredContent: { namespaces: [{ name: "project" }] } },
    },
  );
  const named = { ...QUESTION, arguments: { ...QUESTION.arguments, namespace: "project" } };
  expect(JSON.stringify(await strict.request("tools/call", named))).toContain("twice a day");

  const project = createProject({ "local.md": "# Here\n\nThe tide turns at home.\n" });
  onTestFinished(() => project.dispose());
  const bridge = new Bridge({
    address: parseServerAddress(server.url),
    readToken: tokenOf(TOKEN),
    version: "0.8.0",
    logger: recordingLogger().logger,
    namespace: undefined,
    repositories,
    caller: () => LOCAL,
    local: { tools: () => Promise.resolve(tools), authorize: () => Promise.resolve(LOCAL) },
  });
  onTestFinished(() => bridge.close());
  const localFirst = serveInMemory({
    ...bridge.server,
    tools: bridge.tools,
    engine: () => Promise.resolve(project.engine),
  });
  onTestFinished(() => localFirst.stop());
  expect(JSON.stringify(await localFirst.request("tools/call", QUESTION))).toContain("at home");
  expect(JSON.stringify(await localFirst.request("tools/call", named))).toContain("twice a day");
});

async function subscriptionsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^svc_event_streams (\d+)$/m.exec(text)?.[1]);
}
