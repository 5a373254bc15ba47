import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { checkCredentials } from "../../src/doctor/check-credentials.ts";
import { runChecks } from "../../src/doctor/run-checks.ts";
import { openStore } from "../../src/credentials/sealed/open-store.ts";
import { patientWith } from "./patient.ts";

const here = patientWith();
const store = join(here.data, "credentials/credentials.db");
const keys = (): string =>
  join(here.config, readdirSync(here.config).find((name) => name.startsWith("keys-")) ?? "");

function edit(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

const failed = (check: string, what: RegExp): unknown => ({
  check,
  state: "failed",
  what: expect.stringMatching(what),
  mend: expect.any(String),
});

test("a store that is not a database is reported and not changed", async () => {
  const rubbish = "no database ".repeat(1000);
  writeFileSync(store, rubbish);
  expect(await here.complaints()).toEqual([failed("credentials", /cannot be read/)]);
  expect(readFileSync(store, "utf8")).toBe(rubbish);
});

test("a row that another program changed", async () => {
  edit(store, "DELETE FROM sealed WHERE kind = 'token'");
  expect(await here.complaints()).toEqual([
    failed("credentials", /changed by something other than svc/),
  ]);
});

test("a restored older copy of the store", async () => {
  copyFileSync(store, `${store}.copy`);
  await here.json("auth", "keys", "create", "--name", "later", "--namespace", "project");
  for (const end of ["-wal", "-shm"]) rmSync(store + end, { force: true });
  copyFileSync(`${store}.copy`, store);
  expect(await here.complaints()).toEqual([failed("credentials", /is an older copy/)]);
});

test("a deleted store", async () => {
  rmSync(store);
  expect(await here.complaints()).toEqual([failed("credentials", /is gone, but was here before/)]);
});

test("a missing key file", async () => {
  rmSync(here.keyFile);
  const [found, ...others] = await here.complaints();
  expect(others).toEqual([]);
  expect(found).toMatchObject({ check: "credentials", state: "failed" });
  expect(found?.what).toContain(`its key is in a key file (${here.keyFile})`);
  expect(found?.mend).toContain("back from a backup");
});

test("a wrong key", async () => {
  writeFileSync(here.keyFile, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
  expect(await here.complaints()).toEqual([failed("credentials", /key/)]);
});

test("a forged anchor", async () => {
  writeFileSync(join(keys(), "credentials.anchor"), `1 ${"0".repeat(64)}\n`, { mode: 0o600 });
  expect(await here.complaints()).toEqual([failed("credentials", /anchor/)]);
});

test("an expired default token, with a clock that is ahead", async () => {
  const opened = await openStore({
    directory: join(here.data, "credentials"),
    keyDirectory: keys(),
    keyFile: here.keyFile,
  });
  await opened?.time(Date.now() + 31 * 24 * 3_600_000);
  await opened?.write(() => undefined);
  await opened?.close();
  expect(await here.complaints()).toEqual([
    {
      check: "credentials",
      state: "warning",
      what: expect.stringContaining("which is in the future"),
      mend: expect.stringContaining("svc auth store reset-clock"),
    },
    failed("default token", /"laptop" expired at /),
  ]);
});

test("a default token that expires soon", async () => {
  await here.json("auth", "token", "create", "--name", "short", "--save", "--ttl", "6d");
  expect(await here.complaints()).toEqual([
    {
      check: "default token",
      state: "warning",
      what: expect.stringMatching(/^"short" is valid until /),
      mend: "Run `svc auth token renew`.",
    },
  ]);
  await here.json("auth", "token", "renew", "--ttl", "30d");
  expect(await here.complaints()).toEqual([]);
});

test("SERVICE_TOKEN is checked in addition, and its remedy has its id", async () => {
  const { out } = await here.svc("auth", "token", "create", "--name", "ci", "--ttl", "1d");
  const app = here.openApp("doctor");
  const settings = { ...app.settings, token: out.trim() };
  const context = { ...app, settings, isDeep: false, signal: new AbortController().signal };
  const findings = await runChecks(context, [checkCredentials]);
  await app.close();
  const about = findings.filter(({ check }) => /token/i.test(check));
  expect(about).toEqual([
    {
      check: "SERVICE_TOKEN",
      state: "warning",
      what: expect.stringMatching(/^"ci" is valid until /),
      mend: expect.stringMatching(/^Run `svc auth token renew tok_[0-9a-f]{16}`\.$/),
    },
    {
      check: "default token",
      state: "ok",
      what: expect.stringMatching(/^"laptop" is valid until /),
    },
  ]);
});

test("a truncated, altered or deleted audit log", async () => {
  const log = join(here.data, "audit/audit-000001.jsonl");
  const whole = readFileSync(log, "utf8");
  const lines = whole.trimEnd().split("\n");

  writeFileSync(log, `${lines.slice(0, -1).join("\n")}\n`);
  expect(await here.complaints()).toEqual([failed("audit log", /audit-000001\.jsonl: cut off/)]);

  writeFileSync(log, whole.replace('"event":"token.save"', '"event":"token.sage"'));
  expect(readFileSync(log, "utf8")).not.toBe(whole);
  expect(await here.complaints()).toEqual([failed("audit log", /line \d+: altered/)]);
  expect(await here.complaints("--deep")).toEqual([failed("audit log", /line \d+: altered/)]);

  rmSync(log);
  expect(await here.complaints()).toEqual([failed("audit log", /missing|gone/)]);

  writeFileSync(log, whole, { mode: 0o600 });
  expect(await here.complaints("--deep")).toEqual([]);
  rmSync(join(keys(), "audit.head"));
  expect(await here.complaints()).toEqual([
    failed("credentials", /^The audit log is gone or its head was altered/),
    failed("audit log", /audit\.head: altered/),
  ]);
});

test("a folder at the path of the store", async () => {
  rmSync(store);
  mkdirSync(store, { mode: 0o700 });
  expect(await here.complaints()).toEqual([failed("credentials", /not a plain file/)]);
});
