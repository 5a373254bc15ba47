// Credentials that machines share in a PostgreSQL database, with real programs.
import { expect, test } from "vitest";

import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { failureOf, placeWith } from "../../helpers/shared-backend.ts";
import { post, startHttp } from "../../spec/http-server.ts";
import { svc, svcWith } from "../../spec/program.ts";

const FILES = { "zoo/aardvark.md": "# Aardvark\n\nThe aardvark sleeps at noon.\n" };
/** A revocation counts on every node within a second. */
const MAX_REVOCATION_MS = 1000;
const NOT_ON_THIS_MACHINE = [
  "svc: The credentials are in the shared backend, not on this machine.",
  "`svc auth token list` and `svc auth keys list` show them. Unset SERVICE_BACKEND for the store of this machine.",
];

needs(["postgres"], () => {
  const server = serverForTests();

  test("a key of one machine is valid on all, and its revocation counts on each within a second", async () => {
    const backend = ["--backend", server.freshUrl()];
    const [one, other] = [placeWith(FILES), placeWith()];
    await svc(one, "index", ".", "--namespace", "zoo", ...backend);
    const created = await svc(
      one,
      "auth",
      "keys",
      "create",
      "--name",
      "team",
      "--namespace",
      "zoo",
      "--json",
      ...backend,
    );
    const { key, key_id: id }: { key: string; key_id: string } = JSON.parse(created.stdout);
    const node = await startHttp(other, ...backend);
    const ask = () =>
      post<{ readonly results?: readonly unknown[] }>(
        `${node.url}/v1/search`,
        { "content-type": "application/json", "x-api-key": key },
        JSON.stringify({ query: "aardvark" }),
      );
    expect((await ask()).status).toBe(200);
    const revoked = await svc(one, "auth", "keys", "revoke", id, ...backend);
    expect(revoked.exit).toBe(0);
    await new Promise((done) => setTimeout(done, MAX_REVOCATION_MS));
    expect((await ask()).status).toBe(401);
    expect(await node.close()).toBe(0);
    const tail = await svc(one, "audit", "tail", "--json", ...backend);
    const events = tail.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    expect(events).toEqual(expect.arrayContaining(["key.create", "call", "key.revoke"]));
    expect((await svc(other, "audit", "verify", ...backend)).exit).toBe(0);
  });

  test("a saved token is the default of one machine and one database only", async () => {
    const url = server.freshUrl();
    const place = placeWith();
    const create = ["auth", "token", "create", "--save", "--name"];
    const local = await svc(place, ...create, "here");
    const shared = await svc(place, ...create, "team", "--backend", url);
    expect([local.exit, shared.exit]).toEqual([0, 0]);
    const names = async (...flags: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await svc(place, "auth", "token", "list", "--json", ...flags);
      const tokens: readonly { readonly name: string }[] = JSON.parse(stdout);
      return tokens.map(({ name }) => name);
    };
    expect([await names(), await names("--backend", url)]).toEqual([["here"], ["team"]]);
    // The secret is in no table.
    const secret = shared.stdout.trim();
    const database = server.open(url);
    const rows = await database.query("SELECT record::text AS text FROM credential");
    expect(rows.some(({ text }) => String(text).includes(secret))).toBe(false);
    const status = await svcWith(place, { SERVICE_BACKEND: url }, "auth", "store", "status");
    expect(failureOf(status)).toEqual([2, ...NOT_ON_THIS_MACHINE]);
  });

  test("--require-keychain is refused: the key of a shared store is in no keychain", async () => {
    const create = ["auth", "token", "create", "--name", "a", "--require-keychain"];
    const run = await svc(placeWith(), ...create, "--backend", server.freshUrl());
    expect(failureOf(run)).toEqual([
      2,
      "svc: The credentials are in a shared backend, not on this machine.",
      "Leave out --require-keychain.",
    ]);
  });
});
