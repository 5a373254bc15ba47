// The order in which a request is checked (mcp.md, H2): of two errors, the earlier one is reported. The order
// determines what a refusal reveals.
import { describe, expect, test } from "vitest";

import { KEY, open, requestText, serve, summary, TOKEN } from "./serve.ts";

interface Parts {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** One check: the request that breaks it, and the refusal. */
interface Check {
  readonly name: string;
  readonly breaks: Parts;
  readonly refusal: string;
}

const TOO_LONG = String(5 * 1024 * 1024);

const ENTRY: readonly Check[] = [
  {
    name: "Host",
    breaks: { headers: { Host: "evil.example.org" } },
    refusal: "403 FORBIDDEN host in the request",
  },
  {
    name: "Origin",
    breaks: { headers: { Origin: "http://evil.example.org" } },
    refusal: "403 FORBIDDEN Pages of this origin",
  },
];

/** The checks after the path, which both endpoints share. */
function checksOf(credential: string): readonly Check[] {
  return [
    {
      name: "credential",
      breaks: { headers: { [credential]: undefined } },
      refusal: "401 UNAUTHENTICATED",
    },
    { name: "method", breaks: { method: "PUT" }, refusal: "405 METHOD_NOT_ALLOWED" },
    {
      name: "type of the body",
      breaks: { headers: { "Content-Type": "text/plain" } },
      refusal: "415 UNSUPPORTED_MEDIA_TYPE",
    },
    { name: "Accept", breaks: { headers: { Accept: "text/html" } }, refusal: "406 NOT_ACCEPTABLE" },
    {
      name: "size",
      breaks: { headers: { "Content-Length": TOO_LONG } },
      refusal: "413 MESSAGE_TOO_LARGE",
    },
    { name: "JSON", breaks: { body: "{" }, refusal: "400 PARSE_ERROR" },
  ];
}

interface Endpoint {
  readonly path: string;
  readonly credentials: Readonly<Record<string, string | undefined>>;
  readonly checks: readonly Check[];
  /** Passes every check. */
  readonly body: string;
}

const UNKNOWN_PATH: Check = {
  name: "path",
  breaks: { path: "/nowhere" },
  refusal: "404 ENDPOINT_NOT_FOUND",
};

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: "/mcp",
    credentials: { Authorization: `Bearer ${TOKEN}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    checks: [
      ...ENTRY,
      UNKNOWN_PATH,
      ...checksOf("Authorization"),
      {
        name: "message",
        breaks: { body: '{"id":1,"method":"no/such"}' },
        refusal: "400 INVALID_REQUEST",
      },
      {
        name: "headers",
        breaks: { headers: { "MCP-Protocol-Version": "1999-01-01" } },
        refusal: "400 INVALID_REQUEST The protocol version",
      },
      {
        name: "method of the message",
        breaks: { body: '{"jsonrpc":"2.0","id":1,"method":"no/such"}' },
        refusal: "404 METHOD_NOT_FOUND",
      },
    ],
  },
  {
    path: "/v1/search",
    credentials: { Authorization: undefined, "X-API-Key": KEY },
    body: '{"query":"tides"}',
    checks: [
      ...ENTRY,
      UNKNOWN_PATH,
      ...checksOf("X-API-Key"),
      { name: "query", breaks: { body: '{"query":"ab"}' }, refusal: "400 INVALID_QUERY" },
    ],
  },
];

describe.each(ENDPOINTS)("$path", ({ path, credentials, checks, body }) => {
  /** Returns status, error code and the first words of the detail of a request that breaks these checks. */
  async function refusalOf(...broken: readonly Check[]): Promise<string> {
    const server = await serve();
    const wire = open(server);
    const parts = broken.map(({ breaks }) => breaks);
    // The value of the first check that sets it, because a body can break only one check.
    const find = <Name extends "method" | "path" | "body">(name: Name) =>
      parts.find((one) => one[name] !== undefined)?.[name];
    const headers = Object.assign({}, ...parts.map((one) => one.headers ?? {}));
    wire.send(
      requestText(server, {
        line: `${find("method") ?? "POST"} ${find("path") ?? path} HTTP/1.1`,
        headers: { Connection: "close", ...credentials, ...headers },
        body: find("body") ?? body,
      }),
    );
    const answer = await wire.closed();
    return `${summary(answer)} ${/"detail":"([^"]*)/.exec(answer)?.[1] ?? ""}`;
  }

  test.each(checks)("$name is checked", async (check) => {
    expect(await refusalOf(check)).toContain(check.refusal.split(" ", 2).join(" "));
  });

  const pairs = checks.slice(1).map((later, at) => ({ earlier: checks[at] ?? later, later }));

  test.each(pairs)("H2 $earlier.name comes before $later.name", async ({ earlier, later }) => {
    const [code, words] = [earlier.refusal.split(" ", 2).join(" "), earlier.refusal.split(" ")];
    const refusal = await refusalOf(earlier, later);
    expect(refusal).toContain(code);
    expect(refusal).toContain(words.slice(2).join(" "));
  });

  test("H2 the first of all broken checks is reported", async () => {
    expect(await refusalOf(...checks)).toContain("host in the request");
  });
});
