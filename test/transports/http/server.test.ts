// The checks that a request passes, in bytes on real sockets.
import { expect, test } from "vitest";

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
} from "./serve.ts";
import { promise } from "../../trust/promise.ts";

const MIB = 1024 * 1024;

promise([25], "H3 a host that is not the server's is refused before any other check", async () => {
  const server = await serve([], { allowHosts: ["code.example.org", "other.example.org:99"] });
  const { port } = server;
  const outcomeFor = async (Host: string | undefined): Promise<string> =>
    outcomeOf(server, { headers: { Host } });
  const good = [
    `127.0.0.1:${port}`,
    `LOCALHOST:${port}`,
    `[::1]:${port}`,
    "code.example.org",
    `code.example.org:${port}`,
    "other.example.org:99",
  ];
  expect(await Promise.all(good.map(outcomeFor))).toEqual(good.map(() => "200 ok"));
  const bad = [
    "evil.example.org",
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:${port}.evil.org`,
    `evil.org:${port}`,
    "other.example.org",
    "",
  ];
  expect(await Promise.all(bad.map(outcomeFor))).toEqual(bad.map(() => "403 FORBIDDEN"));
  const unknown = { line: "POST /nowhere HTTP/1.1", headers: { Host: "evil.example.org" } };
  expect(await outcomeOf(server, unknown)).toBe("403 FORBIDDEN");
  return good.length + bad.length + 1;
});

promise([25], "H3 a page of another origin is refused and gets no CORS headers", async () => {
  const server = await serve([], { allowHosts: ["code.example.org"] });
  const outcomeFor = async (Origin: string): Promise<string> =>
    outcomeOf(server, { headers: { Origin } });
  const good = [
    `http://127.0.0.1:${server.port}`,
    `http://localhost:${server.port}`,
    "http://code.example.org",
  ];
  expect(await Promise.all(good.map(outcomeFor))).toEqual(good.map(() => "200 ok"));
  const bad = [
    "null",
    "",
    "http://evil.org",
    `https://127.0.0.1:${server.port}`,
    "http://127.0.0.1",
  ];
  expect(await Promise.all(bad.map(outcomeFor))).toEqual(bad.map(() => "403 FORBIDDEN"));
  const wire = open(server);
  const preflight = {
    line: "OPTIONS /mcp HTTP/1.1",
    headers: { Origin: good[0], Connection: "close" },
  };
  wire.send(requestText(server, preflight));
  expect(await wire.closed()).not.toMatch(/access-control/i);
  return good.length + bad.length + 1;
});

test("H2, H4 checks come in their order: path, credential, method, type, accept, size, JSON", async () => {
  const server = await serve();
  const wrong = {
    line: "PUT /mcp HTTP/1.1",
    headers: { Authorization: undefined, "Content-Type": "text/plain", Accept: "text/html" },
    body: "{",
  };
  const outcomes = [
    await outcomeOf(server, { ...wrong, line: "PUT /mcp2 HTTP/1.1" }),
    await outcomeOf(server, wrong),
    await outcomeOf(server, {
      ...wrong,
      headers: { ...wrong.headers, Authorization: `Bearer ${TOKEN}` },
    }),
    await outcomeOf(server, {
      headers: { "Content-Type": "text/plain", Accept: "text/html" },
      body: "{",
    }),
    await outcomeOf(server, { headers: { Accept: "text/html" }, body: "{" }),
    await outcomeOf(server, { body: "{" }),
    await outcomeOf(server),
  ];
  expect(outcomes).toEqual([
    "404 ENDPOINT_NOT_FOUND",
    "401 UNAUTHENTICATED",
    "405 METHOD_NOT_ALLOWED",
    "415 UNSUPPORTED_MEDIA_TYPE",
    "406 NOT_ACCEPTABLE",
    "400 PARSE_ERROR",
    "200 ok",
  ]);
});

test("H12 no metadata of an OAuth server is found", async () => {
  const server = await serve();
  const lines = [
    "oauth-protected-resource",
    "oauth-authorization-server",
    "openid-configuration",
  ].map((name) => ({ line: `GET /.well-known/${name} HTTP/1.1`, body: "" }));
  const outcomes = await Promise.all(lines.map((parts) => outcomeOf(server, parts)));
  expect(outcomes).toEqual(lines.map(() => "404 ENDPOINT_NOT_FOUND"));
});

