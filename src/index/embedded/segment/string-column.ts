// Concatenated strings: u32 offsets into the text, one more than there are strings, then the text in UTF-8.

import { ByteWriter, NumberList } from "../../coding/bytes.ts";

/** Collects strings and encodes them. */
export class StringColumn {
  readonly #offsets = new NumberList();
  readonly #text = new ByteWriter();
  readonly #strings: string[] = [];

  get length(): number {
    return this.#strings.length;
  }

  push(text: string): void {
    this.#strings.push(text);
    this.#offsets.push(this.#text.length);
    this.#text.bytes(Buffer.from(text));
  }

  /** Returns the numbers of the strings in code unit order. */
  order(): Uint32Array {
    const strings = this.#strings;
    return Uint32Array.from(strings.keys()).toSorted((one, other) =>
      (strings[one] ?? "") < (strings[other] ?? "") ? -1 : 1,
    );
  }

  finish(): Uint8Array {
    const offsets = new Uint32Array(this.length + 1);
    offsets.set(this.#offsets.finish());
    offsets[this.length] = this.#text.length;
    return Buffer.concat([new Uint8Array(offsets.buffer), this.#text.finish()]);
  }
}

/** Reads the output of `StringColumn.finish`. */
export class StringTable {
  readonly #offsets: Uint32Array;
  readonly #text: Buffer;

  /** `bytes` must begin at a multiple of 4 in its buffer. */
  constructor(bytes: Uint8Array<ArrayBuffer>, count: number) {
    this.#offsets = new Uint32Array(bytes.buffer, bytes.byteOffset, count + 1);
    const start = bytes.byteOffset + (count + 1) * 4;
    this.#text = Buffer.from(bytes.buffer, start, bytes.byteLength - (count + 1) * 4);
  }

  get(at: number): string {
    return this.#text.toString("utf8", this.#offsets[at], this.#offsets[at + 1]);
  }

  /** Returns all of them. Parts of one text take a third of the time of as many texts. */
  all(): readonly string[] {
    const offsets = this.#offsets;
    const text = this.#text.toString("utf8");
    const isAscii = text.length === this.#text.length;
    return Array.from({ length: offsets.length - 1 }, (_, at) =>
      isAscii ? text.slice(offsets[at], offsets[at + 1]) : this.get(at),
    );
  }
}
