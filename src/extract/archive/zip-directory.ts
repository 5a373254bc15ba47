// The list of files in a zip, from its central directory, or from the headers of the files if that is damaged.
import { DocumentError } from "../../base/documents/document.ts";

/** A file in a zip. */
export interface ZipEntry {
  /** Offset of its local header. */
  readonly offset: number;
  /** Length of its packed data; Infinity if unknown. */
  readonly packedBytes: number;
  /** Undefined if unknown. */
  readonly checksum: number | undefined;
}

/** What precedes the data of a file. */
export interface LocalHeader {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly dataOffset: number;
  readonly packedBytes: number;
  readonly checksum: number | undefined;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const LOCATOR64_BYTES = 20;
const MAX_COMMENT_BYTES = 0xffff;
const UNKNOWN32 = 0xffffffff;
const ZIP64_FIELD = 1;
const ENCRYPTED_FLAG = 1;
const SIZES_FOLLOW_FLAG = 8;
/** More files than any document has. */
const MAX_ENTRIES = 100_000;
/** Longer names, with what precedes them, are not of documents: a damaged file may have one every 30 bytes. */
const MAX_NAME_BYTES = 1000;
const DECODER = new TextDecoder();

/**
 * Returns the files that the central directory names; of two with one name, the first. Empty if there is no directory.
 * Throws DocumentError `document-damaged` if it has more than 100,000 files.
 */
export function readCentralDirectory(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = viewOf(bytes);
  const entries = new Map<string, ZipEntry>();
  const directory = findDirectory(view, bytes);
  if (directory === undefined) return entries;
  let at = directory.start;
  for (let count = 0; signatureAt(view, at) === CENTRAL; count += 1) {
    if (count >= MAX_ENTRIES) throw new DocumentError("document-damaged");
    if (at + CENTRAL_BYTES > bytes.length) break;
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > bytes.length) break;
    const name = nameOf(bytes.subarray(at + CENTRAL_BYTES, nameEnd));
    if (!entries.has(name)) {
      entries.set(name, centralEntry(view, at, { start: nameEnd, end: extraEnd }, directory.shift));
    }
    at = extraEnd + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Returns the files whose local headers are found by a search through all bytes. */
export function scanLocalHeaders(bytes: Uint8Array): Map<string, ZipEntry> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = new Map<string, ZipEntry>();
  for (let at = nextLocal(buffer, 0); at !== -1 && entries.size < MAX_ENTRIES;) {
    const next = nextLocal(buffer, at + 4);
    const header = readLocalHeader(bytes, at);
    if (header !== undefined && !entries.has(header.name)) {
      const room = Math.max(0, (next === -1 ? bytes.length : next) - header.dataOffset);
      const packedBytes = Math.min(header.packedBytes, room);
      entries.set(header.name, { offset: at, packedBytes, checksum: header.checksum });
    }
    at = next;
  }
  return entries;
}

/** Returns the local header at an offset; undefined if there is none. */
export function readLocalHeader(bytes: Uint8Array, at: number): LocalHeader | undefined {
  const view = viewOf(bytes);
  if (signatureAt(view, at) !== LOCAL || at + LOCAL_BYTES > bytes.length) return undefined;
  const flags = view.getUint16(at + 6, true);
  const nameEnd = at + LOCAL_BYTES + view.getUint16(at + 26, true);
  const dataOffset = nameEnd + view.getUint16(at + 28, true);
  if (dataOffset > bytes.length || nameEnd - at > MAX_NAME_BYTES) return undefined;
  const packedBytes = view.getUint32(at + 18, true);
  const isUnknown = (flags & SIZES_FOLLOW_FLAG) !== 0 || packedBytes === UNKNOWN32;
  return {
    name: nameOf(bytes.subarray(at + LOCAL_BYTES, nameEnd)),
    method: view.getUint16(at + 8, true),
    isEncrypted: (flags & ENCRYPTED_FLAG) !== 0,
    dataOffset,
    packedBytes: isUnknown ? Infinity : packedBytes,
    checksum: isUnknown ? undefined : view.getUint32(at + 14, true),
  };
}

function centralEntry(
  view: DataView,
  at: number,
  extra: { readonly start: number; readonly end: number },
  shift: number,
): ZipEntry {
  let packedBytes = view.getUint32(at + 20, true);
  let offset = view.getUint32(at + 42, true);
  const unpackedIsLong = view.getUint32(at + 24, true) === UNKNOWN32;
  if (packedBytes === UNKNOWN32 || offset === UNKNOWN32) {
    let field = zip64Field(view, extra);
    if (unpackedIsLong) field = field.slice(1);
    if (packedBytes === UNKNOWN32) [packedBytes = UNKNOWN32, ...field] = field;
    if (offset === UNKNOWN32) offset = field[0] ?? UNKNOWN32;
  }
  return { offset: offset + shift, packedBytes, checksum: view.getUint32(at + 16, true) };
}

/** Returns the 64-bit numbers of the field of extra data for long files. */
function zip64Field(
  view: DataView,
  { start, end }: { readonly start: number; readonly end: number },
): number[] {
  for (let at = start; at + 4 <= end;) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === ZIP64_FIELD) {
      const count = Math.floor(Math.min(length, end - at - 4) / 8);
      return Array.from({ length: count }, (_, index) =>
        Number(view.getBigUint64(at + 4 + index * 8, true)),
      );
    }
    at += 4 + length;
  }
  return [];
}

/** Where the central directory begins, and what to add to offsets if other data precedes the zip. */
function findDirectory(
  view: DataView,
  bytes: Uint8Array,
): { readonly start: number; readonly shift: number } | undefined {
  const end = findEnd(view, bytes);
  if (end === undefined) return undefined;
  let size = view.getUint32(end + 12, true);
  let start = view.getUint32(end + 16, true);
  const locator = end - LOCATOR64_BYTES;
  if (locator >= 0 && signatureAt(view, locator) === LOCATOR64) {
    const end64 = Number(view.getBigUint64(locator + 8, true));
    if (signatureAt(view, end64) === END64 && end64 + 56 <= bytes.length) {
      size = Number(view.getBigUint64(end64 + 40, true));
      start = Number(view.getBigUint64(end64 + 48, true));
    }
  }
  if (signatureAt(view, start) === CENTRAL) return { start, shift: 0 };
  const actual = end - size;
  return signatureAt(view, actual) === CENTRAL
    ? { start: actual, shift: actual - start }
    : undefined;
}

function findEnd(view: DataView, bytes: Uint8Array): number | undefined {
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  return undefined;
}

function nextLocal(buffer: Buffer, from: number): number {
  return buffer.indexOf("PK\u{3}\u{4}", from, "latin1");
}

function signatureAt(view: DataView, at: number): number | undefined {
  const isInside = Number.isSafeInteger(at) && at >= 0 && at + 4 <= view.byteLength;
  return isInside ? view.getUint32(at, true) : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Some programs write backslashes, or a slash at the beginning. */
function nameOf(bytes: Uint8Array): string {
  return DECODER.decode(bytes).replaceAll("\\", "/").replace(/^\/+/u, "");
}
