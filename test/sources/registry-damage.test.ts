// Flips bits of registry.db and truncates it: a read returns the original state or throws INDEX_CORRUPT.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { listMonitors, MonitorStore } from "../../src/sources/monitors.ts";
import { Registry } from "../../src/sources/registry.ts";
import { promise, sized } from "../trust/promise.ts";
import { tree } from "../helpers/tree.ts";

interface Sample {
  readonly data: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly state: string;
}

/** A registry with rows in each table, and with sources next to each other. */
function sample(): Sample {
  const { path, dispose } = tree({ "ca/": "", "cb/": "", "cc/": "" });
  onTestFinished(dispose);
  const data = join(path, "data");
  const registry = new Registry(data);
  for (const name of ["ca", "cb", "cc"]) registry.ensureWorkspace(join(path, name));
  registry.addSource("ca", { root: join(path, "cb"), include: ["*.ts"], exclude: ["gen/"] });
  registry.setLastRun("ca", { startedBy: "index", problem: "none", warnings: ["slow"] });
  registry.removeNamespace("cc");
  const monitors = new MonitorStore(data);
  monitors.add({ namespace: "ca", owner: "local", name: "m", kind: "path", question: "*.ts" });
  monitors.close();
  registry.close();
  mkdirSync(join(data, "namespaces", "ca"), { recursive: true });
  const file = join(data, "registry.db");
  return { data, file, bytes: readFileSync(file), state: stateOf(data, "use") };
}

function stateOf(data: string, access: "use" | "look"): string {
  const registry = new Registry(data, access);
  try {
    const all = registry.namespaces().map((name) => ({
      name,
      createdAt: registry.createdAt(name),
      sources: registry.sources(name),
      lastRun: registry.lastRun(name),
      monitors: access === "use" ? listMonitors(data, name) : [],
    }));
    return JSON.stringify([all, registry.pendingDeletions()]);
  } finally {
    registry.close();
  }
}

/** Reads a registry with these bytes; returns "right" for the original state, or the error code. */
function verdict({ data, file, state }: Sample, bytes: Uint8Array, access: "use" | "look"): string {
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  writeFileSync(file, bytes);
  try {
    const found = stateOf(data, access);
    const wanted =
      access === "use" ? state : state.replace(/"monitors":\[\{.*?\}\]/, '"monitors":[]');
    return found === wanted ? "right" : `WRONG ${found}`;
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) return `UNKNOWN ${String(thrown)}`;
    return thrown.hint === undefined ? `NO REMEDY ${thrown.code}` : thrown.code;
  }
}

promise(
  [46],
  "a registry of which a bit has flipped is read as it was, or reported as damaged",
  () => {
    const made = sample();
    const bits = made.bytes.length * 8;
    const cases = sized({ quick: 1500, full: 30_000 });
    const verdicts = new Map<string, number>();
    for (let at = 0; at < cases; at += 1) {
      // The header and the schema are small, and each of their bits counts.
      const bit = at < 800 ? at : Math.floor((at * bits) / cases);
      const bytes = Buffer.from(made.bytes);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const found = verdict(made, bytes, at % 2 === 0 ? "use" : "look");
      verdicts.set(found, (verdicts.get(found) ?? 0) + 1);
    }
    expect([...verdicts.keys()].toSorted()).toEqual(["INDEX_CORRUPT", "right"]);
    return cases;
  },
);

promise([46], "a registry that was cut, at any length, is reported as damaged", () => {
  const made = sample();
  const cases = sized({ quick: 100, full: 2000 });
  for (let at = 0; at < cases; at += 1) {
    const length = Math.floor((at * made.bytes.length) / cases);
    for (const access of ["use", "look"] as const) {
      const found = verdict(made, made.bytes.subarray(0, length), access);
      expect([length, access, found]).toEqual([length, access, "INDEX_CORRUPT"]);
    }
  }
  return 2 * cases;
});

test("writes of an older svc are rejected, and its deletions are counted", () => {
  const made = sample();
  const older = new DatabaseSync(made.file);
  older.exec("PRAGMA foreign_keys = ON");
  for (const sql of [
    "UPDATE source SET fetched_at = 'now'",
    "INSERT INTO leftover (kind, name, noted_at) VALUES ('clone', '/x', 1)",
  ]) {
    expect(() => older.exec(sql)).toThrow("a newer svc keeps this list");
  }
  expect(stateOf(made.data, "use")).toBe(made.state);
  older.exec("DELETE FROM namespace WHERE name = 'cb'");
  older.close();
  expect(stateOf(made.data, "use")).not.toContain('"name":"cb"');
});

test("a registry of the previous version is readable, and gets checksums when it is opened for use", () => {
  const made = sample();
  const older = new DatabaseSync(made.file);
  const triggers = older.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) older.exec(`DROP TRIGGER ${String(name)}`);
  for (const table of ["namespace", "source", "leftover", "last_run"]) {
    older.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
  }
  older.exec(
    "DROP TABLE tally; DROP TABLE monitor; ALTER TABLE source DROP COLUMN identity; ALTER TABLE source DROP COLUMN outside_git; PRAGMA user_version = 2",
  );
  older.close();
  const before = stateOf(made.data, "look");
  expect(before).toContain('"name":"ca"');
  const state = stateOf(made.data, "use");
  const withoutMonitors = made.state.replace(/"monitors":\[\{.*?\}\]/, '"monitors":[]');
  expect(state).toBe(withoutMonitors);
  expect(verdict({ ...made, state }, damagedRoot(readFileSync(made.file)), "use")).toBe(
    "INDEX_CORRUPT",
  );
});

test("a changed letter in the path of a root is reported as damage", () => {
  const made = sample();
  expect(verdict(made, damagedRoot(made.bytes), "use")).toBe("INDEX_CORRUPT");
});

/** Replaces `/ca` by `/cb` everywhere. */
function damagedRoot(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("/ca", "/cb"), "latin1");
}
