// Front coding: each text is stored without the prefix that it shares with the one before.

import type { ByteReader, ByteWriter } from "./bytes.ts";

/** Writes `text` without its common prefix with `previous`; returns `text`. */
export function writeFrontCoded(to: ByteWriter, previous: string, text: string): string {
  const shared = sharedPrefix(previous, text);
  to.varint(shared);
  to.text(text, shared);
  return text;
}

/** Reads a text that was written after `previous`. */
export function readFrontCoded(from: ByteReader, previous: string): string {
  const shared = from.varint();
  const rest = from.text();
  return shared === 0 ? rest : previous.slice(0, shared) + rest;
}

/** Skips one text. */
export function skipFrontCoded(from: ByteReader): void {
  from.varint();
  const length = from.varint();
  from.position += length;
}

/** Returns the length of the common prefix in UTF-16 units, without splitting a surrogate pair. */
export function sharedPrefix(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < limit && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1;
  // Half of a surrogate pair cannot be written as UTF-8.
  const last = shared === 0 ? 0 : one.charCodeAt(shared - 1);
  return last >= 0xd800 && last <= 0xdbff ? shared - 1 : shared;
}
