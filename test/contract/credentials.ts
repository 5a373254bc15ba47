import { describe, expect, onTestFinished, test, vi } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { createKey } from "../../src/credentials/api-keys.ts";
import { authenticate, verify } from "../../src/credentials/authenticate.ts";
import type { CredentialRecord } from "../../src/credentials/credential-record.ts";
import { recordOf } from "../../src/credentials/find-credential.ts";
import { listCredentials } from "../../src/credentials/list-credentials.ts";
import type { CredentialStore, DefaultToken } from "../../src/credentials/port.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import { newSecret } from "../../src/credentials/secret-format.ts";
import { secretDigest } from "../../src/credentials/secret-digest.ts";
import { codeOf } from "../credentials/home.ts";
import { defaultTokenContract } from "./default-token.ts";

export type TestedStore = CredentialStore & { readonly defaultToken: DefaultToken };

interface OpenOptions {
  /**
   * Called when events are about to be appended to the audit log. If it throws, they cannot be appended. An
   * asynchronous store awaits its result.
   */
  readonly onAppend?: () => unknown;
  readonly isReadOnly?: boolean;
}

interface TestedCredentials {
  /** Opens the same store, as another process does. The first call creates it. */
  readonly open: (options?: OpenOptions) => Promise<TestedStore>;
  /** Returns the lines of the audit log, parsed. */
  readonly audited: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const NOW = Date.parse("2030-01-01T00:00:30Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What every credential store promises (src/credentials/port.ts), through the rules that use it. */
export function credentialsContract(make: () => TestedCredentials): void {
  const begun = (): TestedCredentials => {
    const { open, audited } = make();
    return {
      audited,
      async open(options) {
        const store = await open(options);
        onTestFinished(() => store.close());
        return store;
      },
    };
  };
  const two = async (): Promise<
    TestedCredentials & { readonly one: TestedStore; readonly other: TestedStore }
  > => {
    const made = begun();
    return { ...made, one: await made.open(), other: await made.open() };
  };
  describe("records", () => {
    test("a new store is empty, and knows no secret", async () => {
      const store = await begun().open();
      expect(await store.list()).toEqual([]);
      expect(await store.find(secretDigest(newSecret("token")), NOW)).toEqual({
        record: undefined,
        time: NOW,
      });
      expect(await store.defaultToken.read()).toBeUndefined();
    });

    test("every record is read as it was put, by this store and by another", async () => {
      const { one, other } = await two();
      const whole: CredentialRecord = {
        id: "tok_0123456789abcdef",
        kind: "token",
        name: "naïve ☂",
        namespaces: ["docs", "api"],
        readOnly: true,
        createdAt: NOW,
        expiresAt: NOW + DAY,
        lastUsedAt: NOW + MINUTE,
        revokedAt: NOW + 1,
        digest: secretDigest("one"),
      };
      const { expiresAt: _e, lastUsedAt: _l, revokedAt: _r, ...least } = whole;
      const key: CredentialRecord = { ...least, id: "key_1", kind: "key", digest: "00" };
      const all = { ...least, id: "tok_2", namespaces: "all", digest: "11" } as const;
      await one.write(({ put }) => [whole, key, all].forEach(put));
      for (const store of [one, other]) {
        const records = await store.list();
        expect(records.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([key, whole, all]);
        expect((await store.find(whole.digest, NOW)).record).toEqual(whole);
      }
    });

    test("a record stays the same object until it changes", async () => {
      const { one, other } = await two();
      const { secret, record } = await createToken(one, { name: "a" }, NOW);
      const found = await recordOf(other, secret);
      expect(await recordOf(other, secret)).toBe(found);
      await createToken(one, { name: "b" }, NOW);
      expect(await recordOf(other, secret)).toBe(found);
      await one.write(({ put }) => put({ ...record, name: "c" }));
      expect(await recordOf(other, secret)).toEqual({ ...record, name: "c" });
    });

    test("a plan sees the records with the changes that it made so far", async () => {
      const store = await begun().open();
      const { record } = await createToken(store, { name: "a" }, NOW);
      const seen = await store.write(({ records, put }) => {
        const before = records.get(record.id)?.name;
        put({ ...record, name: "b" });
        return [before, records.get(record.id)?.name, records.size];
      });
      expect(seen).toEqual(["a", "b", 1]);
    });
  });

  describe("revision", () => {
    test("it stays while nothing changes, and differs after each change, in every open store", async () => {
      const { one, other } = await two();
      const revisions = [await other.revision()];
      await one.list();
      expect([await other.revision(), await one.revision()]).toEqual([revisions[0], revisions[0]]);
      const { record } = await createToken(one, { name: "a" }, NOW);
      revisions.push(await other.revision());
      await revokeCredential(other, { kind: "token", id: record.id }, NOW);
      revisions.push(await one.revision());
      expect(new Set(revisions).size).toBe(3);
      expect(await other.revision()).toBe(revisions[2]);
    });
  });

  describe("changes", () => {
    test("a plan that throws changes nothing and audits nothing", async () => {
      const { one, other, audited } = await two();
      const { record, secret } = await createToken(one, { name: "a" }, NOW);
      const [revision, lines] = [await other.revision(), await audited()];
      const failed = one.write(({ put, audit }) => {
        put({ ...record, revokedAt: NOW });
        audit({ event: "token.revoke", credential: record.id });
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect([await one.list(), await other.list()]).toEqual([[record], [record]]);
      expect([await other.revision(), await audited()]).toEqual([revision, lines]);
      expect(await call(one, secret)).toBe("a");
    });

    test("two writers lose no change", async () => {
      const { one, other, open } = await two();
      const names = Array.from({ length: 20 }, (_, at) => `t${at}`);
      const made = await Promise.all(
        names.map((name, at) => createToken(at % 2 === 0 ? one : other, { name }, NOW)),
      );
      await Promise.all(
        made.map(async ({ record: { id } }, at) => {
          const store = at % 2 === 0 ? other : one;
          if (at % 5 === 0) await revokeCredential(store, { kind: "token", id }, NOW);
        }),
      );
      const records = await (await open()).list();
      const states = records.map(({ name, revokedAt }) => `${name} ${revokedAt === undefined}`);
      const expected = names.map((name, at) => `${name} ${at % 5 !== 0}`);
      expect(states.toSorted()).toEqual(expected.toSorted());
    });

    test("of two writers that want one name, the second is refused", async () => {
      const { one, other, audited } = await two();
      const created = await Promise.allSettled(
        [one, other, one, other].map((store) => createToken(store, { name: "ci" }, NOW)),
      );
      const reasons = created.map((result) =>
        result.status === "fulfilled" ? "ok" : String(result.reason.code),
      );
      expect(reasons.toSorted()).toEqual(["USAGE", "USAGE", "USAGE", "ok"]);
      expect(await one.list()).toHaveLength(1);
      expect(await eventsOf(audited)).toEqual(["token.create"]);
    });

    test("a revocation made meanwhile through another store is not repeated", async () => {
      const { one, other, audited } = await two();
      const { record } = await createKey(one, { name: "ci", namespaces: ["docs"] }, NOW);
      const request = { kind: "key", id: record.id } as const;
      const results = await Promise.all(
        [one, other, one].map((store, at) => revokeCredential(store, request, NOW + at)),
      );
      expect(results.map(({ isNew }) => isNew).filter(Boolean)).toHaveLength(1);
      expect(new Set(results.map((result) => result.record.revokedAt)).size).toBe(1);
      expect(await eventsOf(audited)).toEqual(["key.create", "key.revoke"]);
    });

    test("a store that is open for reading reads every change, and makes none", async () => {
      const { one, open, audited } = await two();
      const { record, secret } = await createToken(one, { name: "a" }, NOW);
      const reader = await open({ isReadOnly: true });
      expect([one.isReadOnly, reader.isReadOnly]).toEqual([false, true]);
      expect([await call(reader, secret), await reader.list()]).toEqual(["a", [record]]);
      const lines = await audited();
      const request = { kind: "token", id: record.id } as const;
      expect(await codeOf(() => revokeCredential(reader, request, NOW))).toBe("CREDENTIAL_STORE");
      expect(await codeOf(() => createToken(reader, { name: "b" }, NOW))).toBe("CREDENTIAL_STORE");
      expect([await one.list(), await audited()]).toEqual([[record], lines]);
      await revokeCredential(one, request, NOW);
      expect(await call(reader, secret)).toBe("CREDENTIAL_REVOKED");
      // Its uses are not written, and closing it has no effect.
      await reader.close();
      expect((await one.list())[0]?.lastUsedAt).toBeUndefined();
    });
  });

  describe("audit", () => {
    test("the events of changes are recorded in order, each after its plan and before its commit", async () => {
      const { one, other, open, audited } = await two();
      const { record } = await createToken(one, { name: "a" }, NOW);
      const seen: Promise<number | undefined>[] = [];
      const observed = await open({
        onAppend: () => {
          const revokedAt = other.list().then(([found]) => found?.revokedAt);
          seen.push(revokedAt);
          return revokedAt;
        },
      });
      let planned = -1;
      await observed.write(({ put, audit }) => {
        put({ ...record, revokedAt: NOW });
        audit({ event: "token.revoke", credential: record.id });
        audit({ event: "key.revoke", credential: "key_1" });
        planned = seen.length;
      });
      expect([planned, await Promise.all(seen)]).toEqual([0, [undefined]]);
      expect((await other.list())[0]?.revokedAt).toBe(NOW);
      expect(await eventsOf(audited)).toEqual(["token.create", "token.revoke", "key.revoke"]);
    });

    test("each change with events is recorded as committed with its revision", async () => {
      const { one, audited } = await two();
      const revisions: number[] = [];
      for (const name of ["a", "b"]) {
        await createToken(one, { name }, NOW);
        revisions.push(await one.revision());
      }
      await one.write(() => undefined);
      await one.close();
      const commits = (await audited()).filter(({ event }) => event === "store.commit");
      expect(commits.map(({ generation }) => generation)).toEqual(revisions);
    });

    test("a change that cannot be recorded is not made, and the store stays usable", async () => {
      const { other, open } = await two();
      let isFull = false;
      const store = await open({
        onAppend: () => {
          if (isFull) throw new SvcError("STORAGE_FULL", "The disk is full.");
        },
      });
      const { record, secret } = await createToken(store, { name: "a" }, NOW);
      const revision = await other.revision();
      isFull = true;
      const revoke = () => revokeCredential(store, { kind: "token", id: record.id }, NOW);
      expect(await codeOf(revoke)).toBe("STORAGE_FULL");
      expect([await other.list(), await other.revision()]).toEqual([[record], revision]);
      expect(await call(store, secret)).toBe("a");
      // A change without events needs no log.
      await store.write(({ put }) => put({ ...record, name: "renamed" }));
      expect((await other.list()).map(({ name }) => name)).toEqual(["renamed"]);
      isFull = false;
      expect(await codeOf(revoke)).toBe("ok");
    });
  });

  describe("authentication", () => {
    test("a revoked credential is refused by a second open store from its next call on", async () => {
      const { one, other } = await two();
      const token = await createToken(one, { name: "laptop" }, NOW);
      const key = await createKey(one, { name: "ci", namespaces: ["docs"] }, NOW);
      for (const [kind, { record, secret }] of [["token", token] as const, ["key", key] as const]) {
        const use = () => authenticate(other, secret, NOW, kind);
        expect(await codeOf(use)).toBe("ok");
        await revokeCredential(one, { kind, id: record.id }, NOW);
        expect(await codeOf(use)).toBe("CREDENTIAL_REVOKED");
      }
    });

    test("a token is valid until the millisecond it expires, and is listed as expired then", async () => {
      const { one, other } = await two();
      const { secret } = await createToken(one, { name: "laptop", ttlMs: MINUTE }, NOW);
      const states = async (now: number): Promise<readonly string[]> =>
        (await listCredentials(other, { kind: "token", all: true }, now)).map(({ state }) => state);
      expect([await call(other, secret, NOW + MINUTE - 1), await states(NOW + MINUTE - 1)]).toEqual(
        ["laptop", ["active"]],
      );
      expect([await call(other, secret, NOW + MINUTE), await states(NOW + MINUTE)]).toEqual([
        "TOKEN_EXPIRED",
        ["expired"],
      ]);
    });

    test("time never goes back, in this store, and in others once it is written", async () => {
      const { one, open } = await two();
      const { secret } = await createToken(one, { name: "laptop", ttlMs: DAY }, NOW);
      expect([await one.time(NOW), await one.time(NOW + 1)]).toEqual([NOW, NOW + 1]);
      expect(await one.time(NOW - DAY)).toBe(NOW + 1);
      expect((await one.find(secretDigest(secret), NOW + 2 * DAY)).time).toBe(NOW + 2 * DAY);
      expect((await one.find(secretDigest(secret), NOW)).time).toBe(NOW + 2 * DAY);
      expect(await call(one, secret, NOW)).toBe("TOKEN_EXPIRED");
      // Closing writes the time.
      await one.close();
      const next = await open();
      expect([await next.time(NOW), await call(next, secret, NOW)]).toEqual([
        NOW + 2 * DAY,
        "TOKEN_EXPIRED",
      ]);
    });

    test.each([Number.NaN, Infinity, -Infinity, Date.UTC(10_000, 0, 1)])(
      "%d is no valid time",
      async (now) => {
        const store = await begun().open();
        const { secret } = await createToken(store, { name: "laptop" }, NOW);
        expect(await call(store, secret, now)).toBe("CREDENTIAL_STORE");
        expect(await codeOf(() => store.time(now))).toBe("CREDENTIAL_STORE");
        expect(await call(store, secret, NOW)).toBe("laptop");
      },
    );
  });

  describe("last uses", () => {
    test("a use is recorded to the minute, with one write for the calls of a minute", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const { one, other } = await two();
      const made = [
        await createToken(one, { name: "a" }, NOW),
        await createToken(one, { name: "b" }, NOW),
      ];
      const revision = await other.revision();
      for (let at = 0; at < 50; at += 1) {
        for (const { secret } of made) await call(one, secret, NOW + at * 1000);
      }
      const uses = async (): Promise<readonly (number | undefined)[]> =>
        (await other.list()).map(({ lastUsedAt }) => lastUsedAt);
      expect([await uses(), await other.revision()]).toEqual([[undefined, undefined], revision]);
      await vi.advanceTimersByTimeAsync(MINUTE);
      await expect.poll(uses).toEqual([NOW + MINUTE / 2, NOW + MINUTE / 2]);
      const written = await other.revision();
      expect(written).not.toBe(revision);
      // Another call in a minute that is recorded needs no write.
      for (const { secret } of made) await call(one, secret, NOW + MINUTE);
      await vi.advanceTimersByTimeAsync(10 * MINUTE);
      expect(await other.revision()).toBe(written);
    });

    test("a use that is written does not undo a later one of another store", async () => {
      const { one, other, open } = await two();
      const { secret } = await createToken(one, { name: "a" }, NOW);
      await call(one, secret, NOW);
      await one.write(() => undefined);
      await call(other, secret, NOW + 5 * MINUTE);
      await other.close();
      await one.write(() => undefined);
      const [record] = await (await open()).list();
      expect(record?.lastUsedAt).toBe(NOW + 4.5 * MINUTE);
    });

    test("closing a store writes its uses", async () => {
      const { one, other } = await two();
      const { secret } = await createToken(one, { name: "a" }, NOW);
      await call(one, secret, NOW);
      await one.close();
      expect((await other.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([NOW - MINUTE / 2]);
      await one.close();
    });

    test("a use does not undo a revocation made meanwhile", async () => {
      const { one, other } = await two();
      const { record, secret } = await createToken(one, { name: "a" }, NOW);
      expect(await call(one, secret)).toBe("a");
      await revokeCredential(other, { kind: "token", id: record.id }, NOW);
      await one.close();
      expect(await other.list()).toMatchObject([{ revokedAt: NOW, lastUsedAt: NOW - MINUTE / 2 }]);
    });

    test("a client that only listens does not count as a use", async () => {
      const { one, other } = await two();
      const { secret } = await createToken(one, { name: "a" });
      expect((await verify(one, secret, "token")).name).toBe("a");
      await one.close();
      expect((await other.list())[0]?.lastUsedAt).toBeUndefined();
    });
  });

  describe("default token", () => {
    defaultTokenContract(two);
  });
}

/** Returns the name of the principal, or the code of the refusal. */
async function call(store: CredentialStore, secret: string, now = NOW): Promise<string> {
  try {
    return (await authenticate(store, secret, now)).name;
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

/** Returns the recorded events of credentials, in order. */
async function eventsOf(audited: TestedCredentials["audited"]): Promise<readonly unknown[]> {
  const lines = await audited();
  return lines.map(({ event }) => event).filter((event) => /^(?:key|token)\./.test(String(event)));
}
