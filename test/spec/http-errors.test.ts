// The table of errors, each row provoked at the server of the program, in both eras of the protocol where
// a message causes it.
import { readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";

import { afterAll, expect, onTestFinished } from "vitest";

import { indexLayout } from "../../src/index/embedded/layout.ts";
import { manyWords } from "../helpers/many-words.ts";
import { modernParams } from "../helpers/rpc.ts";
import { createKey, createTokenFor, outputHere, servedHere } from "./commands-here.ts";
import { JSON_BODY, post, startHttp, type Answer } from "./http-server.ts";
import { moveClock } from "./open-store.ts";
import { createPlace } from "./program.ts";
import type { Reply } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const served = servedHere({
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  "src/tide.ts": "export function turnTide(): void {}\n",
});
/** The server whose clock is moved and whose index is damaged. */
const other = createPlace({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });
afterAll(other.remove);

type Params = Readonly<Record<string, unknown>>;

/** A request, and its result in both eras: status, code, message, error code. */
const MESSAGES: readonly (readonly [method: string, params: Params, outcome: string])[] = [
  ["no/such", {}, "404 -32601 Method not found METHOD_NOT_FOUND"],
  ["resources/list", {}, "404 -32601 Method not found METHOD_NOT_FOUND"],
  ["tools/call", {}, "400 -32602 Invalid params INVALID_PARAMS"],
  ...calls([
    ["no_such_tool", {}, "400 -32602 Invalid params TOOL_NOT_FOUND"],
    ["search_context", { query: "tides", limit: 0 }, "200 isError INVALID_PARAMS"],
    ["search_context", { query: "tides", depth: 1 }, "200 isError INVALID_PARAMS"],
    ["search_context", { query: "ab" }, "400 -32602 Invalid params INVALID_QUERY"],
    ["search_context", { query: "x".repeat(10_001) }, "400 -32602 Invalid params INVALID_QUERY"],
    ["search_context", { query: "tides", cursor: "?" }, "200 isError INVALID_CURSOR"],
    [
      "search_context",
      { query: "tides", namespace: "none" },
      "400 -32602 Invalid params NAMESPACE_NOT_FOUND",
    ],
    ["search_text", { pattern: "(", regex: true }, "200 isError INVALID_PATTERN"],
    ["outline", { path: "../x" }, "200 isError PATH_OUTSIDE_SOURCE"],
    ["outline", { path: "/etc/passwd" }, "200 isError PATH_OUTSIDE_SOURCE"],
    ["outline", { path: "nowhere" }, "200 isError PATH_NOT_FOUND"],
    ["find_references", { symbol: "nobody" }, "200 isError SYMBOL_NOT_FOUND"],
    ["index_source", { source: "/etc" }, "403 403 Forbidden FORBIDDEN"],
  ]),
];

function calls(rows: readonly (readonly [name: string, input: Params, outcome: string])[]) {
  return rows.map(
    ([name, input, outcome]) => ["tools/call", { name, arguments: input }, outcome] as const,
  );
}

function outcomeOf({ status, body }: Answer<Reply | undefined>): string {
  const { error, result } = body ?? {};
  if (error !== undefined) {
    return `${status} ${error.code} ${error.message} ${error.data.error_code}`;
  }
  if (result?.isError !== true) return `${status} ok`;
  const [, code] = /"error_code":"(\w+)"/.exec(JSON.stringify(result)) ?? [];
  return `${status} isError ${code}`;
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { ...JSON_BODY, Authorization: `Bearer ${token}` };
}

/** A request of revision 2026-07-28, with its headers. */
function sendModern(method: string, params: Params): Promise<Answer<Reply>> {
  const { server, token } = served();
  const { name } = params;
  const headers = {
    ...bearer(token),
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": method,
    ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
  };
  const message = { jsonrpc: "2.0", id: 1, method, params: modernParams(params) };
  return post(`${server.url}/mcp`, headers, JSON.stringify(message));
}

verifies(
  ["7/method-not-found-status", "7/invalid-params-status", "7/error-codes", "7/error-data"],
  "both eras refuse messages in the same way, with the status of the table",
  async () => {
    for (const [method, params, outcome] of MESSAGES) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const legacy = await served().rpc({ jsonrpc: "2.0", id: 1, method, params });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const modern = await sendModern(method, params);
      const shown = JSON.stringify(params).slice(0, 80);
      expect([shown, outcomeOf(legacy)]).toEqual([shown, outcome]);
      expect([shown, outcomeOf(modern)]).toEqual([shown, outcome]);
      for (const { body } of [legacy, modern]) {
        expect(body.error?.data.detail ?? "a result").toMatch(/\S/);
      }
    }
  },
);

