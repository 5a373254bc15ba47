// Responses that a server may send instead of an index, and their handling.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { RemoteFetch } from "../../src/remote/remote-fetch.ts";
import { RemoteIndex } from "../../src/remote/remote-index.ts";
import { parseServerAddress } from "../../src/remote/server-address.ts";
import { NEVER, tokenOf } from "./serve-remote.ts";

const LIST = {
  format: 1,
  embedder: "",
  generation: 1,
  shards: 1,
  staleRanks: 0,
  segments: [{ name: "lq3k-0a1b2c3d", files: 1, bytes: 10 }],
  files: [["a.md", "0".repeat(32), 5, "markdown", 2, 0, 1, 1, 0, 0]],
};
const PART = "lq3k-0a1b2c3d";

/** The index of a server that answers with `respond`. */
async function served(respond: RequestListener, maxSilenceMs?: number): Promise<RemoteIndex> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a TCP port
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = parseServerAddress(url);
  const fetch = new RemoteFetch(address, tokenOf("secret"));
  const index = new RemoteIndex({
    address,
    namespace: "project",
    fetch,
    ...(maxSilenceMs === undefined ? {} : { maxSilenceMs }),
  });
  onTestFinished(async () => {
    await index.close();
    server.closeAllConnections();
    server.close();
  });
  return index;
}

function errorReply(status: number, code: string, rpc: number): RequestListener {
  const body = JSON.stringify({ error: { code: rpc, data: { error_code: code, detail: "No." } } });
  return (_request, response) => void response.writeHead(status).end(body);
}

const listing =
  (body: unknown, tag = '"v1"'): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { ETag: tag }).end(gzipSync(JSON.stringify(body)));

test("the list comes with its version, which is asked for the next time", async () => {
  const index = await served((request, response) => {
    expect(request.url).toBe("/v1/namespaces/project/index");
    expect(request.headers.authorization).toBe("Bearer secret");
    if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
    else listing(LIST)(request, response);
  });
  const listed = await index.list(undefined, NEVER);
  expect(listed).toEqual({ version: '"v1"', index: LIST });
  expect(await index.list(listed?.version, NEVER)).toBeUndefined();
  expect(index.name).toMatch(/^project at http:\/\/127\.0\.0\.1:\d+$/);
});

test("a part is what was asked for; one that is gone is undefined", async () => {
  const index = await served((request, response) => {
    expect(request.url).toBe(`/v1/namespaces/project/index/${PART}`);
    expect(request.headers.range).toBe("bytes=2-9");
    response.writeHead(206, { "Content-Range": "bytes 2-9/10" }).end("23456789");
  });
  expect(String(await index.part(PART, { offset: 2, end: 10 }, NEVER))).toBe("23456789");
  const gone = await served(errorReply(404, "ENDPOINT_NOT_FOUND", 404));
  expect(await gone.part(PART, { offset: 2, end: 10 }, NEVER)).toBeUndefined();
});

const UNREADABLE: readonly (readonly [string, RequestListener])[] = [
  [
    "not compressed",
    (_request, response) => void response.writeHead(200, { ETag: '"a"' }).end("{}"),
  ],
  ["a page of a proxy", (_request, response) => void response.writeHead(200).end("<html>")],
  ["without a version", (_request, response) => void response.end(gzipSync(JSON.stringify(LIST)))],
  [
    "not JSON",
    (_request, response) => void response.writeHead(200, { ETag: '"a"' }).end(gzipSync("{")),
  ],
  ["another form", listing({ ...LIST, files: [["a.md"]] })],
  ["a negative number", listing({ ...LIST, segments: [{ name: PART, files: -1, bytes: 10 }] })],
  ["a fraction", listing({ ...LIST, segments: [{ name: PART, files: 1, bytes: 0.5 }] })],
];

test.for(UNREADABLE)("a list that is %s is refused", async ([, respond]) => {
  const index = await served(respond);
  await expect(index.list(undefined, NEVER)).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    message: expect.stringContaining("does not list the index as svc does"),
    hint: expect.stringContaining("Without --from-remote"),
  });
});

test("a list that becomes huge when it is decompressed is refused", async () => {
  const bomb = gzipSync(Buffer.alloc(257 << 20, " "));
  expect(bomb.length).toBeLessThan(1 << 20);
  const index = await served(
    (_request, response) => void response.writeHead(200, { ETag: '"a"' }).end(bomb),
  );
  await expect(index.list(undefined, NEVER)).rejects.toMatchObject({ code: "REMOTE_UNAVAILABLE" });
});

const BAD_PARTS: readonly (readonly [string, string, RequestListener])[] = [
  [
    "more than was asked for",
    "sends more than it should",
    (_request, response) =>
      void response.writeHead(206, { "Content-Range": "bytes 0-9/10" }).end("x".repeat(100_000)),
  ],
  [
    "of another place",
    "sends a different part from the one requested",
    (_request, response) =>
      void response.writeHead(206, { "Content-Range": "bytes 5-9/10" }).end("56789"),
  ],
  [
    "cut off",
    "has broken off",
    (_request, response) => {
      response.writeHead(206, { "Content-Range": "bytes 0-9/10", "Content-Length": 10 });
      response.write("01", () => response.destroy());
    },
  ],
  [
    "that never ends",
    "has stopped sending",
    (_request, response) => {
      response.writeHead(206, { "Content-Range": "bytes 0-9/10", "Content-Length": 10 });
      response.write("01");
    },
  ],
];

test.for(BAD_PARTS)("a part %s", async ([, message, respond]) => {
  const index = await served(respond, 200);
  await expect(index.part(PART, { offset: 0, end: 10 }, NEVER)).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    message: expect.stringContaining(message),
    hint: expect.stringContaining("to continue the fetch"),
  });
});

test("an older server, and one that is not there, have their remedies", async () => {
  const older = await served(errorReply(404, "ENDPOINT_NOT_FOUND", 404));
  await expect(older.check(NEVER)).rejects.toMatchObject({
    message: expect.stringContaining("too old to share its indexes"),
    hint: expect.stringContaining("can update it"),
  });
  const refusing = await served(errorReply(403, "FORBIDDEN", 403));
  await expect(refusing.check(NEVER)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const address = parseServerAddress("http://127.0.0.1:9");
  const fetch = new RemoteFetch(address, tokenOf("secret"));
  const absent = new RemoteIndex({ address, namespace: "project", fetch });
  onTestFinished(() => absent.close());
  await expect(absent.check(NEVER)).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    hint: expect.stringContaining("Without --from-remote"),
  });
});

test("a caller that gives up gets its own reason", async () => {
  const index = await served(() => {});
  const caller = new AbortController();
  const listed = index.list(undefined, caller.signal);
  caller.abort(new Error("interrupted"));
  await expect(listed).rejects.toThrow("interrupted");
});
