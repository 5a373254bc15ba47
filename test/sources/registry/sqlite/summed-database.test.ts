// Flips bits of registry.db and truncates it: a read returns the original state or throws INDEX_CORRUPT.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../../../src/base/errors.ts";
import { addMonitor } from "../../../../src/sources/registry/monitors.ts";
import { promise, sized } from "../../../trust/promise.ts";
import { openRegistry } from "../../../helpers/open-registry.ts";
import { tree } from "../../../helpers/tree.ts";

interface Sample {
  readonly data: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly state: string;
}

/** A registry with rows in each table, and with sources next to each other. */
async function sample(): Promise<Sample> {
  const { path, dispose } = tree({ "ca/": "", "cb/": "", "cc/": "" });
  onTestFinished(dispose);
  const data = join(path, "data");
  const registry = openRegistry(data);
  for (const name of ["ca", "cb", "cc"]) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await registry.ensureWorkspace(join(path, name));
  }
  const globs = { include: ["*.ts"], exclude: ["gen/"] };
  await registry.addSource("ca", { root: join(path, "cb"), ...globs });
  await registry.setLastRun("ca", { startedBy: "index", problem: "none", warnings: ["slow"] });
  await registry.removeNamespace("cc");
  const monitor = { namespace: "ca", owner: "local", name: "m", kind: "path" } as const;
  await addMonitor(registry, { ...monitor, question: "*.ts" });
  registry.close();
  mkdirSync(join(data, "namespaces", "ca"), { recursive: true });
  const file = join(data, "registry.db");
  return { data, file, bytes: readFileSync(file), state: await stateOf(data, "use") };
}

async function stateOf(data: string, access: "use" | "look"): Promise<string> {
  const registry = openRegistry(data, access);
  try {
    const {
      nextSourceId: _source,
      nextMonitorId: _monitor,
      ...records
    } = (await registry.state()).records;
    return JSON.stringify(records);
  } finally {
    registry.close();
  }
}

/** Reads a registry with these bytes; returns "right" for the original state, or the error code. */
async function verdict(
  { data, file, state }: Sample,
  bytes: Uint8Array,
  access: "use" | "look",
): Promise<string> {
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  writeFileSync(file, bytes);
  try {
    const found = await stateOf(data, access);
    return found === state ? "right" : `WRONG ${found}`;
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) return `UNKNOWN ${String(thrown)}`;
    return thrown.hint === undefined ? `NO REMEDY ${thrown.code}` : thrown.code;
  }
}

promise(
  [46],
  "a registry of which a bit has flipped is read as it was, or reported as damaged",
  async () => {
    const original = await sample();
    const bits = original.bytes.length * 8;
    const cases = sized({ quick: 1500, full: 30_000 });
    const verdicts = new Map<string, number>();
    for (let at = 0; at < cases; at += 1) {
      // The header and the schema are small, and each of their bits counts.
      const bit = at < 800 ? at : Math.floor((at * bits) / cases);
      const bytes = Buffer.from(original.bytes);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // oxlint-disable-next-line no-await-in-loop -- one file
      const found = await verdict(original, bytes, at % 2 === 0 ? "use" : "look");
      verdicts.set(found, (verdicts.get(found) ?? 0) + 1);
    }
    expect([...verdicts.keys()].toSorted()).toEqual(["INDEX_CORRUPT", "right"]);
    return cases;
  },
);

promise([46], "a registry that was cut, at any length, is reported as damaged", async () => {
  const original = await sample();
  const cases = sized({ quick: 100, full: 2000 });
  for (let at = 0; at < cases; at += 1) {
    const length = Math.floor((at * original.bytes.length) / cases);
    for (const access of ["use", "look"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one file
      const found = await verdict(original, original.bytes.subarray(0, length), access);
      expect([length, access, found]).toEqual([length, access, "INDEX_CORRUPT"]);
    }
  }
  return 2 * cases;
});

test("writes of an older svc are rejected, and its deletions are counted", async () => {
  const original = await sample();
  const older = new DatabaseSync(original.file);
  older.exec("PRAGMA foreign_keys = ON");
  for (const sql of [
    "UPDATE source SET fetched_at = 'now'",
    "INSERT INTO leftover (kind, name, noted_at) VALUES ('clone', '/x', 1)",
  ]) {
    expect(() => older.exec(sql)).toThrow("a newer svc keeps this list");
  }
  expect(await stateOf(original.data, "use")).toBe(original.state);
  older.exec("DELETE FROM namespace WHERE name = 'cb'");
  older.close();
  expect(await stateOf(original.data, "use")).not.toContain('"name":"cb"');
});

test("a registry of the previous version is readable, and gets checksums when it is opened for use", async () => {
  const original = await sample();
  const older = new DatabaseSync(original.file);
  const triggers = older.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) older.exec(`DROP TRIGGER ${String(name)}`);
  for (const table of ["namespace", "source", "leftover", "last_run"]) {
    older.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
  }
  older.exec(
    "DROP TABLE tally; DROP TABLE monitor; ALTER TABLE source DROP COLUMN identity; ALTER TABLE source DROP COLUMN outside_git; PRAGMA user_version = 2",
  );
  older.close();
  const before = await stateOf(original.data, "look");
  expect(before).toContain('"name":"ca"');
  const state = await stateOf(original.data, "use");
  const withoutMonitors = original.state.replace(/"monitors":\[\{.*?\}\]/, '"monitors":[]');
  expect(state).toBe(withoutMonitors);
  expect(
    await verdict({ ...original, state }, damagedRoot(readFileSync(original.file)), "use"),
  ).toBe("INDEX_CORRUPT");
});

test("a changed letter in the path of a root is reported as damage", async () => {
  const original = await sample();
  expect(await verdict(original, damagedRoot(original.bytes), "use")).toBe("INDEX_CORRUPT");
});

/** Replaces `/ca` by `/cb` everywhere. */
function damagedRoot(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("/ca", "/cb"), "latin1");
}
