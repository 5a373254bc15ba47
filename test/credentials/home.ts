import { execFile } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { onTestFinished } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import type { Keychain } from "../../src/credentials/keychain/data-key-keychain.ts";
import { openOrCreateStore, type StoreOptions } from "../../src/credentials/sealed/open-store.ts";
import type { SealedStore } from "../../src/credentials/sealed/sealed-store.ts";
import { bundledProgram } from "../helpers/bundled-program.ts";

export interface Home extends StoreOptions {
  readonly root: string;
  readonly database: string;
  readonly anchor: string;
  readonly key: string;
  /** Opens or creates the store; closed when the test ends. */
  readonly open: (options?: Partial<StoreOptions>) => Promise<SealedStore>;
}

/** Creates real directories for one store; removed when the test ends. */
export function tempHome(): Home {
  const root = mkdtempSync(join(tmpdir(), "svc-credentials-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const places = { directory: join(root, "store"), keyDirectory: join(root, "keys") };
  return {
    root,
    ...places,
    database: join(places.directory, "credentials.db"),
    anchor: join(places.keyDirectory, "credentials.anchor"),
    key: join(places.keyDirectory, "data.key"),
    async open(options) {
      const store = await openOrCreateStore({ ...places, ...options });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

/** Returns the error code of `work`, or `ok` when it succeeds; other errors are rethrown. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "ok";
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

/** Runs a script of fixtures/ in its own process and returns its output. */
export async function runFixture(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [fixturePath(name), ...args], {
    env,
  });
  return stdout;
}

/** Returns the path of a script of fixtures/, as a bundle: it starts in half the time. */
export function fixturePath(name: string): string {
  return bundledProgram(join(import.meta.dirname, "fixtures", name));
}

/** An in-memory keychain that works, forgets, or fails. */
export function memoryKeychain(behaviour: "works" | "forgets" | "fails" = "works"): Keychain & {
  readonly secrets: Map<string, string>;
} {
  const secrets = new Map<string, string>();
  const answer = <T>(value: T): Promise<T> =>
    behaviour === "fails" ? Promise.reject(new Error("it is locked")) : Promise.resolve(value);
  return {
    secrets,
    read: (account) => answer(secrets.get(account)),
    write: async (account, secret) => {
      await answer(undefined);
      if (behaviour === "works") secrets.set(account, secret);
    },
    remove: async (account) => {
      await answer(undefined);
      secrets.delete(account);
    },
  };
}

/** Creates a directory of another user: root's, or for root one whose owner was changed. */
export function foreignDirectory(inside: string): string {
  if (process.getuid?.() !== 0) return "/usr";
  const path = mkdtempSync(join(inside, "foreign-"));
  chownSync(path, 12_345, 12_345);
  return path;
}
