import { withAsciiLetters } from "./fold-text.ts";
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
 * Collects which files hold which trigrams. One writer serves many segments, one after the other: its
 * tables, 38 MB of address space, are made once.
 */
export class TrigramWriter {
  readonly #pool = new TrigramPool();
  readonly #batch = new TrigramBatch(this.#pool);
  /** 1 for the keys of the file that is being read, and always for those that are not indexed. */
  readonly #keysOfFile = seenTable();
  /** The keys of the file that is being read. */
  #keys = new Int32Array(1 << 16);
  #lastFile = -1;

  /** Bytes that the lists take in memory: what decides when a segment is full. */
  get usedBytes(): number {
    return this.#pool.usedBytes;
  }

  /**
   * Adds a file: the first `length` bytes of `bytes`, its text in UTF-8 (other bytes do no harm).
   * Numbers rise from call to call. Throws RangeError when they do not.
   */
  add(file: number, bytes: Uint8Array, length = bytes.length): void {
    if (file <= this.#lastFile) throw new RangeError("files must come in rising order");
    this.#lastFile = file;
    const text = withAsciiLetters(length === bytes.length ? bytes : bytes.subarray(0, length));
    const count = this.#collect(text);
    this.#batch.add(file, this.#keys, count);
  }

  /** Puts the keys of the text into #keys, each once, and says how many they are. */
  #collect(text: Uint8Array): number {
    if (text.length >= this.#keys.length) this.#keys = new Int32Array(text.length * 2);
    const keys = this.#keys;
    const seen = this.#keysOfFile;
    const classes = CLASS_OF_BYTE;
    let key = START_KEY;
    let count = 0;
    // No branches: whether a key is new cannot be foreseen, and guessing wrong costs half the speed.
    for (let at = 0; at < text.length; at += 1) {
      key = ((key << 7) | (classes[text[at] ?? 0] ?? 0)) & KEY_MASK;
      keys[count] = key;
      count += (seen[key] ?? 0) ^ 1;
      seen[key] = 1;
    }
    for (let at = 0; at < count; at += 1) seen[keys[at] ?? 0] = 0;
    return count;
  }

  /** The sections of the files since the last reset. */
  finish(): TrigramSections {
    this.#batch.flush();
    return this.#pool.finish();
  }

  /** Makes room for the next segment; its numbers may begin at 0 again. */
  reset(): void {
    this.#batch.clear();
    this.#pool.reset();
    this.#lastFile = -1;
  }
}

let spare: TrigramWriter | undefined;

/** One that was given back in this thread, or a new one: making its tables costs more than indexing a saved file. */
export function takeTrigramWriter(): TrigramWriter {
  const writer = spare ?? new TrigramWriter();
  spare = undefined;
  writer.reset();
  return writer;
}

/** Whoever gives it back uses it no more. */
export function giveBackTrigramWriter(writer: TrigramWriter): void {
  spare = writer;
}

function seenTable(): Uint8Array {
  const table = new Uint8Array(KEY_COUNT);
  // 128 keys at a time have their first two classes in common.
  for (let start = 0; start < KEY_COUNT; start += CLASS_COUNT) {
    if (hasBreak(start)) table.fill(1, start, start + CLASS_COUNT);
    else table[start + CLASS_COUNT - 1] = 1;
  }
  return table;
}
