import type { ListPlace } from "./trigram-lists.ts";
import type { TrigramReader } from "./trigram-reader.ts";
import { TrigramSectionWriter, type TrigramSections } from "./trigram-sections.ts";

/** The trigrams of a segment to merge. */
export interface TrigramMergeInput {
  readonly reader: TrigramReader;
  /** The new number of each file, or -1 if it is dropped. New numbers are distinct over all inputs. */
  readonly renumber: Int32Array;
}

/** One cursor per input. */
interface Cursor {
  readonly input: TrigramMergeInput;
  readonly places: Iterator<ListPlace>;
  current: ListPlace | undefined;
}

/** Merges the sections of several segments. Throws INDEX_UNAVAILABLE. */
export function mergeTrigrams(inputs: readonly TrigramMergeInput[]): TrigramSections {
  const writer = new TrigramSectionWriter();
  const gathered = new MergedPostings(inputs);
  const cursors = inputs.map((input): Cursor => {
    const places = input.reader.lists.places();
    return { input, places, current: next(places) };
  });
  for (;;) {
    const key = cursors.reduce(
      (minKey, { current }) =>
        current !== undefined && current.key < minKey ? current.key : minKey,
      Number.POSITIVE_INFINITY,
    );
    if (key === Number.POSITIVE_INFINITY) return writer.finish();
    for (const cursor of cursors) {
      if (cursor.current?.key !== key) continue;
      const { reader, renumber } = cursor.input;
      gathered.add(reader.lists.decode(cursor.current), renumber);
      cursor.current = next(cursor.places);
    }
    gathered.writeTo(writer, key);
  }
}

function next(places: Iterator<ListPlace>): ListPlace | undefined {
  const result = places.next();
  return result.done === true ? undefined : result.value;
}

/** Collects the new numbers of one key, in any order. */
class MergedPostings {
  readonly #numbers: Uint32Array;
  readonly #marks: Uint8Array;
  #count = 0;
  #last = -1;
  #isRising = true;

  constructor(inputs: readonly TrigramMergeInput[]) {
    let total = 0;
    let highest = -1;
    for (const { renumber } of inputs) {
      total += renumber.length;
      for (const number of renumber) highest = Math.max(highest, number);
    }
    this.#numbers = new Uint32Array(total);
    this.#marks = new Uint8Array(highest + 1);
  }

  add(files: Uint32Array, renumber: Int32Array): void {
    for (const file of files) {
      const number = renumber[file] ?? -1;
      if (number < 0) continue;
      if (number <= this.#last) this.#isRising = false;
      this.#last = number;
      this.#numbers[this.#count++] = number;
    }
  }

  /** Writes the collected numbers, if there are any, and clears them. */
  writeTo(writer: TrigramSectionWriter, key: number): void {
    const count = this.#count;
    if (count > 0) {
      const numbers = this.#numbers.subarray(0, count);
      if (!this.#isRising) this.#sort(numbers);
      writer.add(key, numbers);
    }
    this.#count = 0;
    this.#last = -1;
    this.#isRising = true;
  }

  #sort(numbers: Uint32Array): void {
    // Marking takes time linear in the segment's files; sorting takes n log n in the numbers.
    if (numbers.length < this.#marks.length / 64) {
      numbers.sort();
      return;
    }
    const marks = this.#marks.fill(0);
    for (const number of numbers) marks[number] = 1;
    let length = 0;
    for (let number = 0; number < marks.length; number += 1) {
      if (marks[number] === 1) numbers[length++] = number;
    }
  }
}
