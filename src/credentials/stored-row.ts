import { timingSafeEqual } from "node:crypto";

import type { RawRow } from "./database.ts";
import { type CredentialRecord, parseRecord } from "./credential-record.ts";
import { rowAad, unseal } from "./seal.ts";
import { damagedStore } from "./store-errors.ts";

/** A row as it is on disk, with what follows from its bytes: worked out once, and kept while they stay the same. */
export class StoredRow {
  readonly row: RawRow;
  /** Blind index in hexadecimal; undefined for rows that are not found by secret. */
  readonly lookup: string | undefined;
  /** What the store's MAC is made of. */
  readonly line: string;
  #record: CredentialRecord | undefined;
  #digest: Buffer | undefined;

  constructor(row: RawRow) {
    const { id, kind, lookup, body } = row;
    this.row = row;
    this.lookup = lookup === null ? undefined : hex(lookup);
    this.line = JSON.stringify([id, kind, this.lookup ?? null, hex(body)]);
  }

  /** True when the other row differs in no byte. */
  equals({ id, kind, lookup, body }: RawRow): boolean {
    const mine = this.row;
    if (id !== mine.id || kind !== mine.kind || Buffer.compare(body, mine.body) !== 0) return false;
    if (lookup === null || mine.lookup === null) return lookup === mine.lookup;
    return Buffer.compare(lookup, mine.lookup) === 0;
  }

  /** Unsealed on the first call. Throws CREDENTIAL_STORE. */
  record(key: Buffer): CredentialRecord {
    this.#record ??= parseRecord(this.text(key));
    return this.#record;
  }

  /** Whether the credential of this row has that digest; takes the same time whichever bytes differ. */
  hasDigest(key: Buffer, digest: Buffer): boolean {
    this.#digest ??= Buffer.from(this.record(key).digest, "hex");
    return this.#digest.length === digest.length && timingSafeEqual(this.#digest, digest);
  }

  /** What is sealed in it. Throws CREDENTIAL_STORE. */
  text(key: Buffer): string {
    const { id, kind, body } = this.row;
    try {
      return unseal(key, body, rowAad(id, kind));
    } catch (cause) {
      throw damagedStore("A row of the credential store cannot be opened.", cause);
    }
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
