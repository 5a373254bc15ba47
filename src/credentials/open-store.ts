import { SvcError, toSvcError } from "../base/errors.ts";
import { type Logger, silentLogger } from "../base/log.ts";
import { hasAnchor, openAnchor } from "./anchor.ts";
import { closeUntouched, type Connection, createConnection, openConnection } from "./connection.ts";
import { DataKeyChanged, firstHeader, requireKnownFormat, sameBytes } from "./contents.ts";
import {
  createDataKey,
  type DataKeyChoices,
  discardDataKey,
  type KeySource,
  openDataKey,
  parseKeySource,
  wrongKey,
} from "./data-key.ts";
import { type Header, initialize, readHeader } from "./database.ts";
import {
  checkPrivateDirectory,
  ensurePrivateDirectory,
  removeAbandonedDrafts,
} from "./private-files.ts";
import { deriveKeys } from "./seal.ts";
import { CredentialStore } from "./store.ts";
import type { AuditSink, OpenAudit } from "./store-change.ts";
import { damaged, isAboutWriting, translated } from "./store-errors.ts";
import { storeFile } from "./store-file.ts";
import { StoreReader } from "./store-reader.ts";

export interface StoreOptions extends DataKeyChoices {
  /** Holds credentials.db. */
  readonly directory: string;
  readonly log?: Logger;
  /** The store is only looked at: nothing can be changed, and no file is. */
  readonly isLooking?: boolean;
  /** Called once when a store has been opened; gives what its events are told to. */
  readonly audit?: OpenAudit;
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
    tidy(options);
    const store = await open(options);
    if (store === undefined) return create(options);
    if (options.requireKeychain !== true || store.keySource === "keychain") return store;
    store.close();
    throw new SvcError("CREDENTIAL_STORE", "The data key of the store is not in the keychain.", {
      hint: "Move it there with `svc auth store migrate --to keychain`, or do without --require-keychain.",
    });
  });
}

function tidy({ keyDirectory, log }: StoreOptions): void {
  try {
    removeAbandonedDrafts(keyDirectory);
  } catch (error) {
    // On a read-only disk they stay.
    log?.warn("credential store: files that a killed process left stay", { error });
  }
}

/** How often a store is opened again because its data key was changed while it was opened. */
const ATTEMPTS = 3;

async function open(options: StoreOptions): Promise<CredentialStore | undefined> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt(options);
    } catch (error) {
      if (left === 0 || !(error instanceof DataKeyChanged)) throw error;
    }
  }
}

async function attempt(options: StoreOptions): Promise<CredentialStore | undefined> {
  checkPrivateDirectory(options.keyDirectory);
  // Asked before the store is looked at: a process that creates it now writes the anchor last.
  const wasHere = hasAnchor(options.keyDirectory);
  const connection = checkPrivateDirectory(options.directory)
    ? openConnection(storeFile(options.directory), options.isLooking)
    : undefined;
  if (connection === undefined) return noStore(wasHere);
  const { db } = connection;
  return closingOnError(connection, async () => {
    const header = translated(() => readHeader(db));
    if (header === undefined) {
      closeUntouched(db);
      return noStore(wasHere);
    }
    requireKnownFormat(header);
    const source = parseKeySource(header.keySource);
    let key: Buffer;
    try {
      key = await openDataKey(source, options);
    } catch (error) {
      // Another process may have moved the key away just now.
      const isAsBefore = translated(() => readHeader(db))?.keySource === header.keySource;
      throw isAsBefore ? error : new DataKeyChanged();
    }
    return storeOf(options, { connection, header, source, key });
  });
}

/**
 * The key is made before the file is locked, because a keychain may take its time. Of two processes
 * that create at once one header is kept, and the other process opens with that one.
 */
async function create(options: StoreOptions): Promise<CredentialStore> {
  const { key, source, notice } = await createDataKey(options);
  const connection = createConnection(storeFile(options.directory));
  if (connection.obstacle !== undefined) throw connection.obstacle;
  const { db } = connection;
  return closingOnError(connection, async () => {
    const keys = deriveKeys(key);
    const header = firstHeader(keys, JSON.stringify(source));
    let sink: AuditSink = noSink;
    const isFirst = initialize(db, header, () => {
      sink = options.audit?.({ auditKey: keys.audit }) ?? noSink;
      sink({ event: "store.create", details: { key: source.kind } });
    });
    if (isFirst) {
      const audit: OpenAudit = () => sink;
      return storeOf({ ...options, audit }, { connection, header, source, key, notice });
    }
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
  readonly connection: Connection;
  readonly header: Header;
  readonly source: KeySource;
  readonly key: Buffer;
  readonly notice?: string | undefined;
}

function storeOf(
  options: StoreOptions,
  { connection, header, source, key, notice }: Opened,
): CredentialStore {
  const { directory, keyDirectory, log = silentLogger, audit = () => noSink } = options;
  const keys = deriveKeys(key);
  key.fill(0);
  if (!sameBytes(keys.keyId, header.keyId)) throw wrongKey(source, options);
  const anchor = openAnchor(keyDirectory, keys.mac);
  const reader = new StoreReader({ path: storeFile(directory), connection, keys, anchor });
  return new CredentialStore({ reader, keys, anchor, keySource: source.kind, notice, log, audit });
}

function noSink(): void {}

/** An anchor without a store means that the store was deleted or emptied, not that it never was. */
function noStore(wasHere: boolean): undefined {
  if (wasHere) throw damaged("The credential store is gone, but was here before.");
}

async function closingOnError<T>({ db }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    closeUntouched(db);
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
    const remedy = isAboutWriting(thrown)
      ? " Check who owns that place, or choose another with SERVICE_HOME and SERVICE_CONFIG_HOME."
      : "";
    throw new SvcError("CREDENTIAL_STORE", "The credential store cannot be opened.", {
      hint: `The system says: ${thrown.message}.${remedy}`,
      cause: thrown,
    });
  }
}