verifies(
  ["7/parse-error-status", "7/invalid-request-status", "7/error-shape"],
  "an invalid message is refused without an id, or with its own",
  async () => {
    const { rpc } = served();
    const twice = { jsonrpc: "2.0", id: 5, method: "tools/list" };
    const answers = [
      await rpc("{"),
      await rpc("[]"),
      await rpc({ jsonrpc: "1.0", id: 9, method: "ping" }),
      await rpc(" ".repeat(4 * 1024 * 1024 + 1)),
    ];
    expect(answers.map((answer) => [outcomeOf(answer), answer.body.id])).toEqual([
      ["400 -32700 Parse error PARSE_ERROR", null],
      ["400 -32600 Invalid request INVALID_REQUEST", null],
      ["400 -32600 Invalid request INVALID_REQUEST", 9],
      ["413 -32600 Invalid request MESSAGE_TOO_LARGE", null],
    ]);
    // HTTP requests share nothing: the same id can be in flight twice only within one batch.
    const { status, body } = await post<readonly Reply[]>(
      `${served().server.url}/mcp`,
      bearer(served().token),
      JSON.stringify([twice, twice]),
    );
    expect([status, body.map(({ error }) => error?.data.error_code)]).toEqual([
      200,
      expect.arrayContaining([undefined, "DUPLICATE_ID"]),
    ]);
  },
);

verifies(
  ["5/bearer-token", "5/api-key", "7/error-data"],
  "invalid credentials have different errors, all 401 with a challenge",
  async () => {
    await outputHere(other, "index", other.root);
    const [short, gone] = [await createTokenFor(other, "--ttl", "1m"), await createTokenFor(other)];
    const key = await createKey(other, { namespace: "project" });
    const server = await startHttp(other);
    onTestFinished(async () => void (await server.close()));
    await outputHere(other, "auth", "token", "revoke", gone.token_id);
    await outputHere(other, "auth", "keys", "revoke", key.key_id);
    await moveClock(other, Date.parse(short.expires_at));
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const mcp = (headers: Readonly<Record<string, string>>) =>
      post<Reply>(`${server.url}/mcp`, { ...JSON_BODY, ...headers }, list);
    const rest = (headers: Readonly<Record<string, string>>) =>
      post<Reply>(`${server.url}/v1/search`, { ...JSON_BODY, ...headers }, '{"query":"tides"}');
    const answers = [
      await mcp({}),
      await mcp({ Authorization: "Basic dG9rZW4=" }),
      await mcp(bearer(short.token)),
      await mcp(bearer(gone.token)),
      await mcp(bearer(`${short.token}x`)),
      await rest({}),
      await rest({ "X-API-Key": key.key }),
      await rest({ "X-API-Key": "svk_mistyped" }),
    ];
    expect(answers.map(outcomeOf)).toEqual(
      [
        "UNAUTHENTICATED",
        "UNAUTHENTICATED",
        "TOKEN_EXPIRED",
        "CREDENTIAL_REVOKED",
        "CREDENTIAL_MALFORMED",
        "UNAUTHENTICATED",
        "CREDENTIAL_REVOKED",
        "CREDENTIAL_MALFORMED",
      ].map((code) => `401 401 Unauthorized ${code}`),
    );
    const challenges = answers.map(({ headers }) => headers.get("www-authenticate"));
    expect(challenges.every((one) => one?.startsWith('Bearer realm="svc"') === true)).toBe(true);
    // Each wrong credential was a failed attempt; after a few more the address must wait.
    const wrong = bearer("svt_mistyped");
    const further = await Promise.all(Array.from({ length: 10 }, () => mcp(wrong)));
    const limited = further.filter(({ status }) => status === 429);
    expect(limited.map(outcomeOf)).toContain("429 429 Too many requests RATE_LIMITED");
    expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  },
);

verifies(
  ["7/internal-error-status", "5/authorized-only"],
  "a damaged index is 500 and repaired; a read-only token, a foreign host and page are 403",
  async () => {
    // Small indexes are only in the catalogue; this one has a segment.
    const place = createPlace({ "docs/tides.md": "The tide turns twice a day.\n", ...manyWords() });
    await outputHere(place, "index", place.root);
    const { token } = await createTokenFor(place, "--read-only");
    const { segments } = indexLayout(join(place.home, "data"), "project");
    expect(readdirSync(segments)).not.toEqual([]);
    for (const name of readdirSync(segments)) writeFileSync(join(segments, name), "damaged");
    const server = await startHttp(place);
    onTestFinished(async () => {
      await server.close();
      place.remove();
    });
    const send = (name: string, input: Params) =>
      post<Reply>(
        `${server.url}/mcp`,
        bearer(token),
        JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: input },
        }),
      );
    const damaged = await send("search_context", { query: "tides" });
    expect(outcomeOf(damaged)).toBe("500 -32603 Internal error INDEX_UNAVAILABLE");
    await expect
      .poll(async () => outcomeOf(await send("search_context", { query: "tides" })), {
        timeout: 15_000,
      })
      .toBe("200 ok");
    expect(outcomeOf(await send("index_source", { source: place.root }))).toBe(
      "403 403 Forbidden FORBIDDEN",
    );
    expect([
      await statusFor(server.url, { Host: "evil.example.org" }),
      await statusFor(server.url, { Origin: "http://evil.example.org" }),
      await statusFor(server.url, {}),
    ]).toEqual([403, 403, 200]);
  },
);

/** Of /healthz. `fetch` does not allow setting these headers. */
function statusFor(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(`${url}/healthz`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once("error", reject)
      .end();
  });
}
