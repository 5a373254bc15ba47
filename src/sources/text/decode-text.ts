// Decodes the bytes of a file. The index and every answer use this, so that they agree on words and lines.

import { isAscii, isUtf8 } from "node:buffer";

/** Git searches for NUL in the same range. */
const BINARY_CHECK_BYTES = 8192;
/** A text with a larger share of undecodable bytes is in an unknown encoding. */
const MAX_REPLACED_SHARE = 0.01;
/** Bytes that Windows-1252 does not define. */
const UNDEFINED_IN_WINDOWS_1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

export interface DecodedText {
  /** Without a byte order mark. Undecodable bytes are U+FFFD. */
  readonly text: string;
  readonly isAscii: boolean;
  /** Whether it contains NUL where a text has none. */
  readonly isBinary: boolean;
  /** False if so many bytes are undecodable that the encoding is unknown. */
  readonly isReadable: boolean;
}

/**
 * Decodes UTF-8, UTF-16 after a byte order mark, and text of western languages in Windows-1252, the superset of Latin-1
 * that editors wrote before UTF-8.
 */
export function decodeText(bytes: Buffer): DecodedText {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) {
    return { text: utf16, isAscii: false, isBinary: utf16.includes("\0"), isReadable: true };
  }
  const isBinary = bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
  if (isAscii(bytes)) {
    return { text: bytes.toString("latin1"), isAscii: true, isBinary, isReadable: true };
  }
  const text = bytes.toString("utf8", hasUtf8Mark(bytes) ? 3 : 0);
  if (isUtf8(bytes)) return { text, isAscii: false, isBinary, isReadable: true };
  if (!isBinary && isWindows1252(bytes)) {
    const decoded = new TextDecoder("windows-1252").decode(bytes);
    return { text: decoded, isAscii: false, isBinary, isReadable: true };
  }
  const replaced = text.split("\uFFFD").length - 1;
  const isReadable = replaced < text.length * MAX_REPLACED_SHARE;
  return { text, isAscii: false, isBinary, isReadable };
}

function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Decodes a file that begins with a UTF-16 byte order mark; undefined for others. An odd byte at the end is dropped. */
function utf16Of(bytes: Buffer): string | undefined {
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittleEndian && !isBigEndian) return undefined;
  // A copy, because swap16 works in place.
  const units = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
  return (isBigEndian ? units.swap16() : units).toString("utf16le").toWellFormed();
}

/**
 * Whether bytes that are not UTF-8 are text in Windows-1252. In western languages most letters are ASCII, so bytes from
 * 0x80 on are alone. In UTF-8, in Cyrillic or Greek code pages and in those of East Asia they are next to each other.
 */
function isWindows1252(bytes: Buffer): boolean {
  let single = 0;
  let adjacent = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    if (UNDEFINED_IN_WINDOWS_1252.has(byte)) return false;
    const isAdjacent = (bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80;
    if (isAdjacent) adjacent += 1;
    else single += 1;
  }
  return single > 4 * adjacent;
}
