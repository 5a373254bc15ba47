// What the owner of a machine does with its sealed store, in addition to using the credentials.

import { LocalAuditReader } from "../audit/local/local-audit-reader.ts";
import type { AuditDirectories } from "../audit/local/log-files.ts";
import { revokedInLog } from "../audit/local/revoked-in-log.ts";
import { requireSameHistory } from "../audit/local/same-history.ts";
import type { AuditReader } from "../audit/port.ts";
import type { CredentialRecord } from "../credential-record.ts";
import type { KeyTarget } from "../keychain/data-key.ts";
import { type Migration, migrateStore } from "./migrate.ts";
import { openStore, type StoreOptions } from "./open-store.ts";
import type { SealedStore } from "./sealed-store.ts";
import { storeStatus, type StoreStatus } from "./store-status.ts";

/** A store that does not agree with the audit log. */
export interface DisputedStore {
  /** What does not agree, as text for the user. */
  readonly problem: string;
  /** Credentials that are revoked in the log and valid in the store. */
  readonly revalidated: readonly CredentialRecord[];
}

/** Whether a reset changed the clock of the store. Times are in milliseconds since 1970. */
export interface ClockReset {
  /** False if the store's clock was not ahead of the machine's; then nothing was changed. */
  readonly isChanged: boolean;
  readonly from: number;
  readonly to: number;
  /** Ids of the credentials that are valid again. */
  readonly revalidated: readonly string[];
}

/** An open store, for checks. */
export interface InspectedStore {
  readonly store: SealedStore;
  readonly audit: AuditReader;
}

interface StatusOptions {
  /** Write no file, not even SQLite's own. */
  readonly isReadOnly?: boolean;
  /** Called with the store while it is open. */
  readonly inspect?: (opened: InspectedStore) => Promise<void>;
}

/** The sealed store of this machine. Methods throw CREDENTIAL_STORE and STORAGE_FULL. */
export interface SealedStoreAdmin {
  /** The folders of the store, of its keys and of the audit log. Only their owner may have access. */
  readonly directories: readonly string[];
  /** Returns the state of the store. Never throws: an error that prevents opening it is part of the state. */
  readonly status: (options?: StatusOptions) => Promise<StoreStatus>;
  /** Gives the store another data key in another place. */
  readonly migrate: (target: KeyTarget) => Promise<Migration>;
  /**
   * Sets the clock of the store to the machine's time, if it is ahead. Returns undefined if there is no store. Throws
   * USAGE if the machine's time is not usable.
   */
  readonly resetClock: () => Promise<ClockReset | undefined>;
  /**
   * Accepts the store and the audit log as they are, if they do not agree and `confirm` returns true. Returns undefined
   * if there is no store.
   */
  readonly accept: (
    confirm: (disputed: DisputedStore) => Promise<boolean>,
  ) => Promise<"agrees" | "declined" | "accepted" | undefined>;
}

interface AdminOptions {
  readonly options: StoreOptions;
  readonly auditPlaces: AuditDirectories;
  /** Opens the store that this process uses. */
  readonly store: () => Promise<SealedStore | undefined>;
}

export function createStoreAdmin({ options, auditPlaces, store }: AdminOptions): SealedStoreAdmin {
  return {
    directories: [options.directory, options.keyDirectory, auditPlaces.directory],
    status: ({ isReadOnly, inspect } = {}) =>
      storeStatus(isReadOnly === undefined ? options : { ...options, isReadOnly }, async (opened) =>
        inspect?.({
          store: opened,
          audit: new LocalAuditReader(auditPlaces, async (work) => work(opened)),
        }),
      ),
    migrate: (target) => migrateStore(options, target),
    resetClock: async () => resetClock(await store()),
    accept: (confirm) => accept(options, auditPlaces, confirm),
  };
}

/** Calls `work` with the store, even if it does not agree with the log. No change is recorded in the log. */
export function withUnauditedStore<T>(
  { auditPlaces: _places, audit: _audit, ...options }: StoreOptions,
  work: (store: SealedStore | undefined) => Promise<T>,
): Promise<T> {
  return withStore(options, work);
}

async function withStore<T>(
  options: StoreOptions,
  work: (store: SealedStore | undefined) => Promise<T>,
): Promise<T> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store?.close();
  }
}

async function resetClock(store: SealedStore | undefined): Promise<ClockReset | undefined> {
  if (store === undefined) return undefined;
  const { known: from, now: to } = store.clock();
  if (from <= to) return { isChanged: false, from, to, revalidated: [] };
  store.resetClock(to);
  const records = await store.list();
  const revalidated = records
    .filter(({ revokedAt }) => revokedAt === undefined)
    .filter(({ expiresAt = 0 }) => expiresAt > to && expiresAt <= from)
    .map(({ id }) => id);
  return { isChanged: true, from, to, revalidated };
}

function accept(
  { auditPlaces: _places, ...options }: StoreOptions,
  places: AuditDirectories,
  confirm: (disputed: DisputedStore) => Promise<boolean>,
): ReturnType<SealedStoreAdmin["accept"]> {
  return withStore(options, async (store) => {
    if (store === undefined) return undefined;
    const problem = problemOf(store, places);
    if (problem === undefined) return "agrees";
    const revoked = revokedInLog(places);
    const records = await store.list();
    const revalidated = records.filter(
      ({ id, revokedAt }) => revokedAt === undefined && revoked.has(id),
    );
    if (!(await confirm({ problem, revalidated }))) return "declined";
    store.accept();
    return "accepted";
  });
}

function problemOf(store: SealedStore, places: AuditDirectories): string | undefined {
  try {
    requireSameHistory(store, places);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
