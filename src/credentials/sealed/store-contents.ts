// The content of the store's file, read whole and checked. No part of it is used unless all of it is genuine.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

import { SvcError } from "../../base/errors.ts";
import { type StoreHeader, readHeader, readRows, type RawRow } from "./database.ts";
import type { CredentialRecord } from "../credential-record.ts";
import { parseSettings, type StoreSettings } from "./store-settings.ts";
import { blindIndex, rowAad, seal, type SubKeys } from "./seal.ts";
import { damagedStore } from "./store-errors.ts";
import { hex, StoredRow } from "./stored-row.ts";

const FORMAT = 1;
const SETTINGS = { id: "settings", kind: "settings" } as const;

/** The data key changed after these keys were derived; open the store again. */
export class DataKeyChangedError extends SvcError {
  constructor() {
    super("CREDENTIAL_STORE", "The data key of the credential store has changed.", {
      hint: "Try again.",
    });
  }
}

/** A state of the store that has passed every check. Each row is unsealed on first use. */
export class StoreContents {
  readonly header: StoreHeader;
  readonly rows: ReadonlyMap<string, StoredRow>;
  readonly settings: StoreSettings;
  readonly #keys: SubKeys;
  readonly #byLookup = new Map<string, StoredRow>();
  /** Rows already found and compared, by SHA-256 in hexadecimal. */
  readonly #byDigest = new Map<string, StoredRow>();
  #records: ReadonlyMap<string, CredentialRecord> | undefined;

  constructor(keys: SubKeys, header: StoreHeader, rows: ReadonlyMap<string, StoredRow>) {
    this.#keys = keys;
    this.header = header;
    this.rows = rows;
    for (const row of rows.values())
      if (row.lookup !== undefined) this.#byLookup.set(row.lookup, row);
    const settings = rows.get(SETTINGS.id);
    this.settings = settings === undefined ? { clock: 0 } : parseSettings(settings.text(keys.enc));
  }

