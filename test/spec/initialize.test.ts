import { expect } from "vitest";

import { serverFor } from "./server-for.ts";
import type { Result } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const server = serverFor({
  "src/greet.ts": "export function greet(): string {\n  return 'hi';\n}\n",
});

/** The result of `initialize` for the params in the interface. */
async function initialize(): Promise<Result> {
  const { result } = await server().request("initialize", { clientInfo: { name: "spec" } });
  return result ?? {};
}

verifies("4.3/initialize", "initialize needs no more than the name of the client", async () => {
  expect(await initialize()).toMatchObject({ serverInfo: { name: "svc" } });
});

verifies("2.3/name", "the server is called svc", async () => {
  expect((await initialize()).serverInfo).toHaveProperty("name", "svc");
});

verifies(
  ["2.3/version", "2.3/protocol-version", "9/server-info"],
  "serverInfo reports the documented versions",
  async () => {
    expect((await initialize()).serverInfo).toMatchObject({
      version: "0.8.0",
      protocolVersion: "2024-11-05",
    });
  },
);

verifies(
  "2.3/protocol-version",
  "serverInfo keeps the documented version when the client asks for a newer one",
  async () => {
    const { result } = await server().request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "spec", version: "1" },
    });
    expect(result).toMatchObject({
      protocolVersion: "2025-06-18",
      serverInfo: { protocolVersion: "2024-11-05" },
    });
  },
);

verifies("2.3/list-changed-declared", "changes of the tools are declared", async () => {
  expect((await initialize()).capabilities).toEqual({ tools: { listChanged: true } });
});

verifies(
  ["1/json-rpc", "2.5/success-response"],
  "a reply has the version of JSON-RPC, the id of the request and the result",
  async () => {
    const reply = await server().raw('{"jsonrpc":"2.0","id":1000001,"method":"ping","params":{}}');
    expect(reply).toEqual({ jsonrpc: "2.0", id: 1_000_001, result: {} });
  },
);

verifies("2.5/request", "an id may be a string, and params may be absent", async () => {
  const reply = await server().raw('{"jsonrpc":"2.0","id":"first","method":"ping"}');
  expect(reply).toEqual({ jsonrpc: "2.0", id: "first", result: {} });
});

verifies("2.5/request", "the shown calls without an id are answered with a null id", async () => {
  const reply = await server().raw('{"jsonrpc":"2.0","method":"tools/list"}');
  expect(reply).toMatchObject({ jsonrpc: "2.0", id: null, result: { tools: expect.any(Array) } });
});

verifies("2.5/request", "a notification is not answered", async () => {
  const before = server().lines.length;
  server().notify("notifications/initialized");
  await server().request("ping");
  expect(server().lines).toHaveLength(before + 1);
});
