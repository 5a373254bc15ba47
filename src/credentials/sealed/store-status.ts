import { existsSync } from "node:fs";

import { toSvcError } from "../../base/errors.ts";
import type { AuditDirectories } from "../audit/local/log-files.ts";
import { requireSameHistory } from "../audit/local/same-history.ts";
import { closeUnmodified, openConnection } from "./connection.ts";
import { keyLocation, type KeySource, parseKeySource } from "../keychain/data-key.ts";
import { defaultKeyFile } from "../keychain/data-key-file.ts";
import { type StoreHeader, readHeader } from "./database.ts";
import { openStore, type StoreOptions } from "./open-store.ts";
import type { SealedStore } from "./sealed-store.ts";
import { withTranslatedErrors } from "./store-errors.ts";
import { storeExists, storeFile } from "./store-file.ts";

/** The state of a store, which may be damaged or locked. A fact that could not be read is undefined. */
export interface StoreStatus {
  readonly directory: string;
  readonly exists: boolean;
  /** According to the header, which is verified only if the store has no problem. */
  readonly keySource: KeySource["kind"] | undefined;
  /** Path of the key file, account in the keychain, or the variable with the passphrase. */
  readonly keyLocation: string | undefined;
  /** Number of changes since the store was created, according to the header. */
  readonly generation: number | undefined;
  readonly credentials:
    | { readonly active: number; readonly expired: number; readonly revoked: number }
    | undefined;
  readonly readOnly: boolean | undefined;
  readonly clock: StoreClock | undefined;
  /** A key file in the default place that this store does not use, left by an interrupted migration. */
  readonly unusedKeyFile: string | undefined;
  /** The error that prevents opening or using the store; undefined when there is none. */
  readonly problem: { readonly detail: string; readonly hint: string | undefined } | undefined;
}

/** The store's clock and the machine's. */
export interface StoreClock {
  /** The latest time the store has seen, and the machine's time, in milliseconds since 1970. */
  readonly known: number;
  readonly now: number;
  /** True when the machine's clock was once so far ahead that tokens expire early and new ones live too long. */
  readonly isAhead: boolean;
}

/** Larger than the difference between processes, and than a correction of a clock. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

const UNKNOWN = {
  keySource: undefined,
  keyLocation: undefined,
  generation: undefined,
  credentials: undefined,
  readOnly: undefined,
  clock: undefined,
  unusedKeyFile: undefined,
  problem: undefined,
} as const;

/**
 * Returns the state of the store. Never throws: an error that prevents opening becomes `problem`. Records nothing
 * in the audit log. Calls `inspect` with the store while it is open.
 */
export async function storeStatus(
  options: StoreOptions,
  inspect?: (store: SealedStore) => Promise<void>,
): Promise<StoreStatus> {
  const { directory } = options;
  const { audit: _, auditPlaces, ...withoutAudit } = options;
  const facts = {
    ...UNKNOWN,
    directory,
    exists: storeExists(directory),
    ...headerFacts(options),
  };
  try {
    const store = await openStore(withoutAudit);
    if (store === undefined) return facts;
    try {
      const problem = historyProblem(store, auditPlaces);
      const status = { ...facts, ...(await factsOf(store, options)), problem };
      await inspect?.(store);
      return status;
    } finally {
      await store.close();
    }
  } catch (error) {
    return { ...facts, problem: problemOf(error) };
  }
}

/** Returns the problem of a store that opens but does not agree with the audit log. */
function historyProblem(
  store: SealedStore,
  places: AuditDirectories | undefined,
): StoreStatus["problem"] {
  if (places === undefined) return undefined;
  try {
    requireSameHistory(store, places);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): StoreStatus["problem"] {
  const { message: detail, hint } = toSvcError(error);
  return { detail, hint };
}

/** Facts that can be read without the data key. */
function headerFacts(options: StoreOptions): Partial<StoreStatus> {
  try {
    const connection = openConnection(storeFile(options.directory), options.isReadOnly);
    try {
      const header = connection && withTranslatedErrors(() => readHeader(connection.db));
      return header === undefined ? {} : describe(header, options);
    } finally {
      if (connection !== undefined) closeUnmodified(connection.db);
    }
  } catch {
    // Opening the store fails for the same reason and reports it.
    return {};
  }
}

function describe(
  { keySource, generation }: StoreHeader,
  options: StoreOptions,
): Partial<StoreStatus> {
  const source = parseKeySource(keySource);
  return { keySource: source.kind, keyLocation: keyLocation(source, options), generation };
}

async function factsOf(store: SealedStore, options: StoreOptions): Promise<Partial<StoreStatus>> {
  const { known, now } = store.clock();
  const time = Math.max(known, now);
  const counts = { active: 0, expired: 0, revoked: 0 };
  for (const { revokedAt, expiresAt } of await store.list()) {
    if (revokedAt !== undefined) counts.revoked += 1;
    else if (expiresAt !== undefined && expiresAt <= time) counts.expired += 1;
    else counts.active += 1;
  }
  return {
    ...describe(store.header, options),
    credentials: counts,
    unusedKeyFile: unusedKeyFile(store, options),
    readOnly: store.isReadOnly,
    clock: { known, now, isAhead: known - now > MAX_CLOCK_SKEW_MS },
  };
}

/** Call it only after the store has been opened: before that, the file might be the key to it. */
function unusedKeyFile(store: SealedStore, options: StoreOptions): string | undefined {
  const usual = defaultKeyFile(options.keyDirectory);
  const used = keyLocation(parseKeySource(store.header.keySource), options);
  return usual !== used && existsSync(usual) ? usual : undefined;
}
