// Event streams of listening clients: POST /mcp with subscriptions/listen, and GET /mcp of the legacy era.
import { connect } from "node:net";

import { describe, expect, onTestFinished, test } from "vitest";

import { MODERN_RESULT_META } from "../../helpers/rpc.ts";
import {
  eventsIn,
  getText,
  listenBoth,
  listenText,
  serveChanging,
  streamsOf,
  type ChangingServer,
} from "./listeners.ts";
import { message, open, outcomeOf, summary, type TestServer } from "./serve.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const META = { [SUBSCRIPTION]: "listen:0" };
const MARK = { _meta: META };
const ACKNOWLEDGED = {
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { ...MARK, notifications: { toolsListChanged: true } },
};
const CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: MARK };
const ENDED = {
  jsonrpc: "2.0",
  id: "listen:0",
  result: { resultType: "complete", _meta: { ...META, ...MODERN_RESULT_META } },
};
const LEGACY_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} };
/** The end of a chunked response. */
const LAST_CHUNK = /\r\n0\r\n\r\n$/;
/** Waiting for a condition may take long on a busy machine. */
const LONG_TIMEOUT = { timeout: 20_000 };

function times(count: number): RegExp {
  return new RegExp(`(?:list_changed[^]*){${count}}`);
}

describe("M6, H9 a listening client", () => {
  test("is notified of each change of the tools it may call, without any call", async () => {
    const server = await serveChanging();
    const { post, get } = await listenBoth(server);
    await server.change("read-only");
    await Promise.all([post.until(times(1)), get.until(times(1))]);
    await server.change("writing");
    const [posted, got] = await Promise.all([post.until(times(2)), get.until(times(2))]);
    expect(eventsIn(posted)).toEqual([ACKNOWLEDGED, CHANGED, CHANGED]);
    expect(eventsIn(got)).toEqual([LEGACY_CHANGED, LEGACY_CHANGED]);
    for (const answer of [posted, got]) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Type: text\/event-stream\r\n/);
      expect(answer).toContain("\r\nX-Accel-Buffering: no\r\n");
      expect(answer).not.toMatch(/^id:/m);
      expect(answer.toLowerCase()).not.toContain("mcp-session-id");
    }
  });

  test("is not notified of changes to other credentials, and does not use its own", async () => {
    const server = await serveChanging();
    const { post } = await listenBoth(server);
    const { used, looked } = { ...server.counts };
    await server.change("writing");
    await expect.poll(() => server.counts.looked, LONG_TIMEOUT).toBeGreaterThan(looked + 1);
    await server.change("read-only");
    expect(eventsIn(await post.until(times(1)))).toEqual([ACKNOWLEDGED, CHANGED]);
    expect(server.counts.used).toBe(used);
  });

  test("gets the end of the stream when its credential is revoked", async () => {
    const server = await serveChanging();
    const { post, get } = await listenBoth(server);
    await server.change("revoked");
    const [posted, got] = await Promise.all([post.until(LAST_CHUNK), get.until(LAST_CHUNK)]);
    expect(eventsIn(posted)).toEqual([ACKNOWLEDGED, ENDED]);
    expect(eventsIn(got)).toEqual([]);
    await expect.poll(() => server.rights.size, LONG_TIMEOUT).toBe(0);
  });

  test("gets the end of the stream when its credential expires", async () => {
    const server = await serveChanging();
    const { post, get } = await listenBoth(server);
    await server.expireIn(50);
    const [posted] = await Promise.all([post.until(LAST_CHUNK), get.until(LAST_CHUNK)]);
    expect(eventsIn(posted)).toEqual([ACKNOWLEDGED, ENDED]);
  });

  test("gets the end of the stream when the server shuts down, which does not wait for it", async () => {
    const server = await serveChanging({ drainMs: 60_000 });
    const { post, get } = await listenBoth(server);
    await server.end();
    expect(eventsIn(await post.closed())).toEqual([ACKNOWLEDGED, ENDED]);
    expect(await get.closed()).toMatch(LAST_CHUNK);
  });

  test("gets comments, and no limit of calls and idle connections applies", async () => {
    // Long enough for a busy machine to begin, and shorter than the time of the comments.
    const all = 1500;
    const server = await serveChanging({
      commentMs: 20,
      callMs: all,
      queueMs: all,
      stalledMs: all,
      keepAliveMs: all,
      requestMs: all,
      headersMs: all,
      sweepMs: 100,
      idleConnections: 0,
      idleGraceMs: all,
    });
    const { post, get } = await listenBoth(server);
    await Promise.all([post, get].map((wire) => wire.until(/(?:\n:\n\n\r\n3\r){100}/)));
    await server.change("read-only");
    expect(eventsIn(await post.until(times(1)))).toEqual([ACKNOWLEDGED, CHANGED]);
    expect(eventsIn(await get.until(times(1)))).toEqual([LEGACY_CHANGED]);
  });

  test("occupies no place among the calls", async () => {
    const server = await serveChanging({ inFlight: 1, queueMs: 10_000 });
    await listenBoth(server);
    await listenBoth(server);
    expect(await outcomeOf(server)).toBe("200 ok");
  });

  test("leaves nothing behind when it disconnects", async () => {
    const server = await serveChanging({ streamsOfPrincipal: 40 });
    for (let round = 0; round < 5; round += 1) {
      // eslint-disable-next-line no-await-in-loop -- the places of one round are those of the next
      const pairs = await Promise.all(Array.from({ length: 20 }, () => listenBoth(server)));
      expect(server.rights.size).toBe(40);
      for (const { post, get } of pairs) {
        post.socket.destroy();
        get.socket.resetAndDestroy();
      }
      // eslint-disable-next-line no-await-in-loop -- as above
      await expect.poll(() => server.rights.size, LONG_TIMEOUT).toBe(0);
    }
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(0);
  });
});

