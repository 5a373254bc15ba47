// Slow, many and failing clients, and the shutdown of the server. Limits are shortened: the tests show that they
// are enforced.
import { once } from "node:events";

import { expect, test } from "vitest";

import { CredentialPrincipal } from "../../../src/credentials/authenticate.ts";
import { fixtureTool } from "../../helpers/rpc.ts";
import { promise } from "../../trust/promise.ts";
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
import { certificate } from "../../helpers/certificate.ts";
import { needs } from "../../helpers/needs.ts";

/** A tool whose calls end when the test allows it, or are aborted. */
function gate() {
  const started: PromiseWithResolvers<void> = Promise.withResolvers();
  const opened: PromiseWithResolvers<void> = Promise.withResolvers();
  const aborted: PromiseWithResolvers<void> = Promise.withResolvers();
  const tool = fixtureTool("wait", async (_input, { signal, emit }) => {
    started.resolve();
    signal.addEventListener("abort", () => aborted.resolve());
    await opened.promise;
    emit({ text: "done" });
    return {};
  });
  return { tool, started: started.promise, open: opened.resolve, aborted: aborted.promise };
}

const WAIT = message("tools/call", { name: "wait" });

promise(
  [23],
  "svc closes a connection whose headers are not complete in time, and a silent one",
  async () => {
    const server = await serve([], { limits: { headersMs: 100, sweepMs: 20 } });
    const [slow, silent] = [open(server), open(server)];
    slow.send("POST /mcp HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    const dripping = setInterval(() => slow.send("a"), 10);
    expect(summary(await slow.closed())).toBe("408 REQUEST_TIMEOUT");
    clearInterval(dripping);
    expect(summary(await silent.closed())).toMatch(/^408|^none/);
    expect(await outcomeOf(server)).toBe("200 ok");
    return 2;
  },
);

promise([23], "svc closes a connection whose body is not complete in time", async () => {
  const limits = { headersMs: 100, requestMs: 150, sweepMs: 20 };
  const server = await serve([], { limits });
  const wire = open(server);
  wire.send(requestText(server, { headers: { "Content-Length": "5000" }, body: "{" }));
  const dripping = setInterval(() => wire.send(" "), 10);
  expect(summary(await wire.closed())).toBe("408 REQUEST_TIMEOUT");
  clearInterval(dripping);
  return 1;
});

promise([23], "svc disconnects a client that does not read its answers", async () => {
  const server = await serve([], {
    limits: { unreadMs: 50, sweepMs: 20, connections: 1, pipelined: 5000 },
  });
  const wire = open(server);
  wire.send(requestText(server));
  await wire.until(/"result"/);
  wire.socket.pause();
  // More than the system buffers for a client.
  const line = "GET /openapi.json HTTP/1.1";
  wire.send(
    requestText(server, { line, headers: { "Content-Length": undefined }, body: "" }).repeat(2000),
  );
  // There is room for one connection: another is accepted once this one is closed.
  await expect.poll(() => outcomeOf(server), { timeout: 15_000 }).toBe("200 ok");
  return 1;
});

promise(
  [18],
  "a client that does not read the progress of a call is disconnected at 8 MB, and its call ends",
  async () => {
    const sent = { bytes: 0, isAborted: false };
    const talk = fixtureTool("talk", async (_input, { progress, signal }) => {
      const text = "x".repeat(100_000);
      for (let done = 1; !signal.aborted; done += 1) {
        progress({ done, message: text });
        sent.bytes += text.length;
        // oxlint-disable-next-line no-await-in-loop -- as long as the call is wanted
        await new Promise(setImmediate);
      }
      sent.isAborted = true;
      return {};
    });
    const server = await serve([talk]);
    const wire = open(server);
    wire.socket.pause();
    const body = message("tools/call", { name: "talk", _meta: { progressToken: 1 } });
    const headers = { Accept: "application/json, text/event-stream" };
    wire.send(requestText(server, { body, headers }));
    await expect.poll(() => sent.isAborted, { timeout: 20_000 }).toBe(true);
    // 8 MB in the server, and the data that the system buffers for the connection.
    expect(sent.bytes).toBeLessThan(24 * 1024 * 1024);
    return 1;
  },
);

test("at the connection limit, the connection that has been silent for longest is closed", async () => {
  const server = await serve([], { limits: { connections: 2 } });
  const used = open(server);
  used.send(requestText(server));
  await used.until(/"result"/);
  const silent = open(server);
  await once(silent.socket, "connect");
  expect(await outcomeOf(server)).toBe("200 ok");
  expect(await silent.closed()).toBe("");
  expect(used.socket.destroyed).toBe(false);
});

test("a connection that pipelines too many requests is closed after those within the limit are answered", async () => {
  const server = await serve([], { limits: { pipelined: 3 } });
  const wire = open(server);
  wire.send(requestText(server).repeat(50));
  const answers = (await wire.closed()).split(/(?=HTTP\/1\.1)/);
  expect(answers.map(summary)).toEqual(["200 ok", "200 ok", "200 ok", "503 OVERLOADED"]);
  expect(answers[3]).toContain("Connection: close");
  expect(await outcomeOf(server)).toBe("200 ok");
});

needs(["openssl"], () => {
  test("a TLS handshake that does not complete in time is abandoned", async () => {
    const server = await serve([], { tls: certificate(), limits: { headersMs: 100, sweepMs: 20 } });
    const wire = open(server);
    // The first bytes of a message whose rest never arrives.
    wire.socket.write(Buffer.from("16030102000100", "hex"));
    const dripping = setInterval(() => wire.send("a"), 10);
    expect(await wire.closed()).toBe("");
    clearInterval(dripping);
  });
});

test("an idle connection is closed after its time", async () => {
  const server = await serve([], { limits: { keepAliveMs: 50 } });
  const wire = open(server);
  wire.send(requestText(server));
  expect(summary(await wire.closed())).toBe("200 ok");
});

promise(
  [23],
  "svc closes the oldest idle connections of an address beyond the limit, and never a busy one",
  async () => {
    const { tool, started, open: letGo } = gate();
    const limits = { idleConnections: 2, idleGraceMs: 0, sweepMs: 20 };
    const server = await serve([tool], { limits });
    const busy = open(server);
    busy.send(requestText(server, { body: WAIT }));
    await started;
    const idle = [open(server)];
    for (let count = 0; count < 3; count += 1) {
      const previous = idle.at(-1);
      previous?.send(requestText(server));
      // eslint-disable-next-line no-await-in-loop -- the order in which they are idle
      await previous?.until(/"result"/);
      idle.push(open(server));
    }
    idle.at(-1)?.send(requestText(server));
    await Promise.all(idle.slice(0, 2).map((wire) => wire.closed()));
    expect(idle.slice(2).map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    letGo();
    expect(await busy.until(/done/)).toContain("200 OK");
    return 4;
  },
);

promise(
  [22],
  "further calls wait for a limited time, and are then refused with Retry-After",
  async () => {
    const { tool, started, open: letGo } = gate();
    const server = await serve([tool], { limits: { inFlight: 1, queueMs: 50 } });
    const first = open(server);
    first.send(requestText(server, { body: WAIT }));
    await started;
    const second = open(server);
    second.send(requestText(server));
    expect(summary(await second.until(/error_code/))).toBe("503 OVERLOADED");
    expect(await second.until(/error_code/)).toContain("\r\nRetry-After: 1\r\n");
    letGo();
    await first.until(/done/);
    expect(await outcomeOf(server)).toBe("200 ok");
    return 1;
  },
);

promise([48], "one credential cannot take every place among the calls at work", async () => {
  const { tool, started, open: letGo } = gate();
  const server = await serve([tool], {
    limits: { inFlight: 2, inFlightOfOwner: 1 },
    authenticate: (secret) => Promise.resolve(owner(secret)),
  });
  const [first, second] = [open(server), open(server)];
  first.send(requestText(server, { body: WAIT }));
  await started;
  // Another call of the same credential waits, and one of another credential does not wait for it.
  second.send(requestText(server));
  expect(await outcomeOf(server, { headers: { Authorization: "Bearer other" } })).toBe("200 ok");
  letGo();
  expect(summary(await first.until(/done/))).toBe("200 ok");
  expect(summary(await second.until(/"result"/))).toBe("200 ok");
  return 2;
});

/** Returns the number of calls that wait for their turn. */
async function waiting({ port }: TestServer): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^svc_calls_waiting (\d+)$/m.exec(text)?.[1]);
}

