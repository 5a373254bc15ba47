// Writes sorted terms, front coded in blocks, each followed by the lengths of its posting lists.

import { ByteWriter, NumberList } from "../../coding/bytes.ts";
import { MORE_FOLLOWS, TERM_FIELDS, TERMS_PER_BLOCK } from "./format.ts";
import { sharedPrefix } from "../../coding/front-coding.ts";
import { leastBytes } from "../../coding/posting-list.ts";

/** The three sections of a dictionary and its number of terms. */
export interface Dictionary {
  /** Number of terms. */
  readonly size: number;
  readonly postings: Uint8Array;
  readonly terms: Uint8Array;
  readonly blocks: Uint8Array;
}

/** Takes terms in ascending order (UTF-16 code units), each with its posting lists. */
export class DictionaryWriter {
  /** Write the posting lists of a term here, field by field, before calling `add` for it. */
  readonly postings = new ByteWriter();
  readonly #terms = new ByteWriter();
  readonly #blocks = new NumberList();
  #previous = "";
  #size = 0;
  #start = 0;

  /**
   * Adds the term whose lists have just been written. `counts`: documents per field (0: the field does not
   * contain it). `ends`: the end offset in `postings` of each field's list.
   */
  add(term: string, counts: ArrayLike<number>, ends: ArrayLike<number>): void {
    const terms = this.#terms;
    const isFirst = this.#size % TERMS_PER_BLOCK === 0;
    if (isFirst) {
      this.#blocks.push(terms.length);
      this.#blocks.push(this.#start);
    }
    const shared = isFirst ? 0 : sharedPrefix(this.#previous, term);
    terms.varint(shared);
    terms.text(term, shared);
    let bits = 0;
    for (let field = 0; field < TERM_FIELDS.length; field += 1) {
      if ((counts[field] ?? 0) > 0) bits |= 1 << field;
    }
    terms.byte(bits);
    for (let field = 0; field < TERM_FIELDS.length; field += 1) {
      const count = counts[field] ?? 0;
      if (count === 0) continue;
      const end = ends[field] ?? 0;
      const more = end - this.#start - leastBytes(count);
      terms.varint((count - 1) * 4 + Math.min(more, MORE_FOLLOWS));
      if (more >= MORE_FOLLOWS) terms.varint(more);
      this.#start = end;
    }
    this.#previous = term;
    this.#size += 1;
  }

  finish(): Dictionary {
    const blocks = this.#blocks.finish();
    return {
      size: this.#size,
      postings: this.postings.finish(),
      terms: this.#terms.finish(),
      blocks: new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.byteLength),
    };
  }
}
