import { createServer } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";

import { expect, onTestFinished, test, vi } from "vitest";

import { request } from "../helpers/project.ts";
import { plant } from "../helpers/tree.ts";
import { TOKEN } from "../transports/http/serve-project.ts";
import { clientOf, NEVER, serveRemote, tokenOf } from "./serve-remote.ts";

const QUESTION = { query: "turn of the tide" };

test("a call returns the result of the server with every member", async () => {
  const { client } = await serveRemote();
  const { content } = await client.call("search_context", QUESTION, { signal: NEVER });
  expect(content).toEqual(
    [
      {
        type: "text",
        text: expect.stringContaining("The tide turns twice a day."),
        // The SDK deletes this member of an item, which the protocol does not define, from results that it checks.
        partial: false,
        _meta: expect.objectContaining({ "dev.svc/partial": false }),
      },
    ].map((item) => expect.objectContaining(item)),
  );
});

test("the tools and namespaces are those of the token", async () => {
  const { client } = await serveRemote();
  expect(await client.toolNames(NEVER)).toHaveLength(12);
  expect(await client.namespaces(NEVER)).toMatchObject([{ name: "project" }]);
});

test("an error of a tool keeps its code", async () => {
  const { client } = await serveRemote();
  await expect(
    client.call("search_context", { query: "ab" }, { signal: NEVER }),
  ).rejects.toMatchObject({
    code: "INVALID_QUERY",
    detail: expect.stringContaining("3 to 10,000"),
  });
  await expect(
    client.call("search_context", { ...QUESTION, namespace: "other" }, { signal: NEVER }),
  ).rejects.toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
});

test("a refused token is read again for the next call", async () => {
  const secrets = [`svt_${"x".repeat(38)}`];
  const { client, server } = await serveRemote({}, () =>
    Promise.resolve({ secret: secrets.shift() ?? TOKEN, source: "login" }),
  );
  const call = () => client.call("search_context", QUESTION, { signal: NEVER });
  const origin = new URL(server.url).origin;
  await expect(call()).rejects.toMatchObject({
    detail: expect.stringContaining(`svc auth login ${origin}`),
  });
  expect(await call()).toHaveProperty("content");
});

test("the progress of a call is passed on", async () => {
  const { client, server } = await serveRemote();
  const seen: number[] = [];
  const result = await client.call(
    "index_source",
    { source: server.project.root },
    { signal: NEVER, onProgress: ({ progress }) => seen.push(progress) },
  );
  expect(result).toHaveProperty("structuredContent");
  expect(seen.length).toBeGreaterThan(0);
});

test("cancelling ends the call on the server", async () => {
  const { client, server } = await serveRemote();
  const { structuredContent } = await client.call("list_changes", {}, { signal: NEVER });
  const since = Object(structuredContent)["next_cursor"];
  const stop = new AbortController();
  const waiting = client.call("list_changes", { since, wait_ms: 25_000 }, { signal: stop.signal });
  const inFlight = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^svc_calls_in_flight (\d+)$/m.exec(text)?.[1]);
  };
  await vi.waitUntil(async () => (await inFlight()) === 1, { timeout: 20_000 });
  stop.abort(new Error("cancelled by the user"));
  await expect(waiting).rejects.toThrow("cancelled by the user");
  await vi.waitUntil(async () => (await inFlight()) === 0, { timeout: 20_000 });
}, 60_000);

test("a subscription passes on what the server sends, and ends with the server", async () => {
  const { client, server, notifications } = await serveRemote();
  await client.call(
    "set_monitor",
    { action: "create", name: "ebb", pattern: "ebb" },
    { signal: NEVER },
  );
  const open = await client.subscribe({ toolsListChanged: true, "dev.svc/monitorHits": true });
  plant(server.project.root, { "docs/ebb.md": "# The ebb\n" });
  await server.project.engine.index(request());
  await expect
    .poll(() => notifications, { timeout: 60_000 })
    .toMatchObject([
      {
        method: "notifications/dev.svc/monitor_hits",
        params: { namespace: "project", hits: [{ monitor: "ebb", path: "docs/ebb.md" }] },
      },
    ]);
  await server.end();
  await open.ended;
}, 120_000);

test("a server that refuses connections is an error at once, and the next call tries again", async () => {
  const { server, url } = await listen(createServer());
  await new Promise((resolve) => server.close(resolve));
  const client = clientOf(url);
  const call = () => client.call("search_context", QUESTION, { signal: NEVER });
  const refused = {
    code: "REMOTE_UNAVAILABLE",
    detail: expect.stringMatching(/cannot be reached \(ECONNREFUSED\).*next call tries again/s),
  };
  await expect(call()).rejects.toMatchObject(refused);
  await expect(call()).rejects.toMatchObject(refused);
});

test("a server that accepts connections and never answers is an error after two checks", async () => {
  const sockets: Socket[] = [];
  const { url } = await listen(createTcpServer((socket) => void sockets.push(socket)));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const client = clientOf(url);
  await expect(client.call("search_context", QUESTION, { signal: NEVER })).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    detail: expect.stringContaining("does not answer"),
  });
  // The call and one health check of the server: nothing was sent twice.
  expect(sockets).toHaveLength(2);
}, 20_000);

test("a call may take long while the server answers checks of its health", async () => {
  const { url } = await listen(
    createServer(({ url: path }, response) => {
      if (path === "/healthz") return void response.end("{}");
      setTimeout(() => {
        response.setHeader("Content-Type", "application/json");
        response.end(
          JSON.stringify({
            jsonrpc: "2.0",
            id: 0,
            result: { resultType: "complete", content: [] },
          }),
        );
      }, 2500);
      return undefined;
    }),
  );
  const client = clientOf(url);
  expect(await client.call("outline", {}, { signal: NEVER })).toMatchObject({ content: [] });
}, 20_000);

test.each([
  ["text", "text/plain", "hello"],
  ["half a message", "application/json", '{"jsonrpc":"2.0"'],
  ["another message", "application/json", '{"hello":1}'],
])("a program that answers %s is no svc server", async (_what, type, body) => {
  const { url } = await listen(
    createServer((_request, response) => {
      response.setHeader("Content-Type", type);
      response.end(body);
    }),
  );
  const client = clientOf(url, tokenOf("any"));
  await expect(client.call("outline", {}, { signal: NEVER })).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    detail: expect.stringContaining("does not answer as svc does"),
  });
});

/** Starts a server on a free port. It ends with the test. */
async function listen(server: Server): Promise<{ readonly server: Server; readonly url: string }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a TCP port
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}
