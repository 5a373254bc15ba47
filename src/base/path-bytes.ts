// File names are bytes on Linux and strings everywhere in svc. Each byte that is not part of valid UTF-8
// becomes the code point U+10FF00 + byte, in a private use plane. So does each byte of a real character from
// U+10FF00 on. Thus each name maps to exactly one string, and that string is well-formed.

const FIRST_ESCAPE = 0x10ff00;
/** After a split by this, every second part is one escaped byte. Bytes below 0x80 are never escaped. */
const ESCAPES = /(\uDBFF[\uDF80-\uDFFF])/;
/** The character that Node decodes invalid bytes to, and the characters that serve as escapes. */
const LOSSY = /\uFFFD|\uDBFF[\uDF00-\uDFFF]/;

/** Well-formed UTF-8 sequences by first and second byte (table 3-7 of the Unicode Standard), without ASCII. */
const UTF8_FORMS = [
  { leads: [0xc2, 0xdf], seconds: [0x80, 0xbf], length: 2 },
  { leads: [0xe0, 0xe0], seconds: [0xa0, 0xbf], length: 3 },
  { leads: [0xe1, 0xec], seconds: [0x80, 0xbf], length: 3 },
  { leads: [0xed, 0xed], seconds: [0x80, 0x9f], length: 3 },
  { leads: [0xee, 0xef], seconds: [0x80, 0xbf], length: 3 },
  { leads: [0xf0, 0xf0], seconds: [0x90, 0xbf], length: 4 },
  { leads: [0xf1, 0xf3], seconds: [0x80, 0xbf], length: 4 },
  { leads: [0xf4, 0xf4], seconds: [0x80, 0x8f], length: 4 },
] as const;

/** Decodes a path or name. */
export function pathFromBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString();
  return isLossyName(text) ? decode(buffer) : text;
}

/**
 * Encodes a path or name; pathFromBytes inverts it. An escape of a byte below 0x80 counts as an ordinary
 * character, so no string can hide a `/`, `.` or NUL.
 */
export function pathToBytes(path: string): Buffer {
  if (!hasEscapedBytes(path)) return Buffer.from(path);
  return Buffer.concat(
    path
      .split(ESCAPES)
      .map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(1) & 0xff))),
  );
}

/** Whether the path's bytes differ from its string in UTF-8. */
export function hasEscapedBytes(path: string): boolean {
  // Almost all strings have one byte per character; the first test rejects those at once.
  return path.includes("\uDBFF") && ESCAPES.test(path);
}

/** The path in the form that functions of `node:fs` need. */
export function toFilePath(path: string): string | Buffer {
  return hasEscapedBytes(path) ? pathToBytes(path) : path;
}

/** Whether a name that Node decoded may have lost bytes, so that the caller must read its raw bytes. */
export function isLossyName(name: string): boolean {
  return LOSSY.test(name);
}

function decode(bytes: Buffer): string {
  let path = "";
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      path += bytes.toString("utf8", start, at);
      path += String.fromCodePoint(FIRST_ESCAPE + (bytes[at] ?? 0));
      start = at + 1;
    }
    at += Math.max(length, 1);
  }
  return path + bytes.toString("utf8", start);
}

/** The length in bytes of the character at `at`; 0 if the byte needs an escape. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  const form = UTF8_FORMS.find(
    ({ leads, seconds }) =>
      first >= leads[0] && first <= leads[1] && second >= seconds[0] && second <= seconds[1],
  );
  if (form === undefined) return 0;
  for (let next = at + 2; next < at + form.length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  const isReserved = first === 0xf4 && second === 0x8f && (bytes[at + 2] ?? 0) >= 0xbc;
  return isReserved ? 0 : form.length;
}
