// Terms in order, front coded in blocks, each followed by where its posting lists are.

import { ByteWriter, NumberList } from "./bytes.ts";
import { TERM_FIELDS, TERMS_PER_BLOCK } from "./format.ts";
import { sharedPrefix } from "./front-coding.ts";

/** The three sections that make a dictionary, and how many terms it has. */
export interface Dictionary {
  readonly size: number;
  readonly postings: Uint8Array;
  readonly terms: Uint8Array;
  readonly blocks: Uint8Array;
}

/** Takes terms in rising order (UTF-16 code units), each with its posting lists. */
export class DictionaryWriter {
  /** Where the posting lists of the term go, field after field, before `add` is called for it. */
  readonly postings = new ByteWriter();
  readonly #terms = new ByteWriter();
  readonly #blocks = new NumberList();
  #previous = "";
  #size = 0;
  #start = 0;

  /**
   * Adds the term whose lists have just been written: `counts` are the documents in each field (0: not
   * in it) and `ends` where in `postings` the list of each field ended.
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
      terms.varint(count);
      terms.varint(end - this.#start);
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
