import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { AuditLock } from "../../../../src/credentials/audit/local/lock.ts";
import { codeOf } from "../../home.ts";
import { call, tempLog, type TempLog, writtenLog } from "./temp-log.ts";

const QUERY = "where is the canary kept?";

test("a call is one line, without the text of its query", async () => {
  const place = tempLog();
  const log = place.open();
  log.recordCall(call({ query: QUERY, request: "r-1" }), Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  await log.close();
  expect(place.lines()[1]).toEqual({
    seq: 2,
    time: "2026-01-02T03:04:05.006Z",
    event: "call",
    request: "r-1",
    principal: "tok_0011223344556677",
    tool: "search_context",
    namespace: "project",
    outcome: "ok",
    ms: 12,
    items: 2,
    characters: 300,
    query_length: QUERY.length,
    query_hmac: expect.stringMatching(/^[0-9a-f]{32}$/),
    mac: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(readFileSync(place.files()[0] ?? "", "utf8")).not.toContain("canary");
});

test("only a call with a provider key is marked as such", async () => {
  const place = tempLog();
  const log = place.open();
  for (const more of [{ byok: true, principal: "byok" } as const, {}]) log.recordCall(call(more));
  await log.close();
  expect(place.lines().slice(1)).toEqual([
    expect.objectContaining({ byok: true, principal: "byok" }),
    expect.not.objectContaining({ byok: expect.anything() }),
  ]);
});

test("equal queries have equal HMACs, others differ", async () => {
  const place = tempLog();
  const log = place.open();
  for (const query of [QUERY, QUERY, `${QUERY} `]) log.recordCall(call({ query }));
  await log.close();
  const [one, two, three] = place.lines().flatMap(({ query_hmac: mac }) => mac ?? []);
  expect(two).toBe(one);
  expect(three).not.toBe(one);
});

test("the text of queries is recorded only on opt-in, without secrets", async () => {
  const place = tempLog();
  // A letter that no MAC has, which is in hexadecimal.
  const secret = `svt_${"k".repeat(38)}`;
  const log = place.open({ withQueries: true });
  log.recordCall(
    call({ query: `${QUERY} ${secret}`, tool: secret, request: secret, namespace: secret }),
  );
  await log.close();
  expect(place.lines()[1]).toMatchObject({ query: `${QUERY} [redacted]`, tool: "[redacted]" });
  expect(readFileSync(place.files()[0] ?? "", "utf8")).not.toContain("kkkk");
});

test("an event of the store is one line", () => {
  const place = tempLog();
  place.open().recordEvent([{ event: "store.create", details: { key: "file" } }]);
  expect(place.lines()[1]).toMatchObject({
    seq: 2,
    event: "store.create",
    principal: "local",
    credential: null,
    details: { key: "file" },
  });
});

test("nothing is opened before the first line, and a call is written in a later turn", async () => {
  const place = tempLog();
  const log = place.open();
  expect(statSync(place.directory, { throwIfNoEntry: false })).toBeUndefined();
  log.recordCall(call());
  expect(statSync(place.directory, { throwIfNoEntry: false })).toBeUndefined();
  await nextTurn();
  expect(place.verify()).toMatchObject({ calls: 1 });
});

test("files are 0600 in a directory that is 0700", async () => {
  const place = await writtenLog(1);
  const modes = [
    place.directory,
    ...place.files(),
    place.head,
    join(place.keyDirectory, "audit.lock"),
  ];
  expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
    "700",
    "600",
    "600",
    "600",
  ]);
});

/** Returns the outcome of an event and of a call. */
async function outcomeOf(place: TempLog): Promise<{ code: string; warnings: number }> {
  const log = place.open();
  const code = await codeOf(() => log.recordEvent([{ event: "token.revoke" }]));
  log.recordCall(call());
  log.flush();
  log.recordCall(call());
  log.flush();
  return { code, warnings: place.warnings.length };
}

const REFUSED = { code: "CREDENTIAL_STORE", warnings: 1 };

test("a log behind a symbolic link is refused: events fail, calls continue with one warning", async () => {
  for (const target of ["directory", "head", "file"] as const) {
    const place = tempLog();
    const elsewhere = join(place.root, "elsewhere");
    for (const path of [elsewhere, place.keyDirectory]) mkdirSync(path, { mode: 0o700 });
    if (target === "directory") symlinkSync(elsewhere, place.directory);
    if (target === "head") symlinkSync(join(elsewhere, "head"), place.head);
    if (target === "file") {
      mkdirSync(place.directory, { mode: 0o700 });
      symlinkSync(join(elsewhere, "log"), join(place.directory, "audit-000001.jsonl"));
    }
    expect(await outcomeOf(place)).toEqual(REFUSED);
  }
});

test("a file that others can read is refused", async () => {
  const place = await writtenLog(1);
  chmodSync(place.files()[0] ?? "", 0o644);
  expect(await outcomeOf(place)).toEqual(REFUSED);
});

test("where nothing can be written events fail with the reason, and calls continue with one warning", async () => {
  const place = tempLog();
  writeFileSync(place.directory, "in the way");
  expect(await outcomeOf(place)).toEqual(REFUSED);
  expect(place.warnings[0]).toMatchObject({
    message: "CALLS ARE NOT AUDITED: the audit log cannot be written",
    fields: { error: expect.any(Error) },
  });
});

test("calls wait while another process holds the log; a long wait is logged", async () => {
  const place = await writtenLog(1);
  const log = place.open();
  const other = new AuditLock(join(place.keyDirectory, "audit.lock"));
  other.hold(0, () => {
    log.recordCall(call({ request: 7 }));
    for (let attempt = 1; attempt < 5; attempt += 1) log.flush();
    expect(place.warnings).toEqual([]);
  });
  log.flush();
  expect(place.lines().at(-1)).toMatchObject({ event: "call", request: 7 });
  other.hold(0, () => {
    log.recordCall(call({ request: 8 }));
    for (let attempt = 1; attempt <= 6; attempt += 1) log.flush();
    expect(place.warnings).toMatchObject([
      { message: "CALLS ARE NOT AUDITED: the audit log cannot be written" },
    ]);
  });
  log.flush();
  expect(place.lines().at(-1)).toMatchObject({ event: "call", request: 8 });
  other.close();
});

test("a log at its size limit stays intact, and continues once there is room", async () => {
  const place = tempLog();
  const fixture = join(import.meta.dirname, "fixtures", "append-until-full.ts");
  const limited = `ulimit -f 16 && exec "${process.execPath}" "${fixture}" "${place.root}"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", limited]);
  expect(JSON.parse(stdout)).toEqual({
    warnings: ["CALLS ARE NOT AUDITED: the audit log cannot be written"],
    code: "STORAGE_FULL",
  });
  const before = place.verify();
  expect(before).toMatchObject({ damage: undefined, notes: [] });
  expect(before?.calls).toBeGreaterThan(10);
  const log = place.open();
  log.recordEvent([{ event: "token.create" }]);
  await log.close();
  expect(place.verify()).toMatchObject({ damage: undefined, calls: before?.calls });
}, 20_000);

test("calls wait for a log that cannot be written; dropped calls are counted", () => {
  const place = tempLog();
  writeFileSync(place.directory, "in the way");
  const log = place.open();
  for (let at = 0; at < 10_003; at += 1) log.recordCall(call({ request: at }));
  log.flush();
  rmSync(place.directory);
  log.flush();
  const lines = place.lines();
  expect(lines.slice(0, 3)).toMatchObject([
    { event: "log.file" },
    { event: "log.lost", lines: 3 },
    { event: "call", request: 3 },
  ]);
  expect(place.verify()).toMatchObject({
    damage: undefined,
    calls: 10_000,
    notes: [expect.stringContaining("3 calls were not recorded")],
  });
});
