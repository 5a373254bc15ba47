import { expect } from "vitest";

import { createKey, servedHere } from "./commands-here.ts";
import { JSON_BODY, post } from "./http-server.ts";
import type { RpcError } from "./stdio-client.ts";
import { svc } from "./program.ts";
import { verifies } from "./verifies.ts";

interface Found {
  readonly query: string;
  readonly namespace: string;
  readonly results: readonly {
    readonly namespace?: string;
    readonly path: string;
    readonly text: string;
  }[];
  readonly next_cursor: string | null;
}

interface Refused {
  readonly error: RpcError;
}

const served = servedHere({
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  "src/lamp.ts": "export function lightLamp(): void {\n  match();\n}\n",
});

/** The result for a body: status and error code, or "200 ok". */
async function outcomeOf(body: unknown): Promise<string> {
  const answer = await served().search<Partial<Refused>>(body);
  return `${answer.status} ${answer.body.error?.data.error_code ?? "ok"}`;
}

verifies(
  ["1/rest-search", "4.1/method-and-path", "4.1/headers", "9/rest-path"],
  "POST /v1/search with a key in X-API-Key answers from the index",
  async () => {
    const { status, headers, body } = await served().search<Found>({ query: "turn of the tide" });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(Object.keys(body)).toEqual([
      "query",
      "namespace",
      "generation",
      "results",
      "next_cursor",
      "took_ms",
      "confidence",
    ]);
    expect(body).toMatchObject({ query: "turn of the tide", namespace: "project" });
    expect(body.results[0]).toEqual({
      path: "docs/tides.md",
      start_line: 1,
      end_line: 3,
      language: "markdown",
      kind: "docs",
      symbol: "Tides",
      score: expect.any(Number),
      confidence: expect.any(Number),
      text: "# Tides\n\nThe tide turns twice a day.",
    });
  },
);

verifies(
  ["4.1/headers", "9/rest-path"],
  "without the key, the type or /v1 it is refused",
  async () => {
    const { server, key } = served();
    const body = '{"query":"tides"}';
    const statuses = [
      await post<Refused>(`${server.url}/v1/search`, JSON_BODY, body),
      await post<Refused>(`${server.url}/v1/search`, { "X-API-Key": key }, body),
      await post<Refused>(`${server.url}/search`, { ...JSON_BODY, "X-API-Key": key }, body),
      await post<Refused>(`${server.url}/v2/search`, { ...JSON_BODY, "X-API-Key": key }, body),
    ].map((answer) => `${answer.status} ${answer.body.error.data.error_code}`);
    expect(statuses).toEqual([
      "401 UNAUTHENTICATED",
      "415 UNSUPPORTED_MEDIA_TYPE",
      "404 ENDPOINT_NOT_FOUND",
      "404 ENDPOINT_NOT_FOUND",
    ]);
  },
);

verifies("4.1/body", "the query is a text of 3 to 10000 characters, and required", async () => {
  const bodies = [
    { query: "ab" },
    { query: "a".repeat(10_001) },
    { query: 7 },
    {},
    { query: "day" },
    { query: "\u{1F30A}".repeat(10_000) },
  ];
  const outcomes = await Promise.all(bodies.map(outcomeOf));
  const invalid = "400 INVALID_QUERY";
  expect(outcomes).toEqual([invalid, invalid, invalid, invalid, "200 ok", "200 ok"]);
});

verifies("4.1/body", "a body with unknown members is refused, with the closest name", async () => {
  const bodies = [
    "{",
    "[]",
    '"tides"',
    { query: "tides", limit: 0 },
    { query: "tides", repository: "x" },
  ];
  expect(await Promise.all(bodies.map(outcomeOf))).toEqual([
    "400 PARSE_ERROR",
    "400 INVALID_PARAMS",
    "400 INVALID_PARAMS",
    "400 INVALID_PARAMS",
    "400 INVALID_PARAMS",
  ]);
  const { body } = await served().search<Refused>({ query: "tides", max_token: 100 });
  expect(body.error.data.detail).toContain('Did you mean "max_tokens"?');
});

