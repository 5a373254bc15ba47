import { describe, expect, onTestFinished, test } from "vitest";

import { createToken } from "../../src/credentials/access-tokens.ts";
import type { CallEvent } from "../../src/credentials/audit-event.ts";
import type { AuditReader, AuditWriter } from "../../src/credentials/audit/port.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";
import { codeOf } from "../credentials/home.ts";

interface TestedAudit {
  /** Opens the same log for writing, as another process does. */
  readonly open: (options?: { readonly withQueries?: boolean }) => AuditWriter;
  readonly reader: AuditReader;
  /** Makes every write fail until the returned function is called. */
  readonly block: () => (() => unknown) | Promise<() => unknown>;
  /** Replaces the stored lines without the log. */
  readonly tamper: (change: (lines: readonly string[]) => readonly string[]) => unknown;
}

type Line = Readonly<Record<string, unknown>>;

/** What every audit log promises (src/credentials/audit/port.ts). */
export function auditContract(make: () => TestedAudit): void {
  const begun = (): TestedAudit & { readonly log: AuditWriter; readonly other: AuditWriter } => {
    const made = make();
    const open: TestedAudit["open"] = (options) => {
      const writer = made.open(options);
      onTestFinished(writer.close);
      return writer;
    };
    return { ...made, open, log: open(), other: open() };
  };

  describe("writing", () => {
    test("a log in which nothing was recorded has no lines, and nothing to verify", async () => {
      const { reader } = begun();
      expect([await reader.tail(10), await reader.verify()]).toEqual([undefined, undefined]);
    });

    test("the events of a change are in the log, in their order, when they are appended", async () => {
      const { log, reader } = begun();
      await log.append([
        { event: "key.create", credential: "key_1", details: { namespace: "docs" } },
        { event: "store.accept" },
      ]);
      const common = { principal: "local", outcome: "ok", time: expect.stringMatching(/Z$/) };
      expect(await linesOf(reader)).toMatchObject([
        { ...common, event: "key.create", credential: "key_1", details: { namespace: "docs" } },
        { ...common, event: "store.accept", credential: null },
      ]);
    });

    test("a call is one line with its facts", async () => {
      const { log, reader } = begun();
      log.recordCall(call({ request: "r1", byok: true }), Date.parse("2030-01-01T00:00:00Z"));
      await log.close();
      expect(await linesOf(reader)).toEqual([
        {
          seq: expect.any(Number),
          time: "2030-01-01T00:00:00.000Z",
          event: "call",
          request: "r1",
          principal: "tok_0011223344556677",
          byok: true,
          tool: "search_context",
          namespace: "project",
          outcome: "ok",
          ms: 12,
          items: 2,
          characters: 300,
          mac: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ]);
    });

    test("lines of all writers have one sequence of numbers, and those of one keep their order", async () => {
      const { log, other, reader } = begun();
      for (let at = 0; at < 20; at += 1) {
        const writer = at % 3 === 0 ? other : log;
        if (at % 2 === 0) await writer.append([{ event: "token.create", credential: `tok_${at}` }]);
        else writer.recordCall(call({ request: at }));
        if (at % 5 === 0) writer.committed(at);
      }
      await Promise.all([log.close(), other.close()]);
      const lines = await allLines(reader);
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1));
      const requests = lines.flatMap(({ request }) =>
        typeof request === "number" ? [request] : [],
      );
      const ofOther = requests.filter((at) => at % 3 === 0);
      expect(ofOther).toEqual([3, 9, 15]);
      expect(requests.filter((at) => at % 3 !== 0)).toEqual([1, 5, 7, 11, 13, 17, 19]);
      const created = lines.filter(({ event }) => event === "token.create");
      expect(created.map(({ credential }) => credential)).toEqual(
        Array.from({ length: 10 }, (_, at) => `tok_${at * 2}`),
      );
      const commits = lines.filter(({ event }) => event === "store.commit");
      expect(commits.map(({ generation }) => generation).toSorted(byNumber)).toEqual([
        0, 5, 10, 15,
      ]);
      expect(await reader.verify()).toMatchObject({ damage: undefined, calls: 10 });
    });

    test("calls that wait are written before the events that follow them", async () => {
      const { log, reader } = begun();
      log.recordCall(call({ request: 1 }));
      await log.append([{ event: "token.create" }]);
      log.recordCall(call({ request: 2 }));
      await log.close();
      expect((await linesOf(reader)).map(({ event, request = null }) => [event, request])).toEqual([
        ["call", 1],
        ["token.create", null],
        ["call", 2],
      ]);
    });

    test("a log that is opened again continues its numbers", async () => {
      const { log, open, reader } = begun();
      await log.append([{ event: "token.create" }]);
      await log.close();
      const next = open();
      await next.append([{ event: "token.revoke" }]);
      const lines = await allLines(reader);
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1));
      expect(await reader.verify()).toMatchObject({ damage: undefined, last: lines.length });
    });

    test("events that cannot be written are refused, and calls wait", async () => {
      const { log, reader, block } = begun();
      await log.append([{ event: "token.create" }]);
      const unblock = await block();
      expect(await codeOf(() => log.append([{ event: "token.revoke" }]))).toMatch(
        /^(?:CREDENTIAL_STORE|STORAGE_FULL|BACKEND_UNAVAILABLE)$/,
      );
      log.recordCall(call({ request: 7 }));
      log.committed(3);
      await unblock();
      expect((await linesOf(reader)).map(({ event }) => event)).toEqual(["token.create"]);
      await log.append([{ event: "token.save" }]);
      const events = (await linesOf(reader)).map(({ event }) => event);
      expect(events).toEqual(["token.create", "call", "store.commit", "token.save"]);
      expect(await reader.verify()).toMatchObject({ damage: undefined, calls: 1 });
    });

    test("a change of credentials that cannot be recorded is not made", async () => {
      const { log, block, reader } = begun();
      const store = new MemoryCredentialStore(undefined, { audit: log });
      const unblock = await block();
      const create = () => createToken(store, { name: "ci" });
      expect(await codeOf(create)).not.toBe("ok");
      expect(await store.list()).toEqual([]);
      await unblock();
      expect(await codeOf(create)).toBe("ok");
      await log.close();
      expect((await linesOf(reader)).map(({ event }) => event)).toEqual([
        "token.create",
        "store.commit",
      ]);
    });
  });

  describe("privacy", () => {
    test("equal queries can be recognised without their text", async () => {
      const { log, reader } = begun();
      for (const query of ["canary lamp", "canary lamp", "canary lamps"]) {
        log.recordCall(call({ query }));
      }
      await log.close();
      const lines = await linesOf(reader);
      expect(lines.map(({ query_length: length }) => length)).toEqual([11, 11, 12]);
      const [first, second, third] = lines.map(({ query_hmac: hmac }) => hmac);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect([second === first, third === first]).toEqual([true, false]);
      expect(JSON.stringify(lines)).not.toContain("canary");
    });

    test("the text of queries is recorded only on request, without secrets", async () => {
      const { open, reader } = begun();
      const log = open({ withQueries: true });
      log.recordCall(call({ query: "where is svt_000000000000000000000000000000000Byi4J used" }));
      await log.close();
      const [line] = await linesOf(reader);
      expect(line?.["query"]).toMatch(/^where is .* used$/);
      expect(JSON.stringify(line)).not.toContain("000000000000");
    });

    test("secrets in names and details are removed", async () => {
      const { log, reader } = begun();
      const secret = "svk_000000000000000000000000000000000sJerT";
      log.recordCall(call({ tool: secret, namespace: secret, request: secret }));
      await log.append([{ event: "token.revoke", details: { reason: `lost ${secret}` } }]);
      expect(JSON.stringify(await linesOf(reader))).not.toContain(secret.slice(4));
    });
  });

  describe("reading", () => {
    test("the tail has the last lines, as JSON text", async () => {
      const { log, reader } = begun();
      for (const credential of ["a", "b", "c"]) {
        await log.append([{ event: "token.create", credential }]);
      }
      const ids = async (count: number): Promise<unknown[]> =>
        ((await reader.tail(count))?.lines ?? []).map((text) => JSON.parse(text).credential);
      expect([await ids(0), await ids(1), await ids(2)]).toEqual([[], ["c"], ["b", "c"]]);
      expect((await ids(Infinity)).slice(-3)).toEqual(["a", "b", "c"]);
    });

    test("a reader follows the lines of every writer, each once", async () => {
      const { log, other, reader } = begun();
      await log.append([{ event: "token.create", credential: "a" }]);
      let { next } = (await reader.tail(0)) ?? { next: { part: 0, offset: 0 } };
      expect(await reader.since(next)).toEqual({ lines: [], next });
      const seen: unknown[] = [];
      for (const [at, writer] of [log, other, log, other].entries()) {
        await writer.append([{ event: "token.create", credential: `b${at}` }]);
        const tail = await reader.since(next);
        seen.push(tail.lines.map((text) => JSON.parse(text).credential));
        ({ next } = tail);
      }
      expect(seen).toEqual([["b0"], ["b1"], ["b2"], ["b3"]]);
    });
  });

  describe("verification", () => {
    test("lines that are written while the log is verified are no damage", async () => {
      const { log, other, reader } = begun();
      await log.append([{ event: "store.accept" }]);
      for (let round = 0; round < 10; round += 1) {
        const events = Array.from({ length: 20 }, () => ({ event: "store.accept" }) as const);
        const writes = events.map((event, at) => (at % 2 === 0 ? log : other).append([event]));
        // oxlint-disable-next-line no-await-in-loop -- each round verifies a longer log
        const [result] = await Promise.all([reader.verify(), ...writes]);
        expect(result?.damage).toBeUndefined();
      }
    });

    test("an unaltered log verifies, and its lines are counted", async () => {
      const { log, reader } = begun();
      for (let at = 0; at < 5; at += 1) log.recordCall(call({ request: at }));
      await log.append([{ event: "token.create" }]);
      const lines = await allLines(reader);
      const counts = { lines: lines.length, calls: 5, events: lines.length - 5 };
      for (const isQuick of [false, true]) {
        expect(await reader.verify({ isQuick })).toEqual({
          ...counts,
          parts: 1,
          unread: 0,
          first: 1,
          last: lines.length,
          notes: [],
          damage: undefined,
        });
      }
    });

    // The number of lines between the first wrong line and the original end of the log.
    test.each<[string, (lines: readonly string[]) => readonly string[], number | undefined]>([
      [
        "altered",
        (all) => all.toSpliced(-3, 1, (all.at(-3) ?? "").replace('"items":2', '"items":3')),
        2,
      ],
      ["dropped", (all) => all.toSpliced(-3, 1), 2],
      ["repeated", (all) => all.toSpliced(-2, 0, all.at(-3) ?? ""), 1],
      ["moved", (all) => all.toSpliced(-3, 2, all.at(-2) ?? "", all.at(-3) ?? ""), 2],
      ["cut off", (all) => all.slice(0, -1), undefined],
    ])("a line that was %s is found", async (_, change, distance) => {
      const { log, reader, tamper } = begun();
      for (let at = 0; at < 10; at += 1) log.recordCall(call({ request: at }));
      await log.close();
      const { length } = await allLines(reader);
      await tamper(change);
      const result = await reader.verify();
      expect(result?.damage?.line).toBe(distance === undefined ? undefined : length - distance);
      expect(result?.damage?.detail).toMatch(/./);
      expect(result?.lines).toBe(length - (distance ?? 0) - 1);
    });
  });
}

function byNumber(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}

/** Returns all lines, parsed. */
async function allLines(reader: AuditReader): Promise<readonly Line[]> {
  const tail = await reader.tail(Infinity);
  return (tail?.lines ?? []).map((text): Line => JSON.parse(text));
}

/** Returns all lines except those that a backend adds for itself. */
async function linesOf(reader: AuditReader): Promise<readonly Line[]> {
  const lines = await allLines(reader);
  return lines.filter(({ event }) => !String(event).startsWith("log."));
}

function call(more: Partial<CallEvent> = {}): CallEvent {
  return {
    principal: "tok_0011223344556677",
    tool: "search_context",
    namespace: "project",
    outcome: "ok",
    ms: 12.3,
    items: 2,
    characters: 300,
    request: 1,
    ...more,
  };
}
