// Behaviour that only a real process shows: exit codes, signals, closed pipes, and the content of stdout.
import { spawn } from "node:child_process";
import { once } from "node:events";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";

import { FIXTURE_SERVER, spawnServer } from "../helpers/rpc.ts";

function call(id: string | number, name: string, args: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

const progressive = (id: string, name: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, _meta: { progressToken: 0 } },
});

test("S2 stdout carries only JSON-RPC with the debug log on; stderr shows every message", async () => {
  const server = spawnServer("--debug");
  await server.request("initialize", { clientInfo: { name: "test" } });
  await server.request("tools/call", { name: "broken" });
  server.write("garbage\n");
  await server.waitForCount(3);
  server.child.stdin.end();
  expect(await server.exit()).toBe(0);
  expect(server.received.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  const lines = server.stderr().trim().split("\n");
  const messages = lines.map((line): unknown => JSON.parse(line).message);
  const exchanged = messages.filter((message) => message === "received" || message === "sent");
  expect(exchanged).toEqual(["received", "sent", "received", "sent", "sent"]);
});

test("S6 200 pipelined ids are answered once each", async () => {
  const server = spawnServer();
  const ids = Array.from({ length: 200 }, (_, id) => id);
  server.send(...ids.map((id) => call(id, "search_context", { query: `where is ${id}` })));
  await server.waitForCount(200);
  server.child.stdin.end();
  await server.exit();
  expect(server.received.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(ids);
});

describe("S7 the process", () => {
  test("answers what came before the end of input and exits 0", async () => {
    const server = spawnServer();
    server.child.stdin.end(
      `${JSON.stringify(call(1, "echo", { text: "a" }))}\n${JSON.stringify(call(2, "blob", { size: 3_000_000 }))}`,
    );
    expect(await server.exit()).toBe(0);
    expect(server.received.map(({ id }) => id)).toEqual([1, 2]);
  });

  test.each(["wait", "deaf"])("ends after the end of input though %s runs", async (name) => {
    const server = spawnServer();
    server.send(progressive("a", name), { jsonrpc: "2.0", id: "b", method: "ping" });
    await server.waitFor(({ id }) => id === "b");
    server.child.stdin.end();
    expect(await server.exit()).toBe(0);
    expect(server.stderr()).toBe(name === "wait" ? "wait was aborted\n" : "");
    expect(server.received.some(({ id }) => id === "a")).toBe(false);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends with 0 on %s though a call runs",
    async (name) => {
      const server = spawnServer();
      server.send(progressive("a", "wait"));
      await server.waitForCount(1);
      server.child.kill(name);
      expect(await server.exit()).toBe(0);
    },
  );

  test("ends silently with 0 when the client closes its end of stdout", async () => {
    const server = spawnServer();
    await server.request("ping");
    server.child.stdout.destroy();
    server.send(...Array.from({ length: 50 }, (_, id) => call(id, "blob", { size: 100_000 })));
    const code = await server.exit();
    expect({ code, stderr: server.stderr() }).toEqual({ code: 0, stderr: "" });
  });

  test("does not outlive a parent that is killed", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const [server] = process.argv.slice(1);
      const child = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deaf"}}\\n');
      child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\\n');
      child.stdout.once("data", () => process.stdout.write("up"));`;
    const parent = spawn(process.execPath, ["-e", script, FIXTURE_SERVER]);
    await once(parent.stdout, "data");
    parent.kill("SIGKILL");
    // The server inherits standard error: it closes when both processes are gone.
    parent.stderr.resume();
    await once(parent.stderr, "close");
    expect(parent.signalCode).toBe("SIGKILL");
  });
});

test("T10 a call over the time limit is TIMEOUT, and the process continues", async () => {
  const server = spawnServer("--timeout", "50");
  const { error } = await server.request("tools/call", { name: "deaf" });
  expect(error?.data.error_code).toBe("TIMEOUT");
  expect((await server.request("ping")).result).toEqual({});
  server.child.stdin.end();
  expect(await server.exit()).toBe(0);
});

test("10,000 pipelined calls are answered once each to a slow reader", async () => {
  const server = spawnServer();
  server.child.stdout.pause();
  const ids = Array.from({ length: 10_000 }, (_, id) => id);
  server.send(...ids.map((id) => call(id, "blob", { size: 2000 })));
  // The first server has no reader while another server starts and answers.
  const other = spawnServer();
  await other.request("ping");
  other.child.stdin.end();
  server.child.stdout.resume();
  await server.waitForCount(ids.length);
  server.child.stdin.end();
  expect(await server.exit()).toBe(0);
  expect(new Set(server.received.map(({ id }) => id)).size).toBe(ids.length);
});

async function connected(): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [FIXTURE_SERVER],
      stderr: "ignore",
    }),
  );
  return client;
}

describe("the official client", () => {
  test("connects, lists, calls, sees an error, cancels, and closes", async () => {
    const client = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: "svc", version: "0.8.0" });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect(client.getInstructions()).toBe("Fixture.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("search_context");

    const found = await client.callTool({ name: "search_context", arguments: { query: "a bcd" } });
    expect(found.content).toMatchObject([
      { text: "a", _meta: { path: "a.ts" } },
      { text: "bcd", _meta: { "dev.svc/partial": false } },
    ]);
    const status = await client.callTool({ name: "status", arguments: {} });
    expect(status.structuredContent).toEqual({ files: 3 });
    expect(await client.callTool({ name: "missing", arguments: {} })).toMatchObject({
      isError: true,
      structuredContent: { error_code: "PATH_NOT_FOUND" },
    });

    const tooShort = client.callTool({ name: "search_context", arguments: { query: "ab" } });
    await expect(tooShort).rejects.toMatchObject({
      code: -32602,
      data: { error_code: "INVALID_QUERY" },
    });

    const stop = new AbortController();
    const waiting = client.callTool({ name: "wait" }, undefined, {
      signal: stop.signal,
      onprogress: () => stop.abort("enough"),
    });
    await expect(waiting).rejects.toThrow(/enough/);
    await client.ping();
    await client.close();
  });
});
