import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

import { onTestFinished } from "vitest";

import { createToken } from "../../src/credentials/access-tokens.ts";
import { openStore } from "../../src/credentials/sealed/open-store.ts";
import type { SealedStore } from "../../src/credentials/sealed/sealed-store.ts";
import { freshName, type Place } from "./program.ts";

/** The credential store of that program, opened by this process too; closed when the test ends. */
export async function storeOf(place: Place): Promise<SealedStore> {
  const store = await openStoreOf(place);
  onTestFinished(() => store.close());
  return store;
}

async function openStoreOf({ home }: Place): Promise<SealedStore> {
  const directory = join(home, "data", "credentials");
  // Next to the settings, whose place depends on the platform.
  const keys = readdirSync(home, { recursive: true, encoding: "utf8" }).find((path) =>
    basename(path).startsWith("keys-"),
  );
  const keyDirectory = join(home, keys ?? "none");
  const store = await openStore({ directory, keyDirectory });
  if (store === undefined) throw new Error("no credential was made there");
  return store;
}

/** A token in the store of that place: for many clients, a process for each would take longer than their tests. */
export async function addToken(place: Place): Promise<{ id: string; token: string }> {
  const store = await openStoreOf(place);
  try {
    const { record, secret } = await createToken(store, { name: freshName("spec") });
    return { id: record.id, token: secret };
  } finally {
    await store.close();
  }
}

/** Makes the store of that place see a later time: its clock advances for all processes. */
export async function moveClock(place: Place, time: number): Promise<void> {
  const store = await storeOf(place);
  await store.time(time);
  await store.write(() => undefined);
}

/** Makes a token read-only, which no command can do: another process changes the store. */
export async function restrictToken(place: Place, id: string): Promise<void> {
  const store = await storeOf(place);
  await store.write(({ records, put }) => {
    const record = records.get(id);
    if (record === undefined) throw new Error("there is no such token");
    put({ ...record, readOnly: true });
  });
}
