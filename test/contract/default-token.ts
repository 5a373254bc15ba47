import { expect, test } from "vitest";

import { createToken, saveDefaultToken } from "../../src/credentials/access-tokens.ts";
import { verify } from "../../src/credentials/authenticate.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import type { CredentialStore, DefaultToken } from "../../src/credentials/port.ts";

type TestedStore = CredentialStore & { readonly defaultToken: DefaultToken };

/** Opens one store twice, as two processes do. */
type OpenTwice = () => Promise<{
  readonly one: TestedStore;
  readonly other: TestedStore;
  /** Returns the lines of the audit log, parsed. */
  readonly audited: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}>;

const NOW = Date.parse("2030-01-01T00:00:30Z");

/** What the default token of every credential store promises. */
export function defaultTokenContract(two: OpenTwice): void {
  test("it is the one saved last, also in another store, and saving it is recorded", async () => {
    const { one, other, audited } = await two();
    for (const name of ["first", "second"]) {
      const { secret } = await createToken(one, { name }, NOW);
      await saveDefaultToken(one, one.defaultToken, secret);
      expect(await other.defaultToken.read()).toBe(secret);
    }
    const saved = (await audited()).filter(({ event }) => event === "token.save");
    const names = await Promise.all(
      saved.map(async ({ credential }) => {
        const records = await one.list();
        return records.find(({ id }) => id === credential)?.name;
      }),
    );
    expect(names).toEqual(["first", "second"]);
  });

  test("it can be removed, in every store, and that is recorded; its credential stays valid", async () => {
    const { one, other, audited } = await two();
    const { secret, record } = await createToken(one, { name: "a" }, NOW);
    await saveDefaultToken(one, one.defaultToken, secret);
    await other.defaultToken.remove(record.id);
    expect(await one.defaultToken.read()).toBeUndefined();
    expect((await verify(one, secret, "token")).name).toBe("a");
    const removed = (await audited()).filter(({ event }) => event === "token.forget");
    expect(removed.map(({ credential }) => credential)).toEqual([record.id]);
  });

  test("revoking its credential removes it; revoking another one, or a later change, does not", async () => {
    const { one, other } = await two();
    const [kept, gone] = [
      await createToken(one, { name: "kept" }, NOW),
      await createToken(one, { name: "gone" }, NOW),
    ];
    await saveDefaultToken(one, one.defaultToken, kept.secret);
    const revoke = (id: string) =>
      revokeCredential(other, { kind: "token", id, defaultToken: other.defaultToken }, NOW);
    expect((await revoke(gone.record.id)).wasDefault).toBe(false);
    await other.write(() => undefined);
    expect(await one.defaultToken.read()).toBe(kept.secret);
    expect((await revoke(kept.record.id)).wasDefault).toBe(true);
    expect(await one.defaultToken.read()).toBeUndefined();
    expect((await revoke(kept.record.id)).wasDefault).toBe(false);
  });
}
