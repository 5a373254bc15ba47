// A store as files: saved, damaged, restored and compared.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../../../src/base/errors.ts";
import { openOrCreateStore } from "../../../src/credentials/sealed/open-store.ts";
import { createToken, saveDefaultToken } from "../../../src/credentials/access-tokens.ts";
import { memoryHome } from "./programs.ts";

/** Bytes by path below the root of a home. */
export type Files = ReadonlyMap<string, Buffer>;

export const DATABASE = "store/credentials.db";
export const LOG = "store/credentials.db-wal";
export const ANCHOR = "keys/credentials.anchor";
export const KEY = "keys/data.key";

/** Returns the files of a store without SQLite's shared memory, which is rebuilt from the others. */
export function filesOf(root: string): Files {
  const paths = ["store", "keys"].flatMap((name) =>
    readdirSync(join(root, name)).map((file) => `${name}/${file}`),
  );
  return new Map(
    paths
      .filter((path) => !path.endsWith("-shm"))
      .toSorted()
      .map((path) => [path, readFileSync(join(root, path))]),
  );
}

/** Makes the home contain exactly these files. */
export function putFiles(root: string, files: Files): void {
  for (const name of ["store", "keys"]) {
    for (const file of readdirSync(join(root, name))) {
      const path = `${name}/${file}`;
      if (!files.has(path)) rmSync(join(root, path), { recursive: true });
    }
  }
  for (const [path, bytes] of files) writeFileSync(join(root, path), bytes, { mode: 0o600 });
}

/** Returns the paths of files that differ, are new or are gone; an empty log counts as no log. */
export function differences(before: Files, after: Files): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
    const [one, other] = [before.get(path), after.get(path)];
    if (path === LOG && !one?.length && !other?.length) return false;
    return one === undefined || other === undefined || !one.equals(other);
  });
}

/** Opens the store, or creates one where there is none. Returns its whole content as text, or the error. */
export async function contentOf(
  home: ReturnType<typeof memoryHome>,
): Promise<{ readonly content?: string; readonly error?: SvcError }> {
  try {
    const store = await openOrCreateStore(home);
    try {
      const records = (await store.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { content: JSON.stringify([records, await store.defaultToken.read()]) };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof SvcError) return { error };
    throw error;
  }
}

export interface Sample {
  readonly home: ReturnType<typeof memoryHome>;
  /** The files after the store was closed. */
  readonly closed: Files;
  /** The files while the store is in use: the changes are in SQLite's log. */
  readonly inUse: Files;
  /** The files after the process was killed: in use, with SQLite's shared memory. */
  readonly killed: Files;
  readonly content: string;
}

/** Creates a store with three tokens: one of them revoked, one the default. */
export async function sampleStore(): Promise<Sample> {
  const home = memoryHome();
  const store = await openOrCreateStore(home);
  const revoked = await createToken(store, { name: "one" });
  const saved = await createToken(store, { name: "two" });
  await createToken(store, { name: "three" });
  await store.write(({ put }) => put({ ...revoked.record, revokedAt: 1 }));
  await saveDefaultToken(store, store.defaultToken, saved.secret);
  const inUse = filesOf(home.root);
  const memory = `${DATABASE}-shm`;
  const killed = new Map(inUse).set(memory, readFileSync(join(home.root, memory)));
  await store.close();
  const closed = filesOf(home.root);
  const { content = "" } = await contentOf(home);
  return { home, closed, inUse, killed, content };
}