test("H8, H4 methods that a path does not accept are refused with the accepted one", async () => {
  const server = await serve();
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"]) {
    const wire = open(server);
    wire.send(
      requestText(server, { line: `${method} /mcp HTTP/1.1`, headers: { Connection: "close" } }),
    );
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await wire.closed()).toMatch(/^HTTP\/1\.1 405 [^]*\r\nAllow: POST\r\n/);
  }
  const key = { "X-API-Key": KEY, Authorization: undefined };
  expect(await outcomeOf(server, { line: "GET /v1/search HTTP/1.1", headers: key })).toBe(
    "405 METHOD_NOT_ALLOWED",
  );
  expect(await outcomeOf(server, { line: "POST /healthz HTTP/1.1" })).toBe(
    "405 METHOD_NOT_ALLOWED",
  );
});

test("a client without an Accept header gets JSON", async () => {
  const server = await serve();
  const accepted = [
    undefined,
    "*/*",
    "application/json",
    "application/json, text/event-stream",
    "application/*;q=0.5",
  ];
  for (const Accept of accepted) {
    const wire = open(server);
    wire.send(requestText(server, { headers: { Accept, Connection: "close" } }));
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await wire.closed()).toMatch(/\r\nContent-Type: application\/json\r\n/);
  }
  const events = open(server);
  events.send(
    requestText(server, { headers: { Accept: "text/event-stream", Connection: "close" } }),
  );
  expect(await events.closed()).toMatch(
    /text\/event-stream[^]*event: message\ndata: \{"jsonrpc":"2.0","id":1,"result":\{\}\}\n\n/,
  );
  const none = { headers: { Accept: "application/json;q=0, text/html" } };
  expect(await outcomeOf(server, none)).toBe("406 NOT_ACCEPTABLE");
});

promise([24], "a body must be JSON and uncompressed", async () => {
  const server = await serve();
  const typed = async (type: string | undefined): Promise<string> =>
    outcomeOf(server, { headers: { "Content-Type": type } });
  expect(await typed("Application/JSON; charset=utf-8")).toBe("200 ok");
  const bad = [undefined, "text/plain", "application/jsonp", "application/x-www-form-urlencoded"];
  expect(await Promise.all(bad.map(typed))).toEqual(bad.map(() => "415 UNSUPPORTED_MEDIA_TYPE"));
  const coded = async (coding: string): Promise<string> =>
    outcomeOf(server, { headers: { "Content-Encoding": coding } });
  expect(await coded("identity")).toBe("200 ok");
  expect([await coded("gzip"), await coded("br")]).toEqual([
    "415 UNSUPPORTED_MEDIA_TYPE",
    "415 UNSUPPORTED_MEDIA_TYPE",
  ]);
  return bad.length + 4;
});

promise(
  [24],
  "a body that names another charset than UTF-8 is refused, however it does",
  async () => {
    const server = await serve();
    const charset = async (parameters: string): Promise<string> =>
      outcomeOf(server, { headers: { "Content-Type": `application/json${parameters}` } });
    for (const good of [";charset=UTF-8", '; charset="utf-8"', "; x=y ; Charset = utf8"]) {
      // eslint-disable-next-line no-await-in-loop -- each by itself
      expect(await charset(good)).toBe("200 ok");
    }
    const bad = [
      ";charset=utf-16",
      '; charset="UTF-16LE"',
      "; charset=iso-8859-1",
      "; CHARSET=utf-8x",
      "; charset=",
      "; charset=utf-8; charset=utf-16",
      "; charset=utf-16; charset=utf-8",
    ];
    expect(await Promise.all(bad.map(charset))).toEqual(
      bad.map(() => "415 UNSUPPORTED_MEDIA_TYPE"),
    );
    const wire = open(server);
    wire.send(
      requestText(server, { headers: { "Content-Type": "application/json;charset=utf-16" } }),
    );
    expect(await wire.until(/error_code[^]*\}$/)).toContain("Send it in UTF-8");
    return bad.length + 4;
  },
);

promise(
  [24],
  "a body with a declared length over the limit is refused before it is sent",
  async () => {
    const server = await serve();
    const wire = open(server);
    wire.send(requestText(server, { headers: { "Content-Length": String(200 * MIB) }, body: "" }));
    const answer = await wire.closed();
    expect(summary(answer)).toBe("413 MESSAGE_TOO_LARGE");
    expect(answer).toContain("Connection: close");
    return 1;
  },
);

test("a client that sends Expect: 100-continue is refused before sending, or invited to continue", async () => {
  const server = await serve();
  const refused = open(server);
  const long = { "Content-Length": String(5 * MIB), Expect: "100-continue" };
  refused.send(requestText(server, { headers: long, body: "" }));
  expect(await refused.closed()).toMatch(/^HTTP\/1\.1 413/);
  const welcome = open(server);
  const short = { "Content-Length": String(PING.length), Expect: "100-continue" };
  welcome.send(requestText(server, { headers: short, body: "" }));
  await welcome.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  welcome.send(PING);
  expect(await welcome.until(/"result"/)).toContain("HTTP/1.1 200 OK");
});