verifies("4.1/body", "a poor match is marked, a good one is not", async () => {
  const weakOf = async (query: string): Promise<unknown> => {
    const { body } = await served().search<Found & { readonly weak?: true }>({ query });
    expect(body.results.length).toBeGreaterThan(0);
    return body.weak;
  };
  expect(await weakOf("turn of the tide")).toBeUndefined();
  const poor = "twice as many kubernetes pods on volcanic nodes";
  expect(await weakOf(poor)).toBe(true);
  const { body } = await served().call("search_context", { query: poor });
  expect(body.result?.content?.[0]?.text).toMatch(
    /^No good match \(confidence 0\.\d+\); try search_text or other words\. The nearest:$/,
  );
});

verifies("4.1/body", "filters and limits narrow the answer", async () => {
  const code = await served().search<Found>({ query: "tide lamp", kind: "code", limit: 1 });
  expect(code.body.results.map(({ path }) => path)).toEqual(["src/lamp.ts"]);
  const docs = await served().search<Found>({ query: "tide lamp", path: "docs/**" });
  expect(docs.body.results.map(({ path }) => path)).toEqual(["docs/tides.md"]);
});

async function searched(more: object): Promise<Found> {
  return (await served().search<Found>({ query: "tide lamp", ...more })).body;
}

function paths({ results }: Found): readonly string[] {
  return results.map(({ path }) => path);
}

verifies("4.1/body", "the language, kinds and the page can be chosen", async () => {
  expect(paths(await searched({ language: "typescript" }))).toEqual(["src/lamp.ts"]);
  expect(paths(await searched({ language: "python" }))).toEqual([]);
  expect(paths(await searched({ kind: ["code", "docs"] }))).toHaveLength(2);
  const first = await searched({ limit: 1 });
  expect(first.next_cursor).toEqual(expect.any(String));
  const second = await searched({ limit: 1, cursor: first.next_cursor });
  expect([...paths(first), ...paths(second)].toSorted()).toEqual(["docs/tides.md", "src/lamp.ts"]);
  expect(second.next_cursor).toBeNull();
});

