// A client to which the server announced notifications about tools gets them: over both transports, in both eras
// of the protocol, while it only listens and another process changes its rights.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, expect } from "vitest";

import { createTokenFor, outputHere } from "./commands-here.ts";
import { JSON_BODY, startHttp, type HttpServer } from "./http-server.ts";
import { restrictToken } from "./open-store.ts";
import { createPlace } from "./program.ts";
import { startServer, type Server } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const place = createPlace();
afterAll(place.remove);

const LONG_TIMEOUT = { timeout: 30_000 };
const CHANGED = "notifications/tools/list_changed";
/** A tool that a read-only credential may not call. */
const CHANGING_TOOLS = ["index_source", "set_monitor"];

const LISTEN = {
  notifications: { toolsListChanged: true },
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

/** The messages of that method, in the order of their arrival. */
function sent({ lines }: Pick<Server, "lines">, method: string): unknown[] {
  return lines.map((line): unknown => JSON.parse(line)).filter((it) => isOf(it, method));
}

function isOf(message: unknown, method: string): boolean {
  return typeof message === "object" && message !== null && "method" in message
    ? message.method === method
    : false;
}

verifies(
  ["6/list-changed", "2.3/list-changed-declared"],
  "over standard input and output, clients of both eras are notified of another default token",
  async () => {
    await createTokenFor(place, "--save");
    const server = startServer(place, {});
    await server.request("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
    server.notify("notifications/initialized");
    const before = await server.request("tools/list");
    void server.request("subscriptions/listen", LISTEN);
    await expect
      .poll(() => sent(server, "notifications/subscriptions/acknowledged"), LONG_TIMEOUT)
      .toHaveLength(1);
    await createTokenFor(place, "--read-only", "--save");
    await expect.poll(() => sent(server, CHANGED), LONG_TIMEOUT).toHaveLength(2);
    expect(sent(server, CHANGED)).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", method: CHANGED, params: {} },
        expect.objectContaining({
          params: { _meta: { "io.modelcontextprotocol/subscriptionId": expect.anything() } },
        }),
      ]),
    );
    const after = await server.request("tools/list");
    const names = (reply: typeof after): string[] =>
      (reply.result?.tools ?? []).map(({ name }) => name);
    expect(names(before)).toEqual(expect.arrayContaining(CHANGING_TOOLS));
    expect(names(after)).toEqual(names(before).filter((name) => !CHANGING_TOOLS.includes(name)));
    expect(await server.close()).toBe(0);
  },
);

verifies(
  ["6/list-changed"],
  "over HTTP, the official clients of both eras are notified that their token has other rights",
  async () => {
    const [created, server] = await Promise.all([createTokenFor(place), startHttp(place)]);
    const { token, token_id: id } = created;
    const url = new URL(`${server.url}/mcp`);
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    const listings: Record<string, string[]> = {};
    const listChangedFor = (era: string) => ({
      tools: {
        onChanged(error: Error | null, tools: readonly { readonly name: string }[] | null): void {
          if (error !== null) throw error;
          listings[era] = (tools ?? []).map(({ name }) => name);
        },
      },
    });
    const info = { name: "spec", version: "1.0.0" };
    const legacy = new Client(info, { listChanged: listChangedFor("legacy") });
    await legacy.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const newer = new ModernClient(info, {
      listChanged: listChangedFor("modern"),
      versionNegotiation: { mode: "auto" },
    });
    await newer.connect(new ModernHttp(url, { requestInit }));
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(2);
    const { tools } = await legacy.listTools();
    await restrictToken(place, id);
    await expect
      .poll(() => Object.keys(listings).toSorted(), LONG_TIMEOUT)
      .toEqual(["legacy", "modern"]);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(CHANGING_TOOLS));
    const left = names.filter((name) => !CHANGING_TOOLS.includes(name));
    expect(listings).toEqual({ legacy: left, modern: left });
    await Promise.all([legacy.close(), newer.close()]);
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(0);
    expect(await server.close()).toBe(0);
  },
);

verifies(
  ["6/list-changed", "5/bearer-token"],
  "over HTTP, a stream ends with its token, and with the server",
  async () => {
    const [one, other, server] = await Promise.all([
      createTokenFor(place),
      createTokenFor(place),
      startHttp(place),
    ]);
    const streams = await Promise.all(
      [one, other].flatMap(({ token }) => [posted(server, token), got(server, token)]),
    );
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(4);
    await outputHere(place, "auth", "token", "revoke", one.token_id);
    const ended = await Promise.all(streams.slice(0, 2).map((stream) => stream.text()));
    expect(ended[0]).toContain('"resultType":"complete"');
    expect(ended[1]).not.toContain("data:");
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(2);
    const exit = server.close("SIGTERM");
    const last = await Promise.all(streams.slice(2).map((stream) => stream.text()));
    expect(last[0]).toContain('"resultType":"complete"');
    expect(await exit).toBe(0);
  },
);

async function streamsOf({ url }: HttpServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^svc_event_streams (\d+)$/m.exec(text)?.[1]);
}

function posted({ url }: HttpServer, token: string): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...JSON_BODY,
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${token}`,
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "subscriptions/listen",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: LISTEN }),
  });
}

function got({ url }: HttpServer, token: string): Promise<Response> {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${token}` };
  return fetch(`${url}/mcp`, { headers });
}