promise([24], "a body that exceeds the limit is refused while it is sent", async () => {
  const server = await serve();
  const wire = open(server);
  const headers = { "Content-Length": undefined, "Transfer-Encoding": "chunked" };
  wire.send(requestText(server, { headers, body: "" }));
  const part = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 4 * MIB + 0x10000; sent += 0x10000) wire.send(part);
  expect(await wire.until(/error_code/)).toMatch(/^HTTP\/1\.1 413/);
  expect(summary(await wire.closed())).toBe("413 MESSAGE_TOO_LARGE");
  return 1;
});

test("H6 a body of exactly the limit is read", async () => {
  const server = await serve();
  expect(await outcomeOf(server, { body: PING.padEnd(4 * MIB, " ") })).toBe("200 ok");
});

test("a body that is not UTF-8 is a parse error", async () => {
  const server = await serve();
  const wire = open(server);
  wire.send(
    requestText(server, { headers: { "Content-Length": "2", Connection: "close" }, body: "" }),
  );
  wire.socket.write(Buffer.from([0x22, 0xff]));
  expect(summary(await wire.closed())).toBe("400 PARSE_ERROR");
});

promise([24], "headers beyond 16 KiB are refused", async () => {
  const server = await serve();
  expect(await outcomeOf(server, { headers: { "X-Long": "a".repeat(20_000) } })).toBe(
    "431 HEADERS_TOO_LARGE",
  );
  return 1;
});

promise([24], "a request that two parsers could read differently is refused", async () => {
  const server = await serve();
  const { port } = server;
  const chunked = { "Transfer-Encoding": "chunked" };
  expect(await outcomeOf(server, { headers: chunked, body: "0\r\n\r\n" })).toBe(
    "400 INVALID_REQUEST",
  );
  const twice = [
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    "X-API-Key: a\r\nX-API-Key: b",
    "Content-Type: application/json",
    `Content-Length: ${PING.length}`,
    `Origin: http://127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}`,
  ];
  for (const line of twice) {
    const [name = "", value] = line.split(/: (.*)/s);
    // eslint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeOf(server, { headers: { [name.toLowerCase()]: value } })).toBe(
      "400 INVALID_REQUEST",
    );
  }
  expect(await outcomeOf(server, { line: "POST /mcp HTTP/9.9" })).toBe("400 INVALID_REQUEST");
  expect(await outcomeOf(server, { line: "\u0001 garbage" })).toBe("400 INVALID_REQUEST");
  return twice.length + 3;
});

promise([24, 25], "a host in the request line must be a name of the server too", async () => {
  const server = await serve();
  const outcomeFor = (authority: string): Promise<string> =>
    outcomeOf(server, { line: `POST http://${authority}/mcp HTTP/1.1` });
  expect(await outcomeFor(`127.0.0.1:${server.port}`)).toBe("200 ok");
  expect(await outcomeFor("evil.org")).toBe("403 FORBIDDEN");
  expect(await outcomeFor(`evil@127.0.0.1:${server.port}`)).toBe("403 FORBIDDEN");
  return 3;
});

test("a query in the address is ignored, and no credential is read from it", async () => {
  const server = await serve();
  expect(await outcomeOf(server, { line: "POST /mcp?x=1 HTTP/1.1" })).toBe("200 ok");
  const inAddress = {
    line: `POST /mcp?token=${TOKEN} HTTP/1.1`,
    headers: { Authorization: undefined },
  };
  expect(await outcomeOf(server, inAddress)).toBe("401 UNAUTHENTICATED");
});

promise(
  [24],
  "an HTTP/1.0 request that names the host is answered, and its connection is closed",
  async () => {
    const server = await serve();
    const wire = open(server);
    wire.send(requestText(server, { line: "POST /mcp HTTP/1.0" }));
    expect(summary(await wire.closed())).toBe("200 ok");
    const nameless = { line: "POST /mcp HTTP/1.0", headers: { Host: undefined } };
    expect(await outcomeOf(server, nameless)).toBe("403 FORBIDDEN");
    return 2;
  },
);

test("a connection is kept, even after a refusal, and pipelined requests are answered in order", async () => {
  const server = await serve();
  const wire = open(server);
  wire.send(requestText(server, { body: message("ping", undefined, "a") }));
  await wire.until(/"id":"a","result"/);
  wire.send(requestText(server, { line: "POST /nowhere HTTP/1.1" }));
  await wire.until(/ENDPOINT_NOT_FOUND/);
  wire.send(
    ["b", "c", "d"]
      .map((id) => requestText(server, { body: message("ping", undefined, id) }))
      .join(""),
  );
  const answers = await wire.until(/"id":"d","result"/);
  expect([...answers.matchAll(/"id":"(\w)"/g)].map(([, id]) => id)).toEqual(["a", "b", "c", "d"]);
});