verifies("8/logging", "every call of either endpoint is one line of the log", async () => {
  const { server, call, search } = served();
  await call("search_context", { query: "canary of the tide" });
  await search({ query: "canary of the tide" });
  await search({ query: "?" });
  const calls = () =>
    [...server.stderr().matchAll(/^\{.*"message":"call".*$/gm)]
      .map(([line]) => JSON.parse(line))
      .map(({ tool, outcome }) => `${tool} ${outcome}`);
  await expect
    .poll(() => calls().slice(-3), { timeout: 15_000 })
    .toEqual(["search_context ok", "/v1/search ok", "/v1/search INVALID_QUERY"]);
  expect(server.stderr()).not.toContain("canary");
});

verifies(
  ["5/api-key", "1/keys-for-third-party-tools"],
  "a key from the command searches its namespace with only a header, until it is revoked",
  async () => {
    const { place, server, token } = served();
    const created = await createKey(place, { namespace: "elsewhere" });
    const ask = (secret: string) =>
      post<Refused>(
        `${server.url}/v1/search`,
        { ...JSON_BODY, "X-API-Key": secret },
        '{"query":"turn of the tide"}',
      );
    // The namespace of this key is empty, and the request cannot name another.
    expect((await ask(created.key)).body.error.data.error_code).toBe("NAMESPACE_NOT_FOUND");
    await svc(place, "auth", "keys", "revoke", created.key_id);
    const revoked = await ask(created.key);
    expect([revoked.status, revoked.body.error.data.error_code]).toEqual([
      401,
      "CREDENTIAL_REVOKED",
    ]);
    expect(revoked.headers.get("www-authenticate")).toBe('Bearer realm="svc"');
    const wrongKind = await ask(token);
    expect(wrongKind.status).toBe(401);
    expect(wrongKind.body.error).toEqual({
      code: 401,
      message: "Unauthorized",
      data: {
        error_code: "UNAUTHENTICATED",
        detail: expect.stringContaining("the REST search takes an API key"),
      },
    });
  },
);

async function lampQuestion(): Promise<{ readonly took_ms: number }> {
  const question = { query: "who lights the lamp" };
  return (await served().search<{ readonly took_ms: number }>(question)).body;
}

verifies(
  ["8/repeats-save-latency", "1/rest-search"],
  "a repeated search is answered as before, with the time that the repeat took",
  async () => {
    const first = await lampQuestion();
    const times = new Set([first.took_ms]);
    // One repeat may take exactly as long as the first call, to a hundredth of a millisecond. Twenty do not.
    for (let repeat = 0; repeat < 20; repeat++) {
      const again = await lampQuestion();
      expect({ ...again, took_ms: 0 }).toEqual({ ...first, took_ms: 0 });
      times.add(again.took_ms);
    }
    expect(times.size).toBeGreaterThan(1);
  },
);

verifies(
  ["2.1/namespace", "5/key-bound-to-namespace"],
  "a key for several namespaces searches the one that the body names, and lists them",
  async () => {
    const { server, place, key: only } = served();
    const second = await svc(place, "index", "docs", "--namespace", "manual");
    expect(second.exit).toBe(0);
    const create = async (...flags: readonly string[]): Promise<string> => {
      const words = ["auth", "keys", "create", "--name", flags.join(" ").slice(2), ...flags];
      return (await svc(place, ...words)).stdout.trim();
    };
    const several = await create("--namespace", "project,manual");
    const all = await create("--all-namespaces");
    const ask = async (key: string, body: object): Promise<string> => {
      const headers = { ...JSON_BODY, "X-API-Key": key };
      const answer = await post<Partial<Refused> & Partial<Found>>(
        `${server.url}/v1/search`,
        headers,
        JSON.stringify({ query: "turn of the tide", ...body }),
      );
      return answer.body.namespace ?? `${answer.body.error?.data.error_code}`;
    };
    expect([
      await ask(only, {}),
      await ask(only, { namespace: "project" }),
      await ask(only, { namespace: "manual" }),
      await ask(several, { namespace: "manual" }),
      await ask(several, { namespace: "project" }),
      await ask(several, { namespace: "elsewhere" }),
      await ask(all, { namespace: "manual" }),
    ]).toEqual([
      "project",
      "project",
      "NAMESPACE_NOT_FOUND",
      "manual",
      "project",
      "NAMESPACE_NOT_FOUND",
      "manual",
    ]);
    const both = await post<Found>(
      `${server.url}/v1/search`,
      { ...JSON_BODY, "X-API-Key": several },
      JSON.stringify({ query: "turn of the tide", namespace: "*" }),
    );
    expect(both.body.namespace).toBe("*");
    expect(both.body.results.map(({ namespace, path }) => `${namespace}: ${path}`)).toEqual(
      expect.arrayContaining(["manual: tides.md", "project: docs/tides.md"]),
    );
    for (const [call, list, body] of [
      ["/v1/text", "matches", { pattern: "tide" }],
      ["/v1/symbols", "symbols", { name: "Tides" }],
    ] as const) {
      const { body: found } = await post<Record<string, Found["results"]>>(
        `${server.url}${call}`,
        { ...JSON_BODY, "X-API-Key": several },
        JSON.stringify({ ...body, namespace: "*" }),
      );
      const places = found[list]?.map(({ namespace, path }) => `${namespace}: ${path}`);
      expect(places).toEqual(
        expect.arrayContaining(["manual: tides.md", "project: docs/tides.md"]),
      );
    }
    expect(await ask(several, { namespace: "project,manual" })).toBe("project,manual");
    expect(await ask(several, { namespace: "project,elsewhere" })).toBe("NAMESPACE_NOT_FOUND");
    expect(await ask(only, { namespace: "*" })).toBe("*");
    const list = async (key: string): Promise<unknown> => {
      const response = await fetch(`${server.url}/v1/namespaces`, {
        headers: { "X-API-Key": key },
      });
      return response.json();
    };
    expect([await list(only), await list(several), await list(all)]).toEqual([
      { namespaces: ["project"], default: "project" },
      { namespaces: ["manual", "project"], default: "project" },
      { namespaces: ["manual", "project"], default: "project" },
    ]);
    expect(await list("svk_wrong")).toMatchObject({ error: { code: 401 } });
    const listed = (await svc(place, "auth", "keys", "list")).stdout;
    expect(listed).toMatch(/ project, manual /);
    expect(listed).toMatch(/ all /);
  },
);
