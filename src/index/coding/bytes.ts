// Variable-length integers and growable arrays, from which segments are built.

/** A byte buffer that grows by doubling. It begins small: a segment of one file has a dozen of them. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 10);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Removes all bytes after the first `length`. Later writes overwrite or detach the result of `finish`. */
  clear(length = 0): void {
    this.#length = length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes a whole number from 0 to 2^53 in LEB128. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  bytes(values: Uint8Array): void {
    if (this.#length + values.length > this.#bytes.length) this.#grow(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** Appends `values` from `from` up to, not including, `to`. */
  append(values: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    // Copying a few bytes is faster than creating a view.
    if (length > 40) {
      this.#bytes.set(values.subarray(from, to), this.#length);
      this.#length += length;
      return;
    }
    for (let at = from; at < to; at += 1) this.#bytes[this.#length++] = values[at] ?? 0;
  }

  /** Appends what another writer has. */
  copy(other: ByteWriter): void {
    this.append(other.#bytes, 0, other.#length);
  }

  /** Writes the byte length of `text` from `start` on, then its UTF-8 bytes. */
  text(text: string, start = 0): void {
    const at = this.#length;
    const end = text.length;
    // Almost all names are short and ASCII: one byte for the length, then one per character.
    if (end - start < 0x80) {
      if (at + 0x80 > this.#bytes.length) this.#grow(0x80);
      let index = start;
      while (index < end) {
        const code = text.charCodeAt(index);
        if (code >= 0x80) break;
        index += 1;
        this.#bytes[at + index - start] = code;
      }
      if (index === end) {
        this.#bytes[at] = end - start;
        this.#length = at + 1 + end - start;
        return;
      }
    }
    const bytes = Buffer.from(start === 0 ? text : text.slice(start));
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(more: number): void {
    const size = Math.max(this.#bytes.length * 2, this.#length + more);
    // Frees the old buffer at once. The next collection of garbage may come much later.
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(size));
  }
}

/**
 * Reads the output of ByteWriter. Returns 0 or empty values after the end, so that a damaged count cannot lead
 * outside.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = position;
  }

  get left(): number {
    return Math.max(0, this.#bytes.length - this.position);
  }

  byte(): number {
    return this.#bytes[this.position++] ?? 0;
  }

  varint(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  bytes(length: number): Uint8Array {
    const start = this.position;
    this.position += length;
    return this.#bytes.subarray(start, this.position);
  }

  /** Reads the output of `ByteWriter.text`. */
  text(): string {
    const length = this.varint();
    const start = this.position;
    this.position += length;
    return this.#bytes.toString("utf8", start, this.position);
  }

  skipText(): void {
    const length = this.varint();
    this.position += length;
  }

  /** Reads a text and returns whether it is this one, without decoding it. */
  isText(utf8: Uint8Array): boolean {
    const length = this.varint();
    const start = this.position;
    const isEqual = length === utf8.length && this.countEqual(utf8, 0, length) === length;
    this.position = start + length;
    return isEqual;
  }

  /** Reads as many of the next `length` bytes as are equal to those of `expected` from `at` on. Returns their number. */
  countEqual(expected: Uint8Array, at: number, length: number): number {
    const start = this.position;
    const most = Math.min(length, expected.length - at);
    let equal = 0;
    while (equal < most && this.#bytes[start + equal] === expected[at + equal]) equal += 1;
    this.position = start + equal;
    return equal;
  }
}

/** A list of whole numbers below 2^32 that grows by doubling. */
export class NumberList {
  #values = new Uint32Array(1 << 8);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    // The old memory is freed at once, as in ByteWriter.
    if (this.#length === this.#values.length)
      this.#values = new Uint32Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    this.#values[this.#length++] = value;
  }

  /** Empties the list. Later numbers overwrite the result of `finish`. */
  clear(): void {
    this.#length = 0;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** Returns a view, not a copy; no number may be added while it is used. */
  finish(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
