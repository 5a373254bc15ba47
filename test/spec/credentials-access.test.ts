// The access that a credential gives, and the refusals without one.
import { join } from "node:path";

import { afterAll, beforeAll, expect } from "vitest";

import { silentLogger } from "../../src/base/log.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { tools } from "../../src/tools/registry.ts";
import { openSession, type Wire } from "../helpers/rpc.ts";
import { createKey, createTokenFor, outputHere } from "./commands-here.ts";
import { moveClock, storeOf } from "./open-store.ts";
import { post, startHttp } from "./http-server.ts";
import { createPlace } from "./program.ts";
import { startServer, type Reply } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const place = createPlace({
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
  "vault/plans.md": "# Plans\n\nThe tide plan is to sail at dawn from the quay.\n",
});
afterAll(place.remove);
beforeAll(async () => {
  for (const namespace of ["docs", "vault"]) {
    await outputHere(place, "index", join(place.root, namespace), "--namespace", namespace);
  }
}, 60_000);

verifies(
  "5/key-bound-to-namespace",
  "a key can search the namespace it was created for; others do not exist for it",
  async () => {
    const { key } = await createKey(place, { namespace: "docs" });
    const store = await storeOf(place);
    const engine = createEngine({
      dataDirectory: join(place.home, "data"),
      home: place.home,
      logger: silentLogger,
      workspace: () => join(place.root, "docs"),
    });
    const { request } = openSession({
      tools,
      engine: () => Promise.resolve(engine),
      authorize: () => Promise.resolve(authenticate(store, key, Date.now(), "key")),
    });
    const search = (namespace: string): Promise<Wire> =>
      request("tools/call", {
        name: "search_context",
        arguments: { query: "when does the tide turn", namespace },
      });
    const own = await search("docs");
    expect(JSON.stringify(own.result)).toContain("twice a day");
    const [foreign, absent] = [await search("vault"), await search("absent")];
    expect(foreign.error).toMatchObject({ data: { error_code: "NAMESPACE_NOT_FOUND" } });
    expect(JSON.stringify(foreign.error).replaceAll("vault", "absent")).toBe(
      JSON.stringify(absent.error),
    );
    const status = await request("tools/call", { name: "index_status", arguments: {} });
    expect(JSON.stringify(status.result)).toContain("docs");
    expect(JSON.stringify(status.result)).not.toContain("vault");
    await engine.close();
  },
);

const UNAUTHORIZED: readonly unknown[] = [
  "UNAUTHENTICATED",
  "TOKEN_EXPIRED",
  "CREDENTIAL_REVOKED",
  "CREDENTIAL_MALFORMED",
];

/** The results of a call of every tool, each once; a refusal is a result with the reason. */
async function outcomes(token: string | undefined): Promise<readonly string[]> {
  const server = startServer(place, token === undefined ? {} : { SERVICE_TOKEN: token });
  const replies = await Promise.all(
    tools.map(({ name }) => server.request("tools/call", { name, arguments: {} })),
  );
  await server.close();
  return [
    ...new Set(
      replies.map(({ result }) => {
        const { error_code: code } = result?.structuredContent ?? {};
        return UNAUTHORIZED.includes(code) ? `refused ${String(code)}` : "reached";
      }),
    ),
  ];
}

verifies("5/authorized-only", "no tool runs without a valid token", async () => {
  const revoked = await createTokenFor(place);
  await outputHere(place, "auth", "token", "revoke", revoked.token_id);
  const expired = await createTokenFor(place, "--ttl", "1m");
  await moveClock(place, Date.parse(expired.expires_at));
  const { key } = await createKey(place);
  expect(await outcomes(undefined)).toEqual(["refused UNAUTHENTICATED"]);
  expect(await outcomes("svt_000000000000000000000000000000000Byi4J")).toEqual([
    "refused UNAUTHENTICATED",
  ]);
  expect(await outcomes("svt_mistyped")).toEqual(["refused CREDENTIAL_MALFORMED"]);
  expect(await outcomes(key)).toEqual(["refused UNAUTHENTICATED"]);
  expect(await outcomes(revoked.token)).toEqual(["refused CREDENTIAL_REVOKED"]);
  expect(await outcomes(expired.token)).toEqual(["refused TOKEN_EXPIRED"]);
  expect(await outcomes((await createTokenFor(place)).token)).toEqual(["reached"]);
});

verifies("5/authorized-only", "a token for one namespace reaches no other", async () => {
  const { token } = await createTokenFor(place, "--namespace", "docs");
  const server = startServer(place, { SERVICE_TOKEN: token });
  const search = async (namespace: string): Promise<string> => {
    const input = { query: "the tide", namespace };
    const { error } = await server.request("tools/call", {
      name: "search_context",
      arguments: input,
    });
    return error?.data.error_code ?? "ok";
  };
  expect([await search("docs"), await search("vault")]).toEqual(["ok", "NAMESPACE_NOT_FOUND"]);
  await server.close();
});

verifies(
  "5/authorized-only",
  "a token for one namespace searches it by default, over both transports",
  async () => {
    const { token } = await createTokenFor(place, "--namespace", "docs");
    const input = { name: "search_context", arguments: { query: "the tide" } };
    const [stdio, http] = [startServer(place, { SERVICE_TOKEN: token }), await startHttp(place)];
    const { result } = await stdio.request("tools/call", input);
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: input });
    const { body } = await post<Reply>(`${http.url}/mcp`, headers, message);
    expect(result?.content?.[0]?.text).toContain("tide");
    expect(body.result?.content).toEqual(result?.content);
    await Promise.all([stdio.close(), http.close()]);
  },
);

verifies("5/authorized-only", "a read-only token is refused what changes the index", async () => {
  const { token } = await createTokenFor(place, "--read-only");
  const server = startServer(place, { SERVICE_TOKEN: token });
  const { result } = await server.request("tools/list");
  const names = result?.tools?.map(({ name }) => name) ?? [];
  expect([names.includes("search_context"), names.includes("index_source")]).toEqual([true, false]);
  const refused = await server.request("tools/call", {
    name: "index_source",
    arguments: { source: place.root },
  });
  expect(refused.result).toMatchObject({
    isError: true,
    structuredContent: {
      error_code: "FORBIDDEN",
      detail: expect.stringContaining("with an access token that is not read-only"),
    },
  });
  await server.close();
});
