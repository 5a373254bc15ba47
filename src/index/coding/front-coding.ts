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

/** Passes over texts, and reads the last of them if it is wanted after all. */
export class PassedTexts {
  readonly #from: ByteReader;
  /** The texts that the last one has a beginning of: how much each shares with the one before it, and its place. */
  readonly #around: { readonly shared: number; readonly position: number }[] = [];

  constructor(from: ByteReader) {
    this.#from = from;
  }

  /** Passes over the next text. */
  pass(): void {
    const shared = this.#from.varint();
    while ((this.#around.at(-1)?.shared ?? -1) >= shared) this.#around.pop();
    this.#around.push({ shared, position: this.#from.position });
    this.#from.skipText();
  }

  /** Returns the text that was passed last; "" if none was. */
  last(): string {
    const { position } = this.#from;
    let text = "";
    for (const { shared, position: start } of this.#around) {
      this.#from.position = start;
      text = text.slice(0, shared) + this.#from.text();
    }
    this.#from.position = position;
    return text;
  }
}

/**
 * Finds a text among sorted ones, which it passes over unread: what a text shares with the one before decides whether
 * it can be the wanted one. Only for ASCII, of which the shared UTF-16 units are bytes.
 */
export class SortedTextSearch {
  readonly #wanted: Uint8Array;
  /** The length of what the last text, which is before the wanted one, shares with it. */
  #matched = 0;

  private constructor(wanted: Uint8Array) {
    this.#wanted = wanted;
  }

  /** Undefined for a text with other characters than ASCII. */
  static for(text: string): SortedTextSearch | undefined {
    const bytes = Buffer.from(text);
    return bytes.length === text.length ? new SortedTextSearch(bytes) : undefined;
  }

  /** Passes over the next text: below 0 if it is before the wanted one, 0 if it is that one, above 0 if it is after it. */
  next(from: ByteReader): number {
    const wanted = this.#wanted;
    const shared = from.varint();
    const length = from.varint();
    const end = from.position + length;
    let order = -1;
    if (shared < this.#matched) order = 1;
    else if (shared === this.#matched) {
      this.#matched += from.countEqual(wanted, this.#matched, length);
      const isWhole = from.position === end;
      if (isWhole && this.#matched === wanted.length) order = 0;
      // A longer text, or a greater byte, is after the wanted one.
      else if (!isWhole && from.byte() >= (wanted[this.#matched] ?? 0)) order = 1;
    }
    from.position = end;
    return order;
  }
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
