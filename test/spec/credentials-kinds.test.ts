import { afterAll, expect } from "vitest";

import { createKey, createTokenFor, listKeys } from "./commands-here.ts";
import { output } from "./credential-commands.ts";
import { createPlace } from "./program.ts";
import { startServer } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const place = createPlace();
afterAll(place.remove);

verifies(
  "1/command-line-program",
  "one program creates, lists and revokes keys and tokens, and starts the server",
  async () => {
    const create = async (kind: string, ...flags: readonly string[]) =>
      JSON.parse(await output(place, "auth", kind, "create", "--name", "one", "--json", ...flags));
    const { key_id } = await create("keys", "--namespace", "docs");
    const { token, token_id } = await create("token");
    const listed = async (): Promise<boolean[]> => [
      (await output(place, "auth", "keys", "list")).includes(key_id),
      (await output(place, "auth", "token", "list")).includes(token_id),
    ];
    expect(await listed()).toEqual([true, true]);
    const server = startServer(place, { SERVICE_TOKEN: token });
    expect((await server.request("tools/list")).result).toBeDefined();
    expect(await server.close()).toBe(0);
    await output(place, "auth", "keys", "revoke", key_id);
    await output(place, "auth", "token", "revoke", token_id);
    expect(await listed()).toEqual([false, false]);
  },
);

verifies(
  "1/credential-kinds",
  "keys are valid until revoked, tokens expire; neither is accepted as the other",
  async () => {
    const key = await createKey(place);
    const token = await createTokenFor(place);
    expect(Object.keys(key)).not.toContain("expires_at");
    expect(Date.parse(token.expires_at)).toBeGreaterThan(Date.parse(token.created_at));
    const kinds = [key.key, token.token].map((secret) => secret.slice(0, 4));
    expect(kinds).toEqual(["svk_", "svt_"]);
    expect(await listKeys(place)).toMatchObject([{ key_id: key.key_id }]);
    const server = startServer(place, { SERVICE_TOKEN: key.key });
    const call = { name: "index_status", arguments: {} };
    const { result } = await server.request("tools/call", call);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error_code: "UNAUTHENTICATED",
        detail: expect.stringContaining("MCP takes an access token"),
      },
    });
    await server.close();
  },
);