/** Any word is the secret of a principal with that id. */
function owner(id: string): CredentialPrincipal {
  const rights = { namespaces: "all", readOnly: false } as const;
  return new CredentialPrincipal({
    id,
    kind: "token",
    name: id,
    ...rights,
    createdAt: 0,
    digest: "",
  });
}

promise(
  [48],
  "where the queue is full the credential with the most calls in it makes room for another",
  async () => {
    const { tool, started, open: letGo } = gate();
    const server = await serve([tool], {
      limits: { inFlight: 1, inFlightOfOwner: 1, queued: 2 },
      authenticate: (secret) => Promise.resolve(owner(secret)),
    });
    const working = open(server);
    working.send(requestText(server, { body: WAIT }));
    await started;
    const [older, newer] = [open(server), open(server)];
    for (const [at, wire] of [older, newer].entries()) {
      wire.send(requestText(server));
      // eslint-disable-next-line no-await-in-loop -- one after the other
      await expect.poll(() => waiting(server)).toBe(at + 1);
    }
    expect(await outcomeOf(server)).toBe("503 OVERLOADED");
    const other = open(server);
    other.send(requestText(server, { headers: { Authorization: "Bearer other" } }));
    expect(summary(await newer.until(/error_code/))).toBe("503 OVERLOADED");
    letGo();
    expect(summary(await working.until(/done/))).toBe("200 ok");
    expect(summary(await older.until(/"result"/))).toBe("200 ok");
    expect(summary(await other.until(/"result"/))).toBe("200 ok");
    return 3;
  },
);

