// Gives the store another data key in another place. A kill at any moment leaves a store that opens, with the old
// key or the new one: the new key exists before the store is sealed with it, the anchor accepts both states
// meanwhile, and the old key is removed only after the store has been opened with the new one.
import { dirname } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { DataKeyChangedError, sameBytes } from "./store-contents.ts";
import {
  createKeyAt,
  type DataKeyChoices,
  discardDataKey,
  type KeySource,
  keyLocation,
  type KeyTarget,
  type NewDataKey,
  noKeychain,
  parseKeySource,
} from "../keychain/data-key.ts";
import { openFileKey, removeFileKey } from "../keychain/data-key-file.ts";
import { openStore, type StoreOptions } from "./open-store.ts";
import { deriveKeys, type SubKeys } from "./seal.ts";
import type { SealedStore } from "./sealed-store.ts";

/** Result of a migration: the kinds of the old and the new place, and warnings. */
export interface Migration {
  readonly from: KeySource["kind"];
  readonly to: KeySource["kind"];
  /**
   * What the user still has to do: remove an old key that could not be removed, or change a setting that names it.
   */
  readonly warnings: readonly string[];
}

/** Throws CREDENTIAL_STORE when there is no store, or when the store or the place of the new key cannot be opened. */
export async function migrateStore(options: StoreOptions, target: KeyTarget): Promise<Migration> {
  const store = await required(options);
  try {
    const from = parseKeySource(store.header.keySource);
    const made = await newKey(options, target, from);
    const { audit: _, ...withoutAudit } = options;
    const after = { ...withoutAudit, ...choicesAfter(made.source, target) };
    await reseal(store, after, made);
    const warnings = await finish({ store, from, to: made.source }, options, after);
    return { from: from.kind, to: made.source.kind, warnings };
  } finally {
    await store.close();
  }
}

async function required(options: StoreOptions): Promise<SealedStore> {
  const store = await openStore(options);
  if (store !== undefined) return store;
  throw new SvcError("CREDENTIAL_STORE", "There is no credential store yet.", {
    hint: "Create the first credential: `svc auth token create --name NAME --save`.",
  });
}

async function newKey(
  options: StoreOptions,
  target: KeyTarget,
  from: KeySource,
): Promise<NewDataKey> {
  if (target.kind === "passphrase" && target.passphrase === "") {
    throw new SvcError("USAGE", "The passphrase is empty.", { hint: "Choose one that is not." });
  }
  const path = target.kind === "file" ? (target.path ?? options.keyFile) : undefined;
  const isFile = from.kind === "file" && target.kind === "file";
  if (
    isFile &&
    keyLocation({ kind: "file" }, { ...options, keyFile: path }) === keyLocation(from, options)
  ) {
    throw new SvcError("USAGE", "The data key is already in that file.", {
      hint: "Name another file.",
    });
  }
  try {
    return await createKeyAt(target, options);
  } catch (error) {
    throw target.kind === "keychain" ? noKeychain(error) : error;
  }
}

async function reseal(
  store: SealedStore,
  options: StoreOptions,
  { key, source }: NewDataKey,
): Promise<void> {
  const keys = deriveKeys(key);
  try {
    store.reseal(keys, source, () => {
      if (source.kind === "file") requireKeyFile(keyLocation(source, options), key);
    });
  } catch (error) {
    if (!isSealedWith(store, keys)) await discardDataKey(source, options);
    throw error;
  } finally {
    key.fill(0);
  }
}

/** A migration that has just ended may have removed the file that was found or created before. */
function requireKeyFile(path: string, key: Buffer): void {
  const found = openFileKey({ directory: dirname(path), chosen: undefined, pinned: path });
  if (sameBytes(found, key)) return;
  throw new SvcError("CREDENTIAL_STORE", "The new data key file was changed just now.", {
    hint: "Try again.",
  });
}

function isSealedWith(store: SealedStore, keys: SubKeys): boolean {
  try {
    return sameBytes(store.header.keyId, keys.keyId);
  } catch (error) {
    // In doubt assume that it is: a key that a store needs must not be discarded.
    return !(error instanceof DataKeyChangedError);
  }
}

/** Opens the store with its new key, which also removes the old one from the anchor, and removes the old key. */
async function finish(
  {
    store,
    from,
    to,
  }: { readonly store: SealedStore; readonly from: KeySource; readonly to: KeySource },
  before: StoreOptions,
  after: StoreOptions,
): Promise<readonly string[]> {
  await store.close();
  const moved = await required(after);
  const warnings: string[] = [];
  try {
    if (from.kind === "keychain") await before.keychain?.remove(from.account);
    if (from.kind === "file") {
      const kept = to.kind === "file" ? keyLocation(to, after) : undefined;
      moved.whileKeyUnchanged(() => removeFileKey(keyLocation(from, before), kept));
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(
      `The old data key could not be removed from ${keyLocation(from, before)}: ${reason}`,
    );
  } finally {
    await moved.close();
  }
  return [...warnings, ...staleSettingWarnings(to, before, after)];
}

function staleSettingWarnings(to: KeySource, before: StoreOptions, after: StoreOptions): string[] {
  const { keyFile } = before;
  if (
    keyFile === undefined ||
    to.kind !== "file" ||
    keyLocation(to, before) === keyLocation(to, after)
  ) {
    return [];
  }
  return [
    `SERVICE_DATA_KEY_FILE still names ${keyFile}: unset it, or name ${keyLocation(to, after)}.`,
  ];
}

/** Returns the choices that open the store with its new key. */
function choicesAfter(to: KeySource, target: KeyTarget): Partial<DataKeyChoices> {
  if (target.kind === "passphrase") return { passphrase: target.passphrase };
  return to.kind === "file" ? { keyFile: undefined } : {};
}
