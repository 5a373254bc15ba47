import { timingSafeEqual } from "node:crypto";

import type { RawRow } from "./database.ts";
import type { CredentialRecord } from "../credential-record.ts";
import { rowAad, unseal } from "./seal.ts";
import { damagedStore } from "./store-errors.ts";

/**
 * A row as stored on disk, with values computed from its bytes: each is computed once and kept while the bytes stay
 * the same.
 */
export class StoredRow {
  readonly row: RawRow;
  /** Blind index in hexadecimal; undefined for rows that are not found by secret. */
  readonly lookup: string | undefined;
  /** The input of the store's MAC for this row. */
  readonly line: string;
  #record: CredentialRecord | undefined;
  #digest: Buffer | undefined;

  constructor(row: RawRow) {
    const { id, kind, lookup, body } = row;
    this.row = row;
    this.lookup = lookup === null ? undefined : hex(lookup);
    this.line = `${JSON.stringify([id, kind, this.lookup ?? null, hex(body)])}\n`;
  }

  /** Returns true when the other row has the same bytes. */
  equals({ id, kind, lookup, body }: RawRow): boolean {
    const mine = this.row;
    if (id !== mine.id || kind !== mine.kind || Buffer.compare(body, mine.body) !== 0) return false;
    if (lookup === null || mine.lookup === null) return lookup === mine.lookup;
    return Buffer.compare(lookup, mine.lookup) === 0;
  }

  /** Returns the record, unsealed on the first call. Throws CREDENTIAL_STORE. */
  record(key: Buffer): CredentialRecord {
    this.#record ??= parseRecord(this.text(key));
    return this.#record;
  }

  /** Whether this row's credential has that digest. The comparison takes constant time. */
  hasDigest(key: Buffer, digest: Buffer): boolean {
    this.#digest ??= Buffer.from(this.record(key).digest, "hex");
    return this.#digest.length === digest.length && timingSafeEqual(this.#digest, digest);
  }

  /** Returns the unsealed text. Throws CREDENTIAL_STORE. */
  text(key: Buffer): string {
    const { id, kind, body } = this.row;
    try {
      return unseal(key, body, rowAad(id, kind));
    } catch (cause) {
      throw damagedStore("A row of the credential store cannot be opened.", cause);
    }
  }
}

/** Parses an unsealed record. The seal and the MAC have proved that svc wrote it, in this format. */
function parseRecord(text: string): CredentialRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as CredentialRecord;
}

/** Returns the bytes in hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