promise(
  [26],
  "calls that wait when the server shuts down are refused at once, neither begun nor cut off",
  async () => {
    const { tool, started, open: letGo } = gate();
    const server = await serve([tool], { limits: { inFlight: 1, drainMs: 60_000 } });
    const [working, late] = [open(server), open(server)];
    working.send(requestText(server, { body: WAIT }));
    await started;
    late.send(requestText(server));
    await expect.poll(() => waiting(server)).toBe(1);
    const ended = server.end();
    const answer = await late.closed();
    expect(answer).toMatch(/HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n[^]*Connection: close/);
    letGo();
    await ended;
    expect(summary(await working.closed())).toBe("200 ok");
    return 1;
  },
);

test("bodies that together exceed the memory limit are refused", async () => {
  const server = await serve([], { limits: { allBodiesBytes: 100_000 } });
  expect(await outcomeOf(server, { body: PING.padEnd(90_000) })).toBe("200 ok");
  expect(await outcomeOf(server, { body: PING.padEnd(110_000) })).toBe("503 OVERLOADED");
  expect(await outcomeOf(server, { body: PING.padEnd(90_000) })).toBe("200 ok");
});

test("a call that takes too long is answered with TIMEOUT", async () => {
  const { tool } = gate();
  const server = await serve([tool], { limits: { callMs: 60 } });
  expect(await outcomeOf(server, { body: WAIT })).toBe("500 TIMEOUT");
});

