import { afterAll, expect } from "vitest";

import { createPlace, createToken, svc } from "./program.ts";
import { startServer } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const place = createPlace({ "README.md": "# Lighthouse\n\nThe lamp is lit at dusk.\n" });
afterAll(place.remove);

interface TokenRecord {
  readonly name: string;
  readonly token: string;
  readonly created_at: string;
  readonly expires_at: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const TOKEN = /^svt_[0-9A-Za-z]{38}$/;
const TOKEN_LINE = /^svt_[0-9A-Za-z]{38}\n$/;

async function create(name: string, ...flags: readonly string[]): Promise<TokenRecord> {
  const run = await svc(place, "auth", "token", "create", "--name", name, "--json", ...flags);
  expect(run).toMatchObject({ exit: 0 });
  const record: TokenRecord = JSON.parse(run.stdout);
  return record;
}

function lifetimeMs({ created_at, expires_at }: TokenRecord): number {
  return Date.parse(expires_at) - Date.parse(created_at);
}

/** The result of a call of a client with this SERVICE_TOKEN: "ok" or the error code of the result. */
async function called(env: Readonly<Record<string, string>>): Promise<string> {
  const server = startServer(place, env);
  const { result } = await server.request("initialize", { clientInfo: { name: "spec" } });
  expect(result).toMatchObject({ serverInfo: { name: "svc" } });
  const answer = await server.request("tools/call", { name: "index_status", arguments: {} });
  await server.close();
  expect(answer.error).toBeUndefined();
  const { isError, structuredContent } = answer.result ?? {};
  return isError === true ? String(structuredContent?.["error_code"]) : "ok";
}

verifies(
  ["4.5/auth-token-create", "2.2/token-value"],
  "auth token create prints only the token on standard output",
  async () => {
    const run = await svc(place, "auth", "token", "create", "--name", "alone");
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringMatching(TOKEN_LINE) });
    expect(run.stderr).not.toContain(run.stdout.trim());
  },
);

verifies("4.5/auth-token-create", "a token without a name is wrong use", async () => {
  const run = await svc(place, "auth", "token", "create");
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain("--name");
});

verifies(
  ["2.2/name", "2.2/lifetime", "8/token-lifetime", "3/token-created"],
  "a token carries its name and expires after 30 days",
  async () => {
    const record = await create("laptop");
    expect(record).toMatchObject({ name: "laptop", token: expect.stringMatching(TOKEN) });
    expect(lifetimeMs(record)).toBe(30 * DAY_MS);
  },
);

verifies(["2.2/lifetime", "8/token-lifetime"], "the lifetime can be chosen", async () => {
  expect(lifetimeMs(await create("short", "--ttl", "2d"))).toBe(2 * DAY_MS);
});

verifies(
  ["4.4/credential-variable", "3/token-created"],
  "a new token in SERVICE_TOKEN gives access to the server",
  async () => {
    expect(await called({ SERVICE_TOKEN: await createToken(place) })).toBe("ok");
  },
);

verifies("4.4/credential-variable", "without a token no call is answered", async () => {
  expect(await called({})).toBe("UNAUTHENTICATED");
});

verifies("4.4/credential-variable", "a token that was never issued is refused", async () => {
  const neverIssued = "svt_000000000000000000000000000000000Byi4J";
  expect(await called({ SERVICE_TOKEN: neverIssued })).toBe("UNAUTHENTICATED");
});

verifies("4.4/credential-variable", "a mistyped token is reported as mistyped", async () => {
  const token = await createToken(place);
  const last = token.endsWith("A") ? "B" : "A";
  expect(await called({ SERVICE_TOKEN: token.slice(0, -1) + last })).toBe("CREDENTIAL_MALFORMED");
});
