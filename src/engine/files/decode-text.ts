import { isAscii } from "node:buffer";

/** Git searches the same range for NUL. */
const BINARY_CHECK_BYTES = 8192;

export interface DecodedText {
  readonly text: string;
  readonly isAscii: boolean;
}

/**
 * The text of a file as the index reads it: UTF-8, or UTF-16 after a byte order mark, which is removed. Invalid
 * bytes become U+FFFD.
 */
export function decodeText(bytes: Buffer): DecodedText {
  if (isAscii(bytes)) return { text: bytes.toString("latin1"), isAscii: true };
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  const encoding = mark === 0xfeff ? "utf-16be" : "utf-16le";
  const text =
    mark === 0xfffe || mark === 0xfeff
      ? new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
      : bytes.toString();
  return { text: text.startsWith("\ufeff") ? text.slice(1) : text, isAscii: false };
}

/** Whether the index treats a file with these bytes and this text as binary. */
export function isBinary(bytes: Buffer, { text }: DecodedText): boolean {
  const at = bytes.indexOf(0);
  if (at === -1) return false;
  const isUtf16 = bytes.length >= 2 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE());
  return isUtf16 ? text.includes("\0") : at < BINARY_CHECK_BYTES;
}
