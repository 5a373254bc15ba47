import type { DatabaseSync } from "node:sqlite";

import { SvcError, toSvcError } from "../base/errors.ts";
import { type Logger, silentLogger } from "../base/log.ts";
import { hasAnchor, openAnchor } from "./anchor.ts";
import { firstHeader, requireKnownFormat, sameBytes } from "./contents.ts";
import {
  createDataKey,
  type DataKeyChoices,
  discardDataKey,
  type KeySource,
  openDataKey,
  parseKeySource,
  wrongKey,
} from "./data-key.ts";
import {
  damaged,
  type Header,
  initialize,
  openDatabase,
  readHeader,
  translated,
} from "./database.ts";
import { checkPrivateDirectory, ensurePrivateDirectory } from "./private-files.ts";
import { deriveKeys } from "./seal.ts";
import { CredentialStore } from "./store.ts";
import { storeFile } from "./store-file.ts";

export interface StoreOptions extends DataKeyChoices {
  /** Holds credentials.db. */
  readonly directory: string;
  readonly log?: Logger;
}

/** The store of this machine; undefined when none has been created. Throws CREDENTIAL_STORE. */
export function openStore(options: StoreOptions): Promise<CredentialStore | undefined> {
  return explained(() => open(options));
}

/** Like `openStore`, but creates the store when there is none; its `notice` then says what the user should know. */
export function openOrCreateStore(options: StoreOptions): Promise<CredentialStore> {
  return explained(async () => {
    ensurePrivateDirectory(options.directory);
    ensurePrivateDirectory(options.keyDirectory);
    return (await open(options)) ?? create(options);
  });
}

async function open(options: StoreOptions): Promise<CredentialStore | undefined> {
  checkPrivateDirectory(options.keyDirectory);
  // Asked before the store is looked at: a process that creates it now writes the anchor last.
  const wasHere = hasAnchor(options.keyDirectory);
  const db = checkPrivateDirectory(options.directory)
    ? openDatabase(storeFile(options.directory), false)
    : undefined;
  if (db === undefined) return noStore(wasHere);
  return closingOnError(db, async () => {
    const header = translated(() => readHeader(db));
    if (header === undefined) {
      db.close();
      return noStore(wasHere);
    }
    requireKnownFormat(header);
    const source = parseKeySource(header.keySource);
    const key = await openDataKey(source, options);
    return storeOf(options, { db, header, source, key });
  });
}

/**
 * The key is made before the file is locked, because a keychain may take its time. Of two processes
 * that create at once one header is kept, and the other process opens with that one.
 */
async function create(options: StoreOptions): Promise<CredentialStore> {
  const { key, source, notice } = await createDataKey(options);
  const db = openDatabase(storeFile(options.directory), true);
  if (db === undefined) throw damaged("The credential store vanished while it was created.");
  return closingOnError(db, async () => {
    const header = firstHeader(deriveKeys(key), JSON.stringify(source));
    if (initialize(db, header)) return storeOf(options, { db, header, source, key, notice });
    db.close();
    try {
      await discardDataKey(source, options);
    } catch (error) {
      options.log?.warn("credential store: an unused data key stays in the keychain", { error });
    }
    const store = await open(options);
    if (store === undefined) throw damaged("The credential store vanished while it was created.");
    return store;
  });
}

interface Opened {
  readonly db: DatabaseSync;
  readonly header: Header;
  readonly source: KeySource;
  readonly key: Buffer;
  readonly notice?: string | undefined;
}

function storeOf(
  { directory, keyDirectory, log = silentLogger }: StoreOptions,
  { db, header, source, key, notice }: Opened,
): CredentialStore {
  const keys = deriveKeys(key);
  key.fill(0);
  if (!sameBytes(keys.keyId, header.keyId)) throw wrongKey(source);
  return new CredentialStore({
    db,
    path: storeFile(directory),
    keys,
    anchor: openAnchor(keyDirectory, keys.mac),
    keySource: source.kind,
    notice,
    log,
  });
}

/** An anchor without a store means that the store was deleted or emptied, not that it never was. */
function noStore(wasHere: boolean): undefined {
  if (wasHere) throw damaged("The credential store is gone, but was here before.");
}

async function closingOnError<T>(db: DatabaseSync, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

/** Says for failures of the file system (no permission, read-only, no such disk) what they stopped. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = toSvcError(thrown);
    const isSystemError = thrown instanceof Error && "syscall" in thrown;
    if (error.code !== "INTERNAL_ERROR" || !isSystemError) throw error;
    throw new SvcError("CREDENTIAL_STORE", "The credential store cannot be opened.", {
      hint: `The system says: ${thrown.message}.`,
      cause: thrown,
    });
  }
}
