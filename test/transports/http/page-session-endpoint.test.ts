import { expect, test } from "vitest";

import { memoryAccess, SECRETS } from "./memory-access.ts";
import { ask, KEY, serveProject, TOKEN, type Answer } from "./serve-project.ts";

const PATH = "/page/session";
const JSON_TYPE = { "Content-Type": "application/json" };
const FILES = { "a.md": "# Tide\n\nThe tide turns twice a day.\n" };

/** The headers of a browser that has signed in. */
function sessionOf({ headers, body }: Answer): Readonly<Record<string, string>> {
  const [cookie = ""] = (headers["set-cookie"] ?? [""])[0]?.split(";") ?? [];
  const { page_token: pageToken }: { readonly page_token: string } = JSON.parse(body);
  return { Cookie: cookie, "X-Svc-Page": pageToken };
}

function codeOf({ status, body }: Answer): string {
  return `${status} ${/"error_code":"(?<code>\w+)"/.exec(body)?.groups?.["code"] ?? "ok"}`;
}

async function setUp() {
  const access = await memoryAccess([
    { secret: KEY, id: "key_1", kind: "key", namespaces: ["project"] },
    { secret: TOKEN, id: "token_1", kind: "token", namespaces: "all" },
  ]);
  const server = await serveProject(FILES, {
    authenticate: access.authenticateAs,
  });
  const signIn = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    ask(server, PATH, { method: "POST", headers });
  const search = (session: Readonly<Record<string, string>>): Promise<Answer> =>
    ask(server, "/v1/search", {
      method: "POST",
      headers: { ...JSON_TYPE, ...session },
      body: JSON.stringify({ query: "turn of the tide" }),
    });
  return { access, server, signIn, search };
}

test("a key and a token sign in; the session searches until its credential is revoked", async () => {
  const { access, server, signIn, search } = await setUp();
  for (const [given, kind, id] of [
    [{ "X-API-Key": KEY }, "key", "key_1"],
    [{ Authorization: `Bearer ${TOKEN}` }, "token", "token_1"],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const opened = await signIn(given);
    expect(JSON.parse(opened.body)).toMatchObject({ id, kind, name: "test", admin: false });
    const session = sessionOf(opened);
    // oxlint-disable-next-line no-await-in-loop
    expect(codeOf(await search(session))).toBe("200 ok");
    // oxlint-disable-next-line no-await-in-loop
    const current = await ask(server, PATH, { headers: session });
    expect(JSON.parse(current.body)).toEqual({ id, kind, name: "test", admin: false });
    // oxlint-disable-next-line no-await-in-loop
    await access.change(id, { revokedAt: 1 });
    // oxlint-disable-next-line no-await-in-loop
    expect(codeOf(await search(session))).toBe("401 CREDENTIAL_REVOKED");
    // oxlint-disable-next-line no-await-in-loop
    expect(codeOf(await search(session))).toBe("401 UNAUTHENTICATED");
  }
});

test("the one-time code signs the owner in once, and leaves no trace in answers", async () => {
  const { server, signIn, search } = await setUp();
  const code = { "X-Svc-Code": server.newPageCode() };
  const opened = await signIn(code);
  expect(JSON.parse(opened.body)).toMatchObject({ id: "local", kind: "token", admin: true });
  expect(codeOf(await search(sessionOf(opened)))).toBe("200 ok");
  expect(codeOf(await signIn(code))).toBe("401 UNAUTHENTICATED");
});

test("what signs nobody in sets no cookie", async () => {
  const { server, signIn } = await setUp();
  const code = { "X-Svc-Code": server.newPageCode() };
  const outcomes = [
    await signIn({}),
    await signIn({ "X-Svc-Code": "" }),
    await signIn({ "X-API-Key": SECRETS.otherToken }),
    await signIn({ Authorization: `Bearer ${KEY}` }),
    await signIn({ ...code, Origin: "http://evil.example.org" }),
    await signIn({ ...code, "Sec-Fetch-Site": "cross-site" }),
    await ask(server, PATH, { method: "PUT" }),
    await ask(server, PATH),
  ];
  expect(outcomes.map(codeOf)).toEqual([
    "401 UNAUTHENTICATED",
    "401 UNAUTHENTICATED",
    "401 UNAUTHENTICATED",
    "401 UNAUTHENTICATED",
    "403 FORBIDDEN",
    "403 FORBIDDEN",
    "405 METHOD_NOT_ALLOWED",
    "401 UNAUTHENTICATED",
  ]);
  expect(outcomes.map(({ headers }) => headers["set-cookie"])).toEqual(
    outcomes.map(() => undefined),
  );
  // None of them used up the code.
  expect(codeOf(await signIn(code))).toBe("200 ok");
});

test("signing out deletes the cookie and ends the session", async () => {
  const { server, signIn, search } = await setUp();
  const session = sessionOf(await signIn({ "X-API-Key": KEY }));
  const ended = await ask(server, PATH, { method: "DELETE", headers: session });
  expect([ended.status, ended.headers["set-cookie"]?.[0]]).toEqual([
    204,
    expect.stringContaining("Max-Age=0"),
  ]);
  expect(codeOf(await search(session))).toBe("401 UNAUTHENTICATED");
});

test("guesses are limited like those of credentials", async () => {
  const { signIn } = await setUp();
  for (let guess = 0; guess < 10; guess += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the server counts them
    expect(codeOf(await signIn({ "X-Svc-Code": "guess" }))).toBe("401 UNAUTHENTICATED");
  }
  expect(codeOf(await signIn({ "X-Svc-Code": "guess" }))).toBe("429 RATE_LIMITED");
});

test("a session opens neither /mcp nor the metrics of all namespaces", async () => {
  const { server, signIn } = await setUp();
  const session = sessionOf(await signIn({ Authorization: `Bearer ${TOKEN}` }));
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const headers = { ...JSON_TYPE, ...session };
  expect(codeOf(await ask(server, "/mcp", { method: "POST", headers, body }))).toBe(
    "401 UNAUTHENTICATED",
  );
  const metrics = { ...session, "X-Forwarded-For": "192.0.2.1" };
  expect(codeOf(await ask(server, "/metrics", { headers: metrics }))).toBe("401 UNAUTHENTICATED");
  const refresh = await ask(server, "/v1/namespaces/project/refresh", { method: "POST", headers });
  expect(refresh.status).not.toBe(202);
});