describe("streams are refused", () => {
  test("above the limit of one credential, until one is closed", async () => {
    const server = await serveChanging({ streamsOfPrincipal: 2 });
    const { get } = await listenBoth(server);
    expect(await streamsOf(server)).toBe(2);
    const refused = await answersTo(server, "429");
    for (const answer of refused) expect(answer).toMatch(/\r\nRetry-After: 30\r\n/);
    expect(refused.map(summary)).toEqual(["429 RATE_LIMITED", "429 RATE_LIMITED"]);
    expect(refused[0]).toContain('"id":"listen:1"');
    get.socket.destroy();
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(1);
    const again = open(server);
    again.send(getText(server));
    expect(await again.until(/\n:\n\n/)).toContain("200 OK");
  });

  test("above the limit of the server", async () => {
    const server = await serveChanging({ streams: 2 });
    await listenBoth(server);
    const refused = await answersTo(server, "503");
    expect(refused.map(summary)).toEqual(["503 OVERLOADED", "503 OVERLOADED"]);
    for (const answer of refused) expect(answer).toMatch(/\r\nRetry-After: 30\r\n/);
    expect(await outcomeOf(server)).toBe("200 ok");
  });

  test("without Accept: text/event-stream", async () => {
    const server = await serveChanging();
    const wire = open(server);
    wire.send(listenText(server, 7, { Accept: "application/json" }));
    const answer = await wire.until(/error_code/);
    expect(summary(answer)).toBe("406 NOT_ACCEPTABLE");
    expect(answer).toContain('"id":7');
    expect(await getOutcome(server, { Accept: "application/json" })).toBe("405 METHOD_NOT_ALLOWED");
    expect(await getOutcome(server, { Accept: undefined })).toBe("405 METHOD_NOT_ALLOWED");
  });

  test("H9 to a GET of a revision without streams, of an unknown one, and without a credential", async () => {
    const server = await serveChanging();
    const versioned = (version: string): Promise<string> =>
      getOutcome(server, { "MCP-Protocol-Version": version });
    expect([await versioned("2026-07-28"), await versioned("1999-01-01")]).toEqual([
      "405 METHOD_NOT_ALLOWED",
      "400 INVALID_REQUEST",
    ]);
    expect(await getOutcome(server, { Authorization: undefined })).toBe("401 UNAUTHENTICATED");
    expect(await streamsOf(server)).toBe(0);
  });

  test("to a legacy request for a method that only the modern era has", async () => {
    const server = await serveChanging();
    const body = message("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect(await outcomeOf(server, { body })).toBe("404 METHOD_NOT_FOUND");
  });
});

test("H8, H9 a GET for a known revision listens, even if it names an event or a session", async () => {
  const server = await serveChanging();
  const wire = open(server);
  wire.send(
    getText(server, {
      "MCP-Protocol-Version": "2025-11-25",
      "Last-Event-ID": "7",
      "Mcp-Session-Id": "abc",
    }),
  );
  await server.change("read-only");
  const answer = await wire.until(/\n:\n\n/);
  expect(answer).toContain("200 OK");
  expect(answer.toLowerCase()).not.toContain("mcp-session-id");
});

describe("a client that does not read is disconnected", () => {
  test("when more than the unread limit is to be written", async () => {
    const server = await serveChanging({ unreadBytes: 1000 });
    listenWithoutReading(server);
    await flood(server, () => server.rights.size === 0);
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(0);
  });

  test("when it does not read the last comment", async () => {
    const server = await serveChanging({ unreadBytes: Infinity, commentMs: 100 });
    listenWithoutReading(server);
    await flood(server, () => server.rights.size === 0);
    await expect.poll(() => streamsOf(server), LONG_TIMEOUT).toBe(0);
  });
});

/** Listens with an id of a megabyte, which each event repeats. */
function listenWithoutReading(server: TestServer): void {
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write(listenText(server, "x".repeat(1_000_000)));
}

/** Changes rights repeatedly until it is enough. */
async function flood(server: ChangingServer, isEnough: () => boolean): Promise<void> {
  await expect.poll(() => server.rights.size, LONG_TIMEOUT).toBe(1);
  let isReadOnly = false;
  await expect
    .poll(
      async () => {
        isReadOnly = !isReadOnly;
        await server.change(isReadOnly ? "read-only" : "writing");
        return isEnough();
      },
      { ...LONG_TIMEOUT, interval: 10 },
    )
    .toBe(true);
}

/** Returns the answers to a further listener of each kind. */
function answersTo(server: TestServer, status: string): Promise<string[]> {
  return Promise.all(
    [listenText(server, "listen:1"), getText(server)].map((text) => {
      const wire = open(server);
      wire.send(text);
      return wire.until(new RegExp(`^HTTP/1.1 ${status} [^]*error_code[^]*}$`));
    }),
  );
}

async function getOutcome(
  server: TestServer,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const wire = open(server);
  wire.send(getText(server, { Connection: "close", ...headers }));
  return summary(await wire.closed());
}
