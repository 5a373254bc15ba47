// Bring your own key, against the program; a server of the test plays the model provider.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect } from "vitest";

import { KEY, startProvider, type Manners } from "../helpers/model-provider.ts";
import { createKey, createTokenFor, outputHere } from "./commands-here.ts";
import { JSON_BODY, post, startHttp, type Answer, type HttpServer } from "./http-server.ts";
import { moveClock } from "./open-store.ts";
import { createPlace } from "./program.ts";
import type { Item, Reply } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const provider = await startProvider();
const place = createPlace({
  "docs/vault.md": "# Vault\n\nThe tide of gold is hidden in the vault.\n",
  "docs/guard.md": "# Guard\n\nThe guard of the vault is asleep at high tide.\n",
});
const free = join(dirname(place.root), "free");
const NAMES = ["ebb", "flood", "neap", "spring"];
let server: HttpServer;
let token: string;

beforeAll(async () => {
  mkdirSync(free);
  for (const name of NAMES) {
    writeFileSync(join(free, `${name}.md`), `# ${name} tide\n\nThe tide is a ${name} tide.\n`);
  }
  await outputHere(place, "index", place.root);
  await outputHere(place, "index", free, "--namespace", "free");
  ({ token } = await createTokenFor(place));
  // The highest log level: even then no part of a key may be logged.
  await outputHere(place, "config", "set", "debug", "true");
  server = await startHttp(place, ...byokFlags("--byok-namespace", "free"));
}, 60_000);
beforeEach(() => provider.become({}));
afterAll(async () => {
  await server.close();
  await provider.close();
  place.remove();
});

function byokFlags(...more: readonly string[]): readonly string[] {
  return ["--behind-proxy", "--byok", "--provider", provider.url, ...more];
}

let lastAddress = 0;

/** Each from its own address, so that failures count for no other. */
function rpc(
  headers: Readonly<Record<string, string>>,
  method: string,
  params?: unknown,
  { url }: Pick<HttpServer, "url"> = server,
): Promise<Answer<Reply>> {
  lastAddress += 1;
  const from = { "X-Forwarded-For": `10.0.${lastAddress >> 8}.${lastAddress & 255}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return post(`${url}/mcp`, { ...JSON_BODY, ...from, ...headers }, body);
}

function bearer(secret: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${secret}` };
}

