// Decodes the bytes of a file. The index and every answer use this, so that they agree on words and lines.

import { isAscii, isUtf8 } from "node:buffer";

import { decodeAsDeclared, decodeByLetters } from "./legacy-encoding.ts";

/** Git searches for NUL in the same range. */
const BINARY_CHECK_BYTES = 8192;
/** A text with a larger share of undecodable bytes is in an unknown encoding. */
const MAX_REPLACED_SHARE = 0.01;
/** The same for a file without control characters: its words in ASCII are found, as of any program with foreign comments. */
const MAX_REPLACED_SHARE_OF_TEXT = 0.5;
/** Control characters of texts: tab, line feed, vertical tab, form feed, carriage return, escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const REPLACED = 0xfffd;
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
 * Decodes UTF-8, UTF-16 after a byte order mark, and what editors wrote before UTF-8: the encoding that the file declares,
 * Windows-1252, the superset of Latin-1, for western languages, and what `decodeByLetters` finds.
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
  const legacy = isBinary ? undefined : legacyText(bytes, text);
  if (legacy !== undefined) return { text: legacy, isAscii: false, isBinary, isReadable: true };
  const share = foreignCharacters(text).replaced / text.length;
  const limit = bytes.some(isControl) ? MAX_REPLACED_SHARE : MAX_REPLACED_SHARE_OF_TEXT;
  return { text, isAscii: false, isBinary, isReadable: share < limit };
}

/** Decodes bytes that are not UTF-8; `asUtf8` is what they would be. Undefined if they are in no known encoding. */
function legacyText(bytes: Buffer, asUtf8: string): string | undefined {
  const { all, replaced } = foreignCharacters(asUtf8);
  // A file in UTF-8 with some damage.
  if (all > 2 * replaced) return undefined;
  const declared = decodeAsDeclared(bytes);
  if (declared !== undefined) return declared;
  if (isWindows1252(bytes)) return new TextDecoder("windows-1252").decode(bytes);
  return decodeByLetters(bytes);
}

/** Counts the characters that are not in ASCII, and those of them that replace broken bytes. */
function foreignCharacters(text: string): { readonly all: number; readonly replaced: number } {
  let all = 0;
  let replaced = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80 || isLowSurrogate(unit)) continue;
    all += 1;
    if (unit === REPLACED) replaced += 1;
  }
  return { all, replaced };
}

/** Returns whether a unit is the second of a pair. Decoded text has no others. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isControl(byte: number): boolean {
  return byte < 0x20 && !TEXT_CONTROLS.has(byte);
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
 * 0x80 on are alone, or two inside a word ("größer"). In UTF-8, in Cyrillic or Greek code pages and in those of East Asia
 * more are next to each other.
 */
function isWindows1252(bytes: Buffer): boolean {
  let western = 0;
  let others = 0;
  for (let at = 0; at < bytes.length;) {
    if ((bytes[at] ?? 0) < 0x80) {
      at += 1;
      continue;
    }
    const start = at;
    for (; (bytes[at] ?? 0) >= 0x80; at += 1)
      if (UNDEFINED_IN_WINDOWS_1252.has(bytes[at] ?? 0)) return false;
    const length = at - start;
    const isInWord = isSmallLetter(bytes[start - 1]) && isSmallLetter(bytes[at]);
    if (length === 1 || (length === 2 && isInWord)) western += length;
    else others += length;
  }
  return western > 4 * others;
}

function isSmallLetter(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