test("H11 a client that disconnects ends its call", async () => {
  const { tool, started, aborted } = gate();
  const server = await serve([tool]);
  const wire = open(server);
  wire.send(requestText(server, { body: WAIT }));
  await started;
  wire.socket.destroy();
  await aborted;
  await expect.poll(() => server.audited).toMatchObject([{ tool: "wait", outcome: "cancelled" }]);
});

promise(
  [26],
  "a shutdown waits for running calls, accepts no new ones, and closes idle connections at once",
  async () => {
    const { tool, started, open: letGo } = gate();
    const server = await serve([tool]);
    const [busy, idle, begun] = [open(server), open(server), open(server)];
    idle.send(requestText(server));
    await idle.until(/"result"/);
    begun.send("POST /mcp HTTP/1.1\r\n");
    busy.send(requestText(server, { body: WAIT }));
    await started;
    const ended = server.end();
    await Promise.all([idle.closed(), begun.closed()]);
    // After a running call on the same connection.
    busy.send(requestText(server));
    const late = open(server);
    expect(await late.closed()).toBe("");
    letGo();
    await ended;
    const answers = await busy.closed();
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*"done"/);
    expect(answers).not.toContain('"result":{}');
    return 3;
  },
);

promise([26], "a shutdown does not wait for calls beyond its limit", async () => {
  const { tool, started } = gate();
  const server = await serve([tool], { limits: { drainMs: 50 } });
  const wire = open(server);
  wire.send(requestText(server, { body: WAIT }));
  await started;
  await server.end();
  expect(await wire.closed()).toBe("");
  return 1;
});

promise(
  [37],
  "ten failed attempts of an address are answered, further ones must wait, and a valid one passes",
  async () => {
    const server = await serve();
    const wrong = { headers: { Authorization: "Bearer wrong" } };
    for (let count = 0; count < 10; count += 1) {
      // eslint-disable-next-line no-await-in-loop -- they are counted one after the other
      expect(await outcomeOf(server, wrong)).toBe("401 UNAUTHENTICATED");
    }
    const wire = open(server);
    wire.send(requestText(server, wrong));
    const answer = await wire.until(/error_code/);
    expect(summary(answer)).toBe("429 RATE_LIMITED");
    expect(answer).toMatch(/\r\nRetry-After: [1-9]\d?\r\n/);
    expect(await outcomeOf(server)).toBe("200 ok");
    // Refusals that would fill the log are not recorded.
    expect(server.audited).toHaveLength(10);
    expect(server.audited[0]).toMatchObject({
      principal: null,
      tool: "/mcp",
      outcome: "UNAUTHENTICATED",
    });
    return 11;
  },
);

test("behind a proxy attempts are counted by the address that the proxy reports", async () => {
  const server = await serve([], { isBehindProxy: true });
  const from = (address: string): Promise<string> =>
    outcomeOf(server, {
      headers: { Authorization: "Bearer wrong", "X-Forwarded-For": `10.9.9.9, ${address}` },
    });
  for (let count = 0; count < 10; count += 1) {
    // eslint-disable-next-line no-await-in-loop -- as above
    await from("192.0.2.1");
  }
  expect([await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([
    "429 RATE_LIMITED",
    "401 UNAUTHENTICATED",
  ]);
});

test("an internal error of a search is 500 without details", async () => {
  const server = await serve();
  const line = "POST /v1/search HTTP/1.1";
  const wire = open(server);
  const headers = { "X-API-Key": KEY, Authorization: undefined };
  wire.send(requestText(server, { line, headers, body: '{"query":"tides"}' }));
  const answer = await wire.until(/error_code/);
  expect(summary(answer)).toBe("500 INTERNAL_ERROR");
  expect(answer).not.toContain("engine");
  expect(answer).not.toContain(TOKEN);
  expect(server.audited).toMatchObject([
    {
      principal: "key_1",
      tool: "/v1/search",
      namespace: "docs",
      outcome: "INTERNAL_ERROR",
      query: "tides",
    },
  ]);
});
