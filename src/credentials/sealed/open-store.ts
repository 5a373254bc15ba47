import { SvcError, toSvcError } from "../../base/errors.ts";
import { type Logger, silentLogger } from "../../base/log.ts";
import { hasAnchor, openAnchor } from "./anchor.ts";
import {
  closeUnmodified,
  type StoreConnection,
  createConnection,
  openConnection,
} from "./connection.ts";
import {
  DataKeyChangedError,
  firstHeader,
  requireKnownFormat,
  sameBytes,
} from "./store-contents.ts";
import {
  createDataKey,
  type DataKeyChoices,
  discardDataKey,
  type KeySource,
  openDataKey,
  parseKeySource,
  wrongKey,
} from "../keychain/data-key.ts";
import { type StoreHeader, createSchema, readHeader } from "./database.ts";
import {
  checkPrivateDirectory,
  ensureCheckedDirectory,
  removeAbandonedDrafts,
} from "../private-files.ts";
import { deriveKeys } from "./seal.ts";
import { requireSameHistory } from "../audit/local/same-history.ts";
import type { AuditDirectories } from "../audit/local/log-files.ts";
import { auditKeyOf, historyOf, SealedStore } from "./sealed-store.ts";
import type { AuditSink, OpenAudit, StoreHistory } from "../audit/local/store-history.ts";
import { damagedStore, isWriteError, withTranslatedErrors } from "./store-errors.ts";
import { storeFile } from "./store-file.ts";
import { StoreReader } from "./store-reader.ts";

/** Where a store is, and how to open it. */
export interface StoreOptions extends DataKeyChoices {
  /** Holds credentials.db. */
  readonly directory: string;
  readonly log?: Logger;
  /** Open the store for reading only: nothing can be changed, and no file is written. */
  readonly isReadOnly?: boolean;
  /** Called once when a store has been opened. Returns the sink that records its events. */
  readonly audit?: OpenAudit;
  /** Directories of the audit log that the store must agree with; not compared unless given. */
  readonly auditPlaces?: AuditDirectories;
}

/** Returns the store of this machine; undefined when none was created. Throws CREDENTIAL_STORE. */
export function openStore(options: StoreOptions): Promise<SealedStore | undefined> {
  return withExplainedErrors(() => open(options));
}

/** As `openStore`, but creates the store when there is none. Its `notice` is then a text for the user. */
export function openOrCreateStore(options: StoreOptions): Promise<SealedStore> {
  return withExplainedErrors(async () => {
    ensureCheckedDirectory(options.directory);
    ensureCheckedDirectory(options.keyDirectory);
    removeTemporaryFiles(options);
    const store = await open(options);
    if (store === undefined) return create(options);
    if (options.requireKeychain !== true || store.keySource === "keychain") return store;
    await store.close();
    throw new SvcError("CREDENTIAL_STORE", "The data key of the store is not in the keychain.", {
      hint: "Move it there with `svc auth store migrate --to keychain`, or omit --require-keychain.",
    });
  });
}

function removeTemporaryFiles({ keyDirectory, log }: StoreOptions): void {
  try {
    removeAbandonedDrafts(keyDirectory);
  } catch (error) {
    // On a read-only disk they cannot be removed.
    log?.warn("credential store: files of a killed process could not be removed", { error });
  }
}

/** How often opening is retried because the data key changed meanwhile. */
const MAX_ATTEMPTS = 3;

async function open(options: StoreOptions): Promise<SealedStore | undefined> {
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    try {
      return await attempt(options);
    } catch (error) {
      if (left === 0 || !(error instanceof DataKeyChangedError)) throw error;
    }
  }
}

async function attempt(options: StoreOptions): Promise<SealedStore | undefined> {
  checkPrivateDirectory(options.keyDirectory);
  // Checked before the store is opened: a process that is creating the store writes the anchor last.
  const hadStore = hasAnchor(options.keyDirectory);
  const connection = checkPrivateDirectory(options.directory)
    ? openConnection(storeFile(options.directory), options.isReadOnly)
    : undefined;
  if (connection === undefined) return noStore(hadStore);
  const { db } = connection;
  return closingOnError(connection, async () => {
    const header = withTranslatedErrors(() => readHeader(db));
    if (header === undefined) {
      closeUnmodified(db);
      return noStore(hadStore);
    }
    requireKnownFormat(header);
    const source = parseKeySource(header.keySource);
    let key: Buffer;
    try {
      key = await openDataKey(source, options);
    } catch (error) {
      // Another process may have just moved the key away.
      const isAsBefore = withTranslatedErrors(() => readHeader(db))?.keySource === header.keySource;
      throw isAsBefore ? error : new DataKeyChangedError();
    }
    return storeOf(options, { connection, header, source, key });
  });
}

