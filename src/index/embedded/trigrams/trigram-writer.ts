import { withAsciiLetters } from "../../fold-text.ts";
import { TrigramBatch } from "./trigram-batch.ts";
import {
  CLASS_COUNT,
  CLASS_OF_BYTE,
  KEY_COUNT,
  KEY_MASK,
  START_KEY,
  hasBreak,
} from "./trigram-format.ts";
import { TrigramPool } from "./trigram-pool.ts";
import type { TrigramSections } from "./trigram-sections.ts";

/**
 * Collects which files contain which trigrams. One writer serves many segments, one after the other: its
 * tables, from 11 to 40 MB of address space, are allocated once.
 */
export class TrigramWriter {
  readonly #pool = new TrigramPool();
  readonly #batch = new TrigramBatch(this.#pool);
  /** 1 for the keys of the current file, and always for keys that are not indexed. */
  readonly #keysOfFile = seenTable();
  /** The keys of the current file. */
  #keys = new Int32Array(1 << 16);
  #lastFile = -1;

  /** Memory use of the lists in bytes; decides when a segment is full. */
  get usedBytes(): number {
    return this.#pool.usedBytes;
  }

  /**
   * Adds a file: the first `length` bytes of `bytes`, its text in UTF-8 (other bytes do no harm). Throws
   * RangeError unless file numbers ascend from call to call.
   */
  add(file: number, bytes: Uint8Array, length = bytes.length): void {
    if (file <= this.#lastFile) throw new RangeError("files must come in ascending order");
    this.#lastFile = file;
    const text = withAsciiLetters(length === bytes.length ? bytes : bytes.subarray(0, length));
    const count = this.#collect(text);
    this.#batch.add(file, this.#keys, count);
  }

  /** Collects the distinct keys of the text in #keys and returns their number. */
  #collect(text: Uint8Array): number {
    if (text.length >= this.#keys.length) this.#keys = new Int32Array(text.length * 2);
    const keys = this.#keys;
    const seen = this.#keysOfFile;
    const classes = CLASS_OF_BYTE;
    let key = START_KEY;
    let count = 0;
    // No branches: whether a key is new is unpredictable, and mispredictions would halve the speed.
    for (let at = 0; at < text.length; at += 1) {
      key = ((key << 7) | (classes[text[at] ?? 0] ?? 0)) & KEY_MASK;
      keys[count] = key;
      count += (seen[key] ?? 0) ^ 1;
      seen[key] = 1;
    }
    for (let at = 0; at < count; at += 1) seen[keys[at] ?? 0] = 0;
    return count;
  }

  /** Returns the sections of the files since the last reset. */
  finish(): TrigramSections {
    this.#batch.flush();
    return this.#pool.finish();
  }

  /** Prepares for the next segment, whose file numbers may begin at 0 again. */
  reset(): void {
    this.#batch.clear();
    this.#pool.reset();
    this.#lastFile = -1;
  }
}

let spare: TrigramWriter | undefined;

/**
 * Returns a writer that was given back in this thread, or a new one: allocating its tables takes longer than
 * indexing a saved file.
 */
export function takeTrigramWriter(): TrigramWriter {
  const writer = spare ?? new TrigramWriter();
  spare = undefined;
  writer.reset();
  return writer;
}

/** Gives a writer back; the caller must not use it afterwards. */
export function giveBackTrigramWriter(writer: TrigramWriter): void {
  spare = writer;
}

function seenTable(): Uint8Array {
  const table = new Uint8Array(KEY_COUNT);
  // 128 consecutive keys share their first two classes.
  for (let start = 0; start < KEY_COUNT; start += CLASS_COUNT) {
    if (hasBreak(start)) table.fill(1, start, start + CLASS_COUNT);
    else table[start + CLASS_COUNT - 1] = 1;
  }
  return table;
}
