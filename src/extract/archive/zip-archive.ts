import { crc32 } from "node:zlib";

import { Inflate } from "fflate";

import { DocumentError } from "../../base/documents/document.ts";
import { MAX_UNPACKED_BYTES } from "../../base/documents/document-formats.ts";
import {
  readCentralDirectory,
  readLocalHeader,
  scanLocalHeaders,
  type LocalHeader,
  type ZipEntry,
} from "./zip-directory.ts";

const STORED = 0;
const DEFLATED = 8;
/** Packed bytes that are unpacked at a time. They unpack to 16 MiB or less. */
const STEP_BYTES = 16 << 10;
/** Packed bytes without data after which the rest is not data. A block holds at most 64 KiB. */
const MAX_IDLE_BYTES = 128 << 10;
/** The beginning of an OLE file, which is how encrypted office files are stored. */
const OLE = Buffer.from("d0cf11e0", "hex");
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

/** Reads single files of a zip. All that is unpacked counts against one budget, `MAX_UNPACKED_BYTES`. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #scanned: ReadonlyMap<string, ZipEntry> | undefined;
  #folded: ReadonlyMap<string, string> | undefined;
  #bytesLeft = MAX_UNPACKED_BYTES;

  /** Throws DocumentError: `document-encrypted` for an encrypted office file, `document-damaged` if it is not a zip. */
  constructor(bytes: Uint8Array) {
    refuseOle(bytes);
    this.#bytes = bytes;
    const entries = readCentralDirectory(bytes);
    this.#entries = entries.size > 0 ? entries : this.#scan();
    if (this.#entries.size === 0) throw new DocumentError("document-damaged");
  }

  /** In the order of the directory. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the name as it is in the zip, also for a name in other case; undefined if there is no such file. */
  find(name: string): string | undefined {
    if (this.#entries.has(name)) return name;
    this.#folded ??= new Map(this.names.toReversed().map((each) => [each.toLowerCase(), each]));
    return this.#folded.get(name.toLowerCase());
  }

  /**
   * Unpacks a file and passes its bytes to `take`, which returns whether it wants more. Returns false if the file is
   * damaged; what precedes the damage was passed on. Throws DocumentError: `document-encrypted`, and
   * `document-too-large` at the end of the budget.
   */
  read(name: string, take: (bytes: Uint8Array) => boolean): boolean {
    const file = this.#locate(name);
    if (file === undefined) return false;
    const { header, packedBytes, checksum } = file;
    if (header.isEncrypted) throw new DocumentError("document-encrypted");
    const packed = this.#bytes.subarray(header.dataOffset, header.dataOffset + packedBytes);
    let sum = 0;
    let isWanted = true;
    const pass = (bytes: Uint8Array): boolean => {
      this.#bytesLeft -= bytes.length;
      if (this.#bytesLeft < 0) throw new DocumentError("document-too-large");
      sum = crc32(bytes, sum);
      isWanted = take(bytes);
      return isWanted;
    };
    if (header.method === STORED) pass(packed);
    else if (header.method !== DEFLATED || !inflate(packed, pass)) return false;
    return !isWanted || checksum === undefined || sum === checksum;
  }

  #locate(
    name: string,
  ): { header: LocalHeader; packedBytes: number; checksum: number | undefined } | undefined {
    for (const entries of [this.#entries, this.#scanned ?? this.#scanIfDamaged(name)]) {
      const entry = entries?.get(name);
      const header = entry && readLocalHeader(this.#bytes, entry.offset);
      if (entry !== undefined && header !== undefined) return { header, ...entry };
    }
    return undefined;
  }

  #scanIfDamaged(name: string): ReadonlyMap<string, ZipEntry> | undefined {
    const entry = this.#entries.get(name);
    const isDamaged = entry && readLocalHeader(this.#bytes, entry.offset) === undefined;
    return isDamaged === true ? this.#scan() : undefined;
  }

  #scan(): ReadonlyMap<string, ZipEntry> {
    this.#scanned ??= scanLocalHeaders(this.#bytes);
    return this.#scanned;
  }
}

/** Returns false if the data is damaged. Data that ends too early is found by its checksum. */
function inflate(packed: Uint8Array, pass: (bytes: Uint8Array) => boolean): boolean {
  let unpacked: Uint8Array[] = [];
  let idleBytes = 0;
  const stream = new Inflate((bytes) => {
    if (bytes.length > 0) unpacked.push(bytes);
  });
  for (let at = 0; at < packed.length && idleBytes <= MAX_IDLE_BYTES; at += STEP_BYTES) {
    const step = packed.subarray(at, at + STEP_BYTES);
    try {
      stream.push(step);
    } catch {
      return false;
    }
    idleBytes = unpacked.length > 0 ? 0 : idleBytes + step.length;
    for (const bytes of unpacked) if (!pass(bytes)) return true;
    unpacked = [];
  }
  return true;
}

function refuseOle(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, OLE.length).equals(OLE)) return;
  throw new DocumentError(
    buffer.includes(ENCRYPTED_PACKAGE) ? "document-encrypted" : "document-damaged",
  );
}