function search(
  headers: Readonly<Record<string, string>>,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Answer<Reply>> {
  const given = { query: "which tide is it", ...input };
  return rpc(headers, "tools/call", { name: "search_context", arguments: given });
}

function codeOf({ status, body }: Answer<Reply>): string {
  return `${status} ${body.error?.data.error_code ?? "ok"}`;
}

function itemsOf({ body }: Answer<Reply>): readonly Item[] {
  return body.result?.content ?? [];
}

/** Paths of the passages, in their order. */
function pathsOf(answer: Answer<Reply>): readonly string[] {
  return itemsOf(answer).flatMap(({ text }) => /^[a-z/]+\.md(?=:\d)/.exec(text) ?? []);
}

function textOf(answer: Answer<Reply>): string {
  return itemsOf(answer)
    .map(({ text }) => text)
    .join("\n");
}

verifies(
  "5/three-methods",
  "a token, an API key and a provider's key each authenticate, in their own header",
  async () => {
    const { key } = await createKey(place, { namespace: "free" });
    expect(codeOf(await search(bearer(token)))).toBe("200 ok");
    expect(codeOf(await search(bearer(KEY)))).toBe("200 ok");
    const body = JSON.stringify({ query: "which tide is it" });
    const found = await post(`${server.url}/v1/search`, { ...JSON_BODY, "X-API-Key": key }, body);
    expect(found.status).toBe(200);
    const asApiKey = { ...JSON_BODY, "X-API-Key": KEY };
    expect((await post(`${server.url}/v1/search`, asApiKey, body)).status).toBe(401);
    expect(codeOf(await rpc({}, "tools/list"))).toBe("401 UNAUTHENTICATED");
  },
);

verifies(
  "1/free-plan",
  "a client with a provider's key searches the --byok-namespace, and sees no other",
  async () => {
    expect(pathsOf(await search(bearer(KEY))).toSorted()).toEqual(
      NAMES.map((name) => `${name}.md`),
    );
    expect(pathsOf(await search(bearer(KEY), { namespace: "free" }))).toHaveLength(4);
    const [hidden, missing] = [
      await search(bearer(KEY), { namespace: "project" }),
      await search(bearer(KEY), { namespace: "nowhere" }),
    ];
    expect([codeOf(hidden), codeOf(missing)]).toEqual(Array(2).fill("400 NAMESPACE_NOT_FOUND"));
    expect(hidden.body.error?.data.detail.replace("project", "nowhere")).toBe(
      missing.body.error?.data.detail,
    );
    const status = { name: "index_status", arguments: {} };
    const listed = async () => textOf(await rpc(bearer(KEY), "tools/call", status));
    // svc answers a question before the watcher's first scan has ended.
    await expect.poll(listed, { timeout: 60_000 }).toMatch(/^free: ready, /);
    expect(await listed()).not.toContain("project");
    // The token sees both.
    expect(pathsOf(await search(bearer(token)))).toContain("docs/vault.md");
  },
);

verifies("1/free-plan", "who has a provider's key changes nothing", async () => {
  const { body } = await rpc(bearer(KEY), "tools/list");
  const tools = body.result?.tools?.map(({ name }) => name) ?? [];
  const all = (await rpc(bearer(token), "tools/list")).body.result?.tools ?? [];
  const writing = all.map(({ name }) => name).filter((name) => !tools.includes(name));
  expect(tools).toContain("search_context");
  expect(writing).toContain("index_source");
  for (const name of writing) {
    const call = { name, arguments: { source: free } };
    // eslint-disable-next-line no-await-in-loop -- one refusal after the other
    expect(codeOf(await rpc(bearer(KEY), "tools/call", call))).toBe("403 FORBIDDEN");
  }
});

verifies(
  "5/own-provider-key",
  "the key is forwarded to the provider, and its model orders the answer",
  async () => {
    const before = provider.rankings().length;
    const local = pathsOf(await search(bearer(KEY)));
    const byKey = await search(bearer(KEY), { rerank: true });
    expect(local).toHaveLength(4);
    expect(pathsOf(byKey)).toEqual(local.toReversed());
    const withToken = { ...bearer(token), "X-Provider-Key": KEY };
    const input = { rerank: true, namespace: "free" };
    expect(pathsOf(await search(withToken, input))).toEqual(local.toReversed());
    // Results that the next answer of the model may change are not cached.
    expect(itemsOf(byKey).every((item) => item.cache_control === undefined)).toBe(true);
    const sent = provider.rankings().slice(before);
    expect(sent.map(({ key }) => key)).toEqual([KEY, KEY]);
    for (const { rawHeaders } of provider.received) {
      const text = rawHeaders.join("\n");
      expect(text).not.toContain(token);
      expect(text).not.toMatch(/forwarded|x-provider-key|10\.0\.|cookie|user-agent/i);
    }
  },
);

verifies("5/own-provider-key", "a credential of ours is forwarded in no form", async () => {
  const before = provider.received.length;
  const expired = await createTokenFor(place, "--ttl", "1m");
  const revoked = await createTokenFor(place);
  await outputHere(place, "auth", "token", "revoke", revoked.token_id);
  const { key } = await createKey(place, { namespace: "free" });
  const forms = [
    revoked.token,
    key,
    `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
    token.slice(0, 20),
    token.toUpperCase(),
    token.replace("svt_", "SVT_"),
    token.replace("svt_", "svt-"),
    token.replace("svt_", "svt"),
    token.replace("svt_", ""),
    `"${token}"`,
    `TOKEN=${token}`,
    `x${token}`,
  ];
  for (const form of forms) {
    // eslint-disable-next-line no-await-in-loop -- the provider is checked after each
    expect((await search(bearer(form), { rerank: true })).status).toBe(401);
    // eslint-disable-next-line no-await-in-loop -- as above
    const answer = await search({ ...bearer(token), "X-Provider-Key": form }, { rerank: true });
    expect([codeOf(answer), answer.body.error?.data.detail]).toEqual([
      "400 INVALID_REQUEST",
      expect.stringContaining("was not forwarded"),
    ]);
  }
  await moveClock(place, Date.parse(expired.expires_at));
  expect(codeOf(await search(bearer(expired.token), { rerank: true }))).toBe("401 TOKEN_EXPIRED");
  expect(provider.received.length).toBe(before);
});

verifies("5/own-provider-key", "a key that the provider refuses is refused", async () => {
  const wrong = `${KEY}-wrong`;
  const answer = await search(bearer(wrong), { rerank: true });
  expect(codeOf(answer)).toBe("401 UNAUTHENTICATED");
  expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="svc", error="invalid_token"');
  expect(JSON.stringify(answer.body)).not.toContain(wrong);
  // Together with a token it only fails to rerank.
  const reranked = await search({ ...bearer(token), "X-Provider-Key": wrong }, { rerank: true });
  expect(textOf(reranked)).toMatch(/Ranked locally: The model provider does not accept this key/);
});

verifies("5/own-provider-key", "a key that cannot be checked lets nobody in", async () => {
  provider.become({ answer: (_, response) => void response.writeHead(500).end() });
  const answer = await search(bearer(`${KEY}-of-another`));
  expect([codeOf(answer), answer.body.error?.code]).toEqual(["500 PROVIDER_ERROR", -32_603]);
});

verifies(
  "5/own-provider-key",
  "with a failing provider the answer is the local one, with a note",
  async () => {
    const local = pathsOf(await search(bearer(KEY)));
    const bad: readonly Manners[] = [
      { answer: (_, response) => void response.writeHead(500).end(KEY) },
      { answer: (_, response) => void response.destroy() },
      { answer: (_, response) => void response.end("{}") },
      { says: () => "I had rather not." },
    ];
    for (const manners of bad) {
      provider.become(manners);
      // eslint-disable-next-line no-await-in-loop -- the provider has one manner at a time
      const answer = await search(bearer(KEY), { rerank: true });
      expect(pathsOf(answer)).toEqual(local);
      expect(itemsOf(answer).at(-1)).toMatchObject({
        text: expect.stringMatching(/^Ranked locally: The model provider .*\.$/),
        _meta: { "dev.svc/rerank": { ranking: "local", error_code: "PROVIDER_ERROR" } },
      });
    }
    provider.become({});
    const withoutKey = await search(bearer(token), { rerank: true });
    expect(textOf(withoutKey)).toMatch(/Ranked locally: The call has no key of a model provider/);
  },
);

verifies(
  "5/own-provider-key",
  "a client that disconnects ends its request to the provider",
  async () => {
    provider.become({ answer: () => {} });
    const leaving = new AbortController();
    const input = { query: "which tide goes out", rerank: true };
    const sent = fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { ...JSON_BODY, ...bearer(KEY) },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_context", arguments: input },
      }),
      signal: leaving.signal,
    });
    const received = await provider.until(({ body }) => body.includes("which tide goes out"));
    leaving.abort();
    await expect(sent).rejects.toThrow("aborted");
    expect(await received.answered).toBe(false);
  },
);

verifies("5/own-provider-key", "many keys at once are each forwarded as their own", async () => {
  const keys = Array.from({ length: 12 }, (_, at) => `${KEY}-${at}`);
  provider.become({ accepts: (key) => keys.includes(key) });
  const before = provider.rankings().length;
  const answers = await Promise.all(keys.map((key) => search(bearer(key), { rerank: true })));
  expect(answers.map(codeOf)).toEqual(keys.map(() => "200 ok"));
  const sent = provider.rankings().slice(before);
  expect(sent.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
});

verifies(
  "5/own-provider-key",
  "without --byok a provider's key is refused and sent nowhere",
  async () => {
    const plain = await startHttp(place, "--behind-proxy");
    const before = provider.received.length;
    expect(codeOf(await rpc(bearer(KEY), "tools/list", {}, plain))).toBe("401 UNAUTHENTICATED");
    const withToken = { ...bearer(token), "X-Provider-Key": KEY };
    const refused = await rpc(withToken, "tools/list", {}, plain);
    expect(codeOf(refused)).toBe("403 FORBIDDEN");
    expect(refused.body.error?.data.detail).toContain("--byok");
    expect(provider.received.length).toBe(before);
    await plain.close();
  },
);

verifies("5/own-provider-key", "where any key would be accepted, none lets in", async () => {
  const open = await startProvider({ accepts: () => true });
  const flags = ["--byok", "--provider", open.url, "--byok-namespace", "free"];
  const served = await startHttp(place, "--behind-proxy", ...flags);
  const refused = await rpc(bearer(KEY), "tools/list", {}, served);
  expect(codeOf(refused)).toBe("401 UNAUTHENTICATED");
  expect(refused.body.error?.data.detail).toMatch(/accepts any key.*X-Provider-Key/);
  const withToken = { ...bearer(token), "X-Provider-Key": "ollama" };
  const call = { name: "search_context", arguments: { query: "vault", rerank: true } };
  expect(codeOf(await rpc(withToken, "tools/call", call, served))).toBe("200 ok");
  expect(open.rankings().map(({ key }) => key)).toEqual(["ollama"]);
  await served.close();
  await open.close();
});

// The last test: it checks the state that all the others have left.
verifies(
  "5/own-provider-key",
  "no file, log line or audit line holds a key; the audit log shows that one was sent",
  async () => {
    await search(bearer(KEY), { rerank: true });
    await search({ ...bearer(token), "X-Provider-Key": KEY }, { rerank: true });
    expect(await server.close()).toBe(0);
    const audit = await outputHere(place, "audit", "tail", "--lines", "1000", "--json");
    const lines: readonly Record<string, unknown>[] = audit
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const brought = lines.filter(({ byok }) => byok === true);
    const who = new Set(brought.map(({ principal }) => String(principal).replace(/_.*/, "_")));
    expect([...who].toSorted()).toEqual(["byok", "null", "tok_"]);
    expect(lines.some(({ principal, byok }) => principal === "byok" && byok !== true)).toBe(false);
    expect(await outputHere(place, "audit", "verify")).toContain("is intact");
    const said = `${server.stderr()}${audit}`;
    expect(said).toContain("which tide goes out");
    const left = filesBelow(dirname(place.home));
    expect(left.length).toBeGreaterThan(5);
    const holding = left.filter(({ bytes }) =>
      tracesOf(KEY).some((trace) => bytes.includes(trace)),
    );
    expect(holding.map(({ path }) => path)).toEqual([]);
    for (const trace of tracesOf(KEY)) expect(said).not.toContain(trace.toString("latin1"));
  },
);

function filesBelow(folder: string): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

/** The forms in which a key or a hash of it could occur. */
function tracesOf(key: string): readonly Buffer[] {
  const digest = createHash("sha256").update(key).digest();
  const forms = [
    key,
    Buffer.from(key).toString("base64").slice(0, 40),
    Buffer.from(key).toString("hex"),
    digest.toString("hex"),
    digest.toString("base64").slice(0, 40),
  ];
  return [...forms.map((form) => Buffer.from(form)), digest, Buffer.from(key, "utf16le")];
}