  /** Every credential, by id. */
  get records(): ReadonlyMap<string, CredentialRecord> {
    this.#records ??= new Map(
      [...this.rows.values()]
        .filter(({ row }) => row.kind !== SETTINGS.kind)
        .map((row) => [row.row.id, row.record(this.#keys.enc)]),
    );
    return this.#records;
  }

  /** Returns the credential whose secret has this SHA-256, in hexadecimal. */
  find(digest: string): CredentialRecord | undefined {
    const known = this.#byDigest.get(digest);
    if (known !== undefined) return known.record(this.#keys.enc);
    const bytes = Buffer.from(digest, "hex");
    const row = this.#byBlindIndex(bytes);
    if (row === undefined || !row.hasDigest(this.#keys.enc, bytes)) return undefined;
    this.#byDigest.set(digest, row);
    return row.record(this.#keys.enc);
  }

  /** Returns true when these are the rows and the header of these contents, unchanged. */
  hasSame(header: StoreHeader, rows: ReadonlyMap<string, StoredRow>): boolean {
    return (
      isSameHeader(header, this.header) &&
      rows.size === this.rows.size &&
      [...rows.values()].every((row) => this.rows.get(row.row.id) === row)
    );
  }

  #byBlindIndex(digest: Buffer): StoredRow | undefined {
    return this.#byLookup.get(hex(blindIndex(this.#keys.index, digest)));
  }
}

/**
 * Reads and checks the file, in a transaction of the caller. `anchored` returns the generation that the file must
 * have reached. Rows that equal those in `before` are reused. Throws CREDENTIAL_STORE, and DataKeyChangedError when
 * the keys belong to an earlier data key.
 */
export function readContents(
  db: DatabaseSync,
  keys: SubKeys,
  {
    anchored,
    before,
  }: { readonly anchored: () => number | undefined; readonly before?: StoreContents | undefined },
): StoreContents {
  const header = readHeader(db);
  if (header === undefined) throw damagedStore("The credential store has lost its header.");
  if (!sameBytes(header.keyId, keys.keyId)) throw new DataKeyChangedError();
  const rows = storedRows(db, before);
  // Contents that have passed this check need not be hashed again.
  const isKnown = before?.hasSame(header, rows) === true;
  if (!isKnown && !sameBytes(macOf(keys.mac, header, rows), header.mac)) {
    throw damagedStore("The credential store was changed by something other than svc.");
  }
  requireKnownFormat(header);
  const reached = anchored();
  // Both the file and its anchor may have been replaced by older copies since this process read them.
  if (before !== undefined && header.generation < before.header.generation) throw olderCopy();
  // Only an empty store may lack its anchor, which is written right after the store is created.
  if (reached === undefined ? header.generation > 0 : header.generation < reached) {
    throw olderCopy();
  }
  return isKnown ? before : new StoreContents(keys, header, rows);
}

/** Returns the rows of the file by id; those that equal one in `before` are reused. */
function storedRows(
  db: DatabaseSync,
  before: StoreContents | undefined,
): ReadonlyMap<string, StoredRow> {
  const rows = new Map<string, StoredRow>();
  for (const row of readRows(db)) {
    // Only in tables that svc did not create; the store's MAC would cover only one of the two rows.
    if (rows.has(row.id)) throw damagedStore("The credential store holds a row twice.");
    const known = before?.rows.get(row.id);
    rows.set(row.id, known?.equals(row) === true ? known : new StoredRow(row));
  }
  return rows;
}

/** Returns the error for a store that lacks changes known to have been made. */
export function olderCopy(): SvcError {
  return damagedStore("The credential store is an older copy: it lacks changes made since.");
}

/** The contents after a change. */
export interface NextStoreContents {
  readonly contents: StoreContents;
  /** The rows to write. */
  readonly written: readonly RawRow[];
}

/**
 * Returns the contents after a change. The generation is one higher than the larger of the previous one and
 * `above`.
 */
export function nextContents(
  before: StoreContents,
  keys: SubKeys,
  change: {
    readonly put: Iterable<CredentialRecord>;
    readonly settings: StoreSettings;
    readonly above?: number | undefined;
  },
): NextStoreContents {
  const written = [...change.put].map((record) => credentialRow(keys, record));
  written.push(settingsRow(keys, change.settings));
  const rows = new Map(before.rows);
  for (const row of written) rows.set(row.id, new StoredRow(row));
  const generation = Math.max(before.header.generation, change.above ?? 0) + 1;
  const header = { ...before.header, generation };
  return { contents: new StoreContents(keys, withMac(keys, header, rows), rows), written };
}

/** Returns the same credentials sealed with another data key, found at `keySource`; the generation is one higher. */
export function resealedContents(
  before: StoreContents,
  keys: SubKeys,
  { keySource, settings }: { readonly keySource: string; readonly settings: StoreSettings },
): NextStoreContents {
  const written = [...before.records.values()].map((record) => credentialRow(keys, record));
  written.push(settingsRow(keys, settings));
  const rows = new Map(written.map((row) => [row.id, new StoredRow(row)]));
  const generation = before.header.generation + 1;
  const header = { ...before.header, keySource, keyId: keys.keyId, generation };
  return { contents: new StoreContents(keys, withMac(keys, header, rows), rows), written };
}

/** Returns the header of an empty store. */
export function firstHeader(keys: SubKeys, keySource: string): StoreHeader {
  return withMac(
    keys,
    { format: FORMAT, keySource, keyId: keys.keyId, generation: 0 },
    new Map<string, StoredRow>(),
  );
}

/** Throws CREDENTIAL_STORE when another version of svc wrote the store. */
export function requireKnownFormat({ format }: StoreHeader): void {
  if (format === FORMAT) return;
  throw new SvcError(
    "CREDENTIAL_STORE",
    "The credential store was written by another version of svc.",
    {
      hint: "Use the newest svc on this machine.",
    },
  );
}

/** Compares in constant time. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function credentialRow(keys: SubKeys, record: CredentialRecord): RawRow {
  const lookup = blindIndex(keys.index, Buffer.from(record.digest, "hex"));
  return sealedRow(keys, record, { lookup, value: record });
}

function settingsRow(keys: SubKeys, settings: StoreSettings): RawRow {
  return sealedRow(keys, SETTINGS, { lookup: null, value: settings });
}

function sealedRow(
  keys: SubKeys,
  { id, kind }: Pick<RawRow, "id" | "kind">,
  { lookup, value }: { readonly lookup: Uint8Array | null; readonly value: unknown },
): RawRow {
  return { id, kind, lookup, body: seal(keys.enc, JSON.stringify(value), rowAad(id, kind)) };
}

function withMac(
  keys: SubKeys,
  header: Omit<StoreHeader, "mac">,
  rows: ReadonlyMap<string, StoredRow>,
): StoreHeader {
  return { ...header, mac: macOf(keys.mac, header, rows) };
}

function isSameHeader(one: StoreHeader, other: StoreHeader): boolean {
  return (
    one.format === other.format &&
    one.keySource === other.keySource &&
    one.generation === other.generation &&
    sameBytes(one.keyId, other.keyId) &&
    sameBytes(one.mac, other.mac)
  );
}

/** Covers the header and every row: no row can be added, dropped, swapped or taken from an older copy. */
function macOf(
  key: Buffer,
  header: Omit<StoreHeader, "mac">,
  rows: ReadonlyMap<string, StoredRow>,
): Buffer {
  const { format, keySource, keyId, generation } = header;
  const lines = Array.from(rows.values(), ({ line }) => line).toSorted();
  lines.unshift(`${JSON.stringify([format, keySource, hex(keyId), generation])}\n`);
  const mac = createHmac("sha256", key);
  // One by one: to join them takes as long as to hash them.
  for (const line of lines) mac.update(line);
  return mac.digest();
}
