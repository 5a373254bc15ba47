// What the store's file holds, read whole and checked: nothing of it is used unless all of it is genuine.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

import { SvcError } from "../base/errors.ts";
import { damaged, type Header, readHeader, readRows, type Row } from "./database.ts";
import { type CredentialRecord, parseRecord, parseSettings, type StoreSettings } from "./record.ts";
import { blindIndex, rowAad, seal, type SubKeys, unseal } from "./seal.ts";

const FORMAT = 1;
const SETTINGS = { id: "settings", kind: "settings" } as const;

export interface Contents {
  readonly header: Header;
  readonly rows: ReadonlyMap<string, Row>;
  readonly records: ReadonlyMap<string, CredentialRecord>;
  /** By blind index, in hexadecimal. */
  readonly byLookup: ReadonlyMap<string, CredentialRecord>;
  readonly settings: StoreSettings;
}

/**
 * Reads and checks the file, in a transaction of the caller. `anchored` is the generation that it must
 * have reached. Throws CREDENTIAL_STORE. Cost: 13 ms for 500 rows, paid when another process has written.
 */
export function readContents(
  db: DatabaseSync,
  keys: SubKeys,
  anchored: number | undefined,
): Contents {
  const header = readHeader(db);
  if (header === undefined) throw damaged("The credential store has lost its header.");
  const rows = readRows(db);
  if (!sameBytes(macOf(keys.mac, header, rows), header.mac)) {
    throw damaged("The credential store was changed by something other than svc.");
  }
  requireKnownFormat(header);
  // Only a store that has never held anything may be without its anchor: that is written at creation.
  if (anchored === undefined ? header.generation > 0 : header.generation < anchored) {
    throw damaged("The credential store is an older copy: it lacks changes made since.");
  }
  const records = new Map<string, CredentialRecord>();
  let settings: StoreSettings = { clock: 0 };
  for (const { id, kind, body } of rows) {
    const text = open(keys, { id, kind, body });
    if (kind === SETTINGS.kind) settings = parseSettings(text);
    else records.set(id, parseRecord(text));
  }
  return contentsOf(header, rows, { records, settings });
}

/** The contents after a change and the rows that differ; the generation is one higher. */
export function nextContents(
  before: Contents,
  keys: SubKeys,
  change: { readonly put: Iterable<CredentialRecord>; readonly settings: StoreSettings },
): { readonly contents: Contents; readonly written: readonly Row[] } {
  const records = new Map(before.records);
  const written: Row[] = [];
  for (const record of change.put) {
    const lookup = blindIndex(keys.index, Buffer.from(record.digest, "hex"));
    written.push(sealedRow(keys, record, { lookup, value: record }));
    records.set(record.id, record);
  }
  written.push(sealedRow(keys, SETTINGS, { lookup: null, value: change.settings }));

  const rows = new Map(before.rows);
  for (const row of written) rows.set(row.id, row);
  const all = [...rows.values()];
  const { settings } = change;
  const header = withMac(keys, { ...before.header, generation: before.header.generation + 1 }, all);
  return { contents: contentsOf(header, all, { records, settings }), written };
}

/** The header of a store that holds nothing yet. */
export function firstHeader(keys: SubKeys, keySource: string): Header {
  return withMac(keys, { format: FORMAT, keySource, keyId: keys.keyId, generation: 0 }, []);
}

export function requireKnownFormat({ format }: Header): void {
  if (format === FORMAT) return;
  throw new SvcError("CREDENTIAL_STORE", "The credential store is of another version of svc.", {
    hint: "Use the newest svc on this machine.",
  });
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function contentsOf(
  header: Header,
  list: readonly Row[],
  { records, settings }: Pick<Contents, "records" | "settings">,
): Contents {
  const byLookup = new Map<string, CredentialRecord>();
  for (const { id, lookup } of list) {
    const record = records.get(id);
    if (record !== undefined && lookup !== null) byLookup.set(hex(lookup), record);
  }
  return { header, rows: new Map(list.map((row) => [row.id, row])), records, byLookup, settings };
}

function sealedRow(
  keys: SubKeys,
  { id, kind }: Pick<Row, "id" | "kind">,
  { lookup, value }: { readonly lookup: Uint8Array | null; readonly value: unknown },
): Row {
  return { id, kind, lookup, body: seal(keys.enc, JSON.stringify(value), rowAad(id, kind)) };
}

function open(keys: SubKeys, { id, kind, body }: Omit<Row, "lookup">): string {
  try {
    return unseal(keys.enc, body, rowAad(id, kind));
  } catch (cause) {
    throw damaged("A row of the credential store cannot be opened.", cause);
  }
}

function withMac(keys: SubKeys, header: Omit<Header, "mac">, rows: readonly Row[]): Header {
  return { ...header, mac: macOf(keys.mac, header, rows) };
}

/** Vouches for the header and for every row: none can be added, dropped, swapped or taken from an older copy. */
function macOf(key: Buffer, header: Omit<Header, "mac">, rows: readonly Row[]): Buffer {
  const { format, keySource, keyId, generation } = header;
  const lines = rows.map(({ id, kind, lookup, body }) =>
    JSON.stringify([id, kind, lookup === null ? null : hex(lookup), hex(body)]),
  );
  const mac = createHmac("sha256", key);
  mac.update(`${JSON.stringify([format, keySource, hex(keyId), generation])}\n`);
  for (const line of lines.toSorted()) mac.update(`${line}\n`);
  return mac.digest();
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
