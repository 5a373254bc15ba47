import { expect, test } from "vitest";

import { AllowList, urlHost } from "../../../src/transports/http/allow-list.ts";
import { exchangeWith } from "./exchange-with.ts";

interface Request {
  readonly host?: string | undefined;
  readonly origin?: string;
  readonly path?: string;
  readonly authority?: string;
}

const LOCAL = { host: "127.0.0.1", port: 4000, allowHosts: [], schemes: ["http"] } as const;

/** The reason of a refusal; "ok" without one. */
function checked(
  options: Partial<ConstructorParameters<typeof AllowList>[0]>,
  { host, origin, path = "/mcp", authority }: Request,
): string {
  const url = authority === undefined ? path : `http://${authority}${path}`;
  const headers = { host, ...(origin === undefined ? {} : { origin }) };
  try {
    new AllowList({ ...LOCAL, ...options }).check(exchangeWith(headers, url));
    return "ok";
  } catch (thrown) {
    return /host/.test(String(thrown)) ? "host" : "origin";
  }
}

test.each(["127.0.0.1:4000", "LocalHost:4000", "[::1]:4000"])("%s is the server", (host) => {
  expect(checked({}, { host })).toBe("ok");
});

test.each([
  undefined,
  "",
  "127.0.0.1",
  "localhost:4001",
  "evil.example:4000",
  "localhost:4000.evil",
])("%s is not", (host) => {
  expect(checked({}, { host })).toBe("host");
});

test("an allowed name has the port of the server, the default port, or the one it names", () => {
  const allowHosts = ["code.example", "other.example:99", "2001:db8::1"];
  const hosts = ["code.example", "code.example:4000", "other.example:99", "[2001:db8::1]:4000"];
  expect(hosts.map((host) => checked({ allowHosts }, { host }))).toEqual(["ok", "ok", "ok", "ok"]);
  const others = ["code.example:99", "other.example", "other.example:4000", "[2001:db8::1]:99"];
  expect(others.map((host) => checked({ allowHosts }, { host }))).toEqual([
    "host",
    "host",
    "host",
    "host",
  ]);
});

test("the default port of the scheme may be left out", () => {
  expect(checked({ port: 80 }, { host: "localhost" })).toBe("ok");
  expect(checked({ port: 443 }, { host: "localhost" })).toBe("host");
  expect(checked({ port: 443, schemes: ["https"] }, { host: "localhost" })).toBe("ok");
});

test("an origin is one of the server's, with one of its schemes", () => {
  const host = "localhost:4000";
  expect(checked({}, { host, origin: "http://localhost:4000" })).toBe("ok");
  expect(checked({}, { host, origin: "https://localhost:4000" })).toBe("origin");
  expect(checked({ schemes: ["http", "https"] }, { host, origin: "https://localhost:4000" })).toBe(
    "ok",
  );
  for (const origin of [
    "null",
    "http://localhost",
    "http://evil.example",
    "http://localhost:4000/",
  ]) {
    expect([origin, checked({}, { host, origin })]).toEqual([origin, "origin"]);
  }
});

test("the host in the request line must be known too", () => {
  const host = "localhost:4000";
  expect(checked({}, { host, authority: "localhost:4000" })).toBe("ok");
  expect(checked({}, { host, authority: "evil.example:4000" })).toBe("host");
});

test("only a server for other machines answers probes under any name, and none of a foreign page", () => {
  const others = { host: "0.0.0.0" };
  for (const path of ["/healthz", "/readyz"]) {
    expect(checked(others, { host: "10.0.0.7:4000", path })).toBe("ok");
    expect(checked({}, { host: "10.0.0.7:4000", path })).toBe("host");
    expect(checked(others, { host: "10.0.0.7:4000", path, origin: "http://evil.example" })).toBe(
      "origin",
    );
  }
  expect(checked(others, { host: "10.0.0.7:4000" })).toBe("host");
});

test("IPv6 has brackets in a URL", () => {
  expect(["::1", "[::1]", "a.example", "127.0.0.1"].map(urlHost)).toEqual([
    "[::1]",
    "[::1]",
    "a.example",
    "127.0.0.1",
  ]);
});
