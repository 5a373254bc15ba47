// Both ends of a credential, as running servers see them.
import { afterAll, expect } from "vitest";

import { authenticate } from "../../src/credentials/authenticate.ts";
import { serveInMemory, type StreamServer } from "../helpers/rpc.ts";
import { promised, sized } from "../trust/promise.ts";
import { createTokenFor } from "./commands-here.ts";
import { output } from "./credential-commands.ts";
import { moveClock, storeOf } from "./open-store.ts";
import { createPlace, svc } from "./program.ts";
import { startServer, type Server } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const place = createPlace({ "README.md": "# Ferry\n\nThe ferry leaves at noon.\n" });
afterAll(place.remove);

/** The result of `tools/list` in a session that explains no refusals: `code error_code`, or "ok". */
async function listTools(server: StreamServer): Promise<string> {
  const { error } = await server.request("tools/list");
  return error === undefined ? "ok" : `${error.code} ${error.data.error_code}`;
}

/** The outcome of a call: the error code of the result, or "ok". The tools are listed either way. */
async function called(server: Server): Promise<string> {
  const { result, error } = await server.request("tools/call", {
    name: "index_status",
    arguments: {},
  });
  expect(error).toBeUndefined();
  expect((await server.request("tools/list")).result?.tools).toHaveLength(12);
  return result?.isError === true ? String(result.structuredContent?.["error_code"]) : "ok";
}

verifies(
  ["3/token-expired", "1/tokens-for-short-sessions"],
  "a session is refused from the very millisecond its token expires",
  async () => {
    const { token, expires_at } = await createTokenFor(place, "--ttl", "1m");
    const store = await storeOf(place);
    const clock = { now: Date.now() };
    const server = serveInMemory({
      authorize: () => Promise.resolve(authenticate(store, token, clock.now)),
    });
    expect(await listTools(server)).toBe("ok");
    clock.now = Date.parse(expires_at) - 1;
    expect(await listTools(server)).toBe("ok");
    clock.now += 1;
    expect(await listTools(server)).toBe("401 TOKEN_EXPIRED");
    server.stop();
    await server.done;
  },
);

verifies(
  ["3/token-expired", "1/tokens-for-short-sessions"],
  "a running server refuses an expired token at its next call, and the list drops it",
  async () => {
    const { token, token_id, expires_at } = await createTokenFor(place, "--ttl", "1h");
    const server = startServer(place, { SERVICE_TOKEN: token });
    const expiry = Date.parse(expires_at);
    const listed = () => output(place, "auth", "token", "list", "--json");
    await moveClock(place, expiry - 60_000);
    expect(await called(server)).toBe("ok");
    expect(await listed()).toContain(token_id);
    await moveClock(place, expiry);
    expect(await called(server)).toBe("TOKEN_EXPIRED");
    expect(await listed()).not.toContain(token_id);
    await server.close();
    const restarted = startServer(place, { SERVICE_TOKEN: token });
    expect(await called(restarted)).toBe("TOKEN_EXPIRED");
    await restarted.close();
  },
);

verifies(
  ["1/command-line-program", "1/credential-kinds"],
  "a running server refuses a revoked token at its next call",
  promised(
    [35],
    "a running server refuses a token that another process revoked from the next call on",
    async () => {
      const rounds = sized({ quick: 1, full: 5 });
      for (let round = 0; round < rounds; round += 1) {
        const [gone, kept] = [await createTokenFor(place), await createTokenFor(place)];
        const servers = [gone, kept].map(({ token }) =>
          startServer(place, { SERVICE_TOKEN: token }),
        );
        const states = (): Promise<string[]> => Promise.all(servers.map(called));
        expect(await states()).toEqual(["ok", "ok"]);
        await output(place, "auth", "token", "revoke", gone.token_id);
        expect(await states()).toEqual(["CREDENTIAL_REVOKED", "ok"]);
        for (const server of servers) await server.close();
      }
      return rounds;
    },
  ),
);

verifies(
  "1/command-line-program",
  "revoking the machine's default token ends the servers that use it",
  async () => {
    const { token_id } = await createTokenFor(place, "--name", "mine", "--save");
    const server = startServer(place, {});
    expect(await called(server)).toBe("ok");
    const run = await svc(place, "auth", "token", "revoke", token_id);
    expect(run).toMatchObject({ exit: 0, stdout: `Revoked ${token_id} "mine".\n` });
    expect(run.stderr).toContain("the default token of this machine");
    expect(await called(server)).toBe("UNAUTHENTICATED");
    await server.close();
  },
);