/**
 * The key is created before the file is locked, because a keychain may be slow. If two processes create a store at
 * once, one header wins, and the other process opens the store with that one.
 */
async function create(options: StoreOptions): Promise<SealedStore> {
  const { key, source, notice } = await createDataKey(options);
  const connection = createConnection(storeFile(options.directory));
  if (connection.readOnlyReason !== undefined) throw connection.readOnlyReason;
  const { db } = connection;
  return closingOnError(connection, async () => {
    const keys = deriveKeys(key);
    const header = firstHeader(keys, JSON.stringify(source));
    let sink = NO_SINK;
    const isFirst = createSchema(db, header, () => {
      sink = options.audit?.({ auditKey: keys.audit, history: () => NO_HISTORY }) ?? NO_SINK;
      sink.recordEvent([{ event: "store.create", details: { key: source.kind } }]);
    });
    if (isFirst) {
      const audit: OpenAudit = () => sink;
      return storeOf({ ...options, audit }, { connection, header, source, key, notice });
    }
    db.close();
    try {
      await discardDataKey(source, options);
    } catch (error) {
      options.log?.warn(
        "credential store: an unused data key could not be removed from the keychain",
        { error },
      );
    }
    const store = await open(options);
    if (store === undefined)
      throw damagedStore("The credential store vanished while it was created.");
    return store;
  });
}

interface OpenedStore {
  readonly connection: StoreConnection;
  readonly header: StoreHeader;
  readonly source: KeySource;
  readonly key: Buffer;
  readonly notice?: string | undefined;
}

function storeOf(
  options: StoreOptions,
  { connection, header, source, key, notice }: OpenedStore,
): SealedStore {
  const { directory, keyDirectory, isReadOnly = false } = options;
  const { log = silentLogger, audit = () => NO_SINK } = options;
  const keys = deriveKeys(key);
  key.fill(0);
  if (!sameBytes(keys.keyId, header.keyId)) throw wrongKey(source, options);
  const anchor = openAnchor(keyDirectory, keys.mac);
  const path = storeFile(directory);
  const reader = new StoreReader({ path, connection, keys, anchor, isReadOnly });
  if (options.auditPlaces !== undefined) {
    requireSameHistory(
      {
        auditKey: auditKeyOf(reader.current(), keys),
        history: () => historyOf(reader.current()),
      },
      options.auditPlaces,
    );
  }
  return new SealedStore({ reader, keys, anchor, keySource: source.kind, notice, log, audit });
}

/** The history of a store that is being created. */
const NO_HISTORY: StoreHistory = { line: undefined, generation: 0 };

const NO_SINK: AuditSink = { recordEvent: () => undefined, committed: () => undefined };

/** An anchor without a store means that the store was deleted or emptied, not that it never existed. */
function noStore(hadStore: boolean): undefined {
  if (hadStore) throw damagedStore("The credential store is gone, but was here before.");
}

async function closingOnError<T>({ db }: StoreConnection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    closeUnmodified(db);
    throw error;
  }
}

/** Adds to file system errors (no permission, read-only, no such disk) the operation that they stopped. */
async function withExplainedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = toSvcError(thrown);
    const isSystemError = thrown instanceof Error && "syscall" in thrown;
    if (error.code !== "INTERNAL_ERROR" || !isSystemError) throw error;
    const remedy = isWriteError(thrown)
      ? " Check who owns that place, or choose another with SERVICE_HOME and SERVICE_CONFIG_HOME."
      : "";
    throw new SvcError("CREDENTIAL_STORE", "The credential store cannot be opened.", {
      hint: `The system says: ${thrown.message}.${remedy}`,
      cause: thrown,
    });
  }
}
