import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { KeyTarget } from "../../src/credentials/keychain/data-key.ts";
import { migrateStore } from "../../src/credentials/sealed/migrate.ts";
import {
  openOrCreateStore,
  openStore,
  type StoreOptions,
} from "../../src/credentials/sealed/open-store.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { folderKeychain } from "./fixtures/folder-keychain.ts";
import { codeOf, fixturePath, runFixture, tempHome } from "./home.ts";

const LIMIT_MS = 300_000;

function optionsOf(root: string): StoreOptions {
  const places = { directory: join(root, "store"), keyDirectory: join(root, "keys") };
  return { ...places, keychain: folderKeychain(root) };
}

/** Creates a store whose key is in this place, to be copied for each kill. */
async function template(kind: "file" | "keychain"): Promise<{ root: string; auditKey: string }> {
  const { root } = tempHome();
  const { keychain, ...places } = optionsOf(root);
  const store = await openOrCreateStore(kind === "file" ? places : { ...places, keychain });
  for (const name of ["one", "two"]) await createToken(store, { name });
  const auditKey = store.auditKey.toString("hex");
  await store.close();
  return { root, auditKey };
}

/**
 * Returns the state after a kill: how the store opens, accepts a change, and completes its migration in a second
 * attempt.
 */
async function aftermath(root: string, target: KeyTarget): Promise<readonly unknown[]> {
  const options = optionsOf(root);
  const state = await namesAndKey(options, (store) => createToken(store, { name: "after" }));
  if (state.at(-1) !== target.kind) await migrateStore(options, target);
  return [...state.slice(0, 2), ...(await namesAndKey(options))];
}

async function namesAndKey(
  options: StoreOptions,
  work: (store: NonNullable<Awaited<ReturnType<typeof openStore>>>) => unknown = () => undefined,
): Promise<readonly unknown[]> {
  const store = await openStore(options);
  if (store === undefined) return ["no store"];
  try {
    await work(store);
    const names = (await store.list()).map(({ name }) => name);
    return [names.toSorted().join(" "), store.auditKey.toString("hex"), store.keySource];
  } finally {
    await store.close();
  }
}

function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "svc-killed-"));
  cpSync(root, copy, { recursive: true });
  return copy;
}

async function dies(args: readonly string[], afterMs?: number): Promise<boolean> {
  const child = spawn(process.execPath, [fixturePath("migrate.ts"), ...args], { stdio: "ignore" });
  const timer =
    afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), afterMs);
  const [, signal]: unknown[] = await once(child, "exit");
  clearTimeout(timer);
  return signal === "SIGKILL";
}

test.each<["file" | "keychain", KeyTarget]>([
  ["file", { kind: "keychain" }],
  ["keychain", { kind: "file" }],
])(
  "a migration from %s killed before any of its steps leaves a store that opens",
  { timeout: LIMIT_MS },
  async (from, target) => {
    const { root, auditKey } = await template(from);
    const words = JSON.stringify(target);
    const whole = copyOf(root);
    const steps = Number(await runFixture("migrate.ts", [whole, words]));
    expect(steps).toBeGreaterThan(20);
    rmSync(whole, { recursive: true });
    for (let step = 1; step <= steps; step += 1) {
      const copy = copyOf(root);
      expect(await dies([copy, words, String(step)])).toBe(true);
      const names = "after one two";
      const expected = [names, auditKey, names, auditKey, target.kind];
      expect([step, ...(await aftermath(copy, target))]).toEqual([step, ...expected]);
      expect(readFileSync(join(copy, "keys/credentials.anchor"), "utf8")).toMatch(/^.+\n$/);
      rmSync(copy, { recursive: true });
    }
  },
);

test(
  "a migration killed at any time leaves a store that opens",
  { timeout: LIMIT_MS },
  async () => {
    const { root, auditKey } = await template("file");
    const path = join(tempHome().root, "new.key");
    const target = { kind: "file", path } as const;
    const started = performance.now();
    const whole = copyOf(root);
    await dies([whole, JSON.stringify(target)]);
    const wholeMs = performance.now() - started;
    rmSync(whole, { recursive: true });
    for (let round = 1; round <= 20; round += 1) {
      rmSync(path, { force: true });
      const copy = copyOf(root);
      await dies([copy, JSON.stringify(target)], wholeMs * (0.5 + round / 40));
      const [names, key] = await namesAndKey(optionsOf(copy));
      expect([names, key]).toEqual(["one two", auditKey]);
      // Refused if the first attempt completed: the key is in that file already.
      const second = await codeOf(() => migrateStore(optionsOf(copy), target));
      expect(["ok", "USAGE"]).toContain(second);
      expect((await namesAndKey(optionsOf(copy)))[0]).toBe("one two");
      rmSync(copy, { recursive: true });
    }
  },
);
