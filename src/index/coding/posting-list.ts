// The documents with a term, and how often each has it. Short lists are varints. Longer ones are blocks of numbers of a fixed
// number of bits, which take two thirds of the space. docs/index-format.md has the layout.

import { damagedSection } from "../damage.ts";
import { ByteWriter, NumberList } from "./bytes.ts";

/** The documents with a term, in stored form. */
export interface PostingList {
  /** Number of documents. */
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** A list of fewer documents is varints: its gaps are too long for blocks. */
export const MIN_PACKED = 32;
/** Postings of a block; the last one of a list may have fewer. */
export const BLOCK_POSTINGS = 128;
/** The bits that a posting of a block may have: one byte has all of them. */
const POSTING_BITS = [0, 1, 2, 4, 8] as const;
const MAX_BITS = 8;
/** Extra cost of a number that does not fit, in half bytes: the processor mispredicts the branch. */
const MISFIT_COST = 1;

/** Returns the bytes of the smallest list of so many documents. */
export function leastBytes(count: number): number {
  return count < MIN_PACKED ? count : Math.ceil(count / BLOCK_POSTINGS);
}

/**
 * Calls `visit` for each document of a list, in order. Takes about 5 ns per posting, plus the visit. Throws
 * INDEX_UNAVAILABLE for other bytes.
 */
// oxlint-disable-next-line complexity -- calls would cost more than their work
export function eachPosting(
  list: PostingList,
  visit: (document: number, frequency: number) => void,
): void {
  const { count, bytes } = list;
  if (count < MIN_PACKED) {
    eachPlainPosting(list, visit);
    return;
  }
  let position = 0;
  let document = -1;
  for (let from = 0; from < count; from += BLOCK_POSTINGS) {
    const end = Math.min(count, from + BLOCK_POSTINGS);
    const head = bytes[position++] ?? 0;
    const gapBits = head & 15;
    const bits = gapBits + (head >>> 4);
    const gapMask = (1 << gapBits) - 1;
    const frequencyMask = (1 << (head >>> 4)) - 1;
    let bit = position * 8;
    position += ((end - from) * bits + 7) >>> 3;
    for (let at = from; at < end; at += 1) {
      const value = (bytes[bit >>> 3] ?? 0) >>> (bit & 7);
      bit += bits;
      let gap = value & gapMask;
      if (gap === gapMask && gapMask > 0) {
        let byte = bytes[position++] ?? 0;
        gap += byte & 0x7f;
        for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
          byte = bytes[position++] ?? 0;
          gap += (byte & 0x7f) * scale;
        }
      }
      let frequency = (value >>> gapBits) & frequencyMask;
      if (frequency === frequencyMask && frequencyMask > 0) frequency += bytes[position++] ?? 0;
      document += gap + 1;
      visit(document, frequency + 1);
    }
  }
  if (position !== bytes.length) throw damagedSection("postings");
}

/** Calls `visit` for each document of a list that is not packed, as all lists were until format 12. */
function eachPlainPosting(
  { count, bytes }: PostingList,
  visit: (document: number, frequency: number) => void,
): void {
  let position = 0;
  let document = 0;
  for (let at = 0; at < count; at += 1) {
    let byte = bytes[position++] ?? 0;
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[position++] ?? 0;
      value += (byte & 0x7f) * scale;
    }
    document += value >>> 1;
    visit(document, (value & 1) === 1 ? (bytes[position++] ?? 0) : 1);
  }
  if (position !== bytes.length) throw damagedSection("postings");
}

/** Encodes one list after the other. */
export class PostingListWriter {
  readonly #gaps = new NumberList();
  /** Each minus 1. */
  readonly #frequencies = new NumberList();
  #last = -1;

  /** Number of documents. */
  get count(): number {
    return this.#gaps.length;
  }

  /** Adds a document, in ascending order. `frequency`: up to 255. */
  add(document: number, frequency: number): void {
    this.#gaps.push(document - this.#last - 1);
    this.#frequencies.push(frequency - 1);
    this.#last = document;
  }

  /** Writes the list and begins the next one. */
  end(to: ByteWriter): void {
    const gaps = this.#gaps.finish();
    const frequencies = this.#frequencies.finish();
    if (gaps.length < MIN_PACKED) writePlain(to, gaps, frequencies);
    else {
      for (let from = 0; from < gaps.length; from += BLOCK_POSTINGS) {
        const end = Math.min(gaps.length, from + BLOCK_POSTINGS);
        to.append(block, 0, encodeBlock(gaps, frequencies, from, end));
      }
    }
    this.#gaps.clear();
    this.#frequencies.clear();
    this.#last = -1;
  }
}

function writePlain(to: ByteWriter, gaps: Uint32Array, frequencies: Uint32Array): void {
  // The first document is its gap; the others are one more than theirs after the one before.
  let step = 0;
  for (const [at, gap] of gaps.entries()) {
    const more = frequencies[at] ?? 0;
    to.varint((gap + step) * 2 + (more > 0 ? 1 : 0));
    if (more > 0) to.byte(more + 1);
    step = 1;
  }
}

/** Room for one block: its first byte, and for each posting one, a varint of up to five, and the rest of a frequency. */
const block = new Uint8Array(1 + BLOCK_POSTINGS * 7);

/** Encodes the postings from `from` on in `block`; returns their length in bytes. */
// oxlint-disable-next-line max-params -- a part of two arrays
function encodeBlock(
  gaps: Uint32Array,
  frequencies: Uint32Array,
  from: number,
  end: number,
): number {
  gapCosts.count(gaps, from, end);
  frequencyCosts.count(frequencies, from, end);
  const head = cheapestHead(end - from);
  const gapBits = head & 15;
  const frequencyBits = head >>> 4;
  const gapMask = (1 << gapBits) - 1;
  const frequencyMask = (1 << frequencyBits) - 1;
  let length = 0;
  block[length++] = head;
  let byte = 0;
  let bits = 0;
  for (let at = from; at < end; at += 1) {
    const gap = Math.min(gaps[at] ?? 0, gapMask);
    byte |= (gap | (Math.min(frequencies[at] ?? 0, frequencyMask) << gapBits)) << bits;
    bits += gapBits + frequencyBits;
    if (bits < 8) continue;
    block[length++] = byte;
    byte = 0;
    bits = 0;
  }
  if (bits > 0) block[length++] = byte;
  for (let at = from; at < end; at += 1) {
    const gap = gaps[at] ?? 0;
    if (gapBits > 0 && gap >= gapMask) {
      let rest = gap - gapMask;
      for (; rest >= 0x80; rest >>>= 7) block[length++] = (rest & 0x7f) | 0x80;
      block[length++] = rest;
    }
    const frequency = frequencies[at] ?? 0;
    if (frequencyBits > 0 && frequency >= frequencyMask)
      block[length++] = frequency - frequencyMask;
  }
  return length;
}
/** Cost of the numbers of a block that do not fit into a number of bits, in half bytes. */
class MisfitCosts {
  /** How many numbers have each length in bits, after 1 is added: with fewer bits, they do not fit. */
  readonly #lengths = new Uint32Array(33);
  readonly #costs = new Float64Array(MAX_BITS + 1);

  count(numbers: Uint32Array, from: number, end: number): void {
    const lengths = this.#lengths.fill(0);
    let longest = 1;
    for (let at = from; at < end; at += 1) {
      const length = 32 - Math.clz32((numbers[at] ?? 0) + 1);
      lengths[length] = (lengths[length] ?? 0) + 1;
      if (length > longest) longest = length;
    }
    const costs = this.#costs.fill(0);
    let cost = 0;
    for (let length = longest; length > 0; length -= 1) {
      if (length <= MAX_BITS) costs[length] = cost;
      cost += (lengths[length] ?? 0) * (MISFIT_COST + 2 * Math.ceil(length / 7));
    }
    // Without bits all numbers are 0, whose length is 1.
    if (longest > 1) costs[0] = Infinity;
  }

  of(bits: number): number {
    return this.#costs[bits] ?? 0;
  }
}

const gapCosts = new MisfitCosts();
const frequencyCosts = new MisfitCosts();

/** Returns the first byte of the smallest block for the numbers whose costs were counted. */
function cheapestHead(postings: number): number {
  let head = 0;
  let least = Infinity;
  for (const bits of POSTING_BITS) {
    const fixed = (postings * bits) / 4;
    for (let ofFrequency = 0; ofFrequency <= bits; ofFrequency += 1) {
      const misfits = frequencyCosts.of(ofFrequency);
      const cost = fixed + misfits + gapCosts.of(bits - ofFrequency);
      if (cost < least) {
        least = cost;
        head = (bits - ofFrequency) | (ofFrequency << 4);
      }
      // Frequencies that fit need no more bits.
      if (misfits === 0) break;
    }
  }
  return head;
}

const writer = new PostingListWriter();

/** Appends a list that is not packed in the form of a segment. */
export function packPostings(list: PostingList, to: ByteWriter): void {
  if (list.count < MIN_PACKED) {
    to.bytes(list.bytes);
    return;
  }
  eachPlainPosting(list, (document, frequency) => writer.add(document, frequency));
  writer.end(to);
}

/** Encodes (document, frequency) pairs, in ascending order of documents. Frequencies are capped at 255. */
export function postingListOf(postings: readonly (readonly [number, number])[]): PostingList {
  const to = new ByteWriter();
  for (const [document, frequency] of postings) writer.add(document, Math.min(255, frequency));
  writer.end(to);
  return { count: postings.length, bytes: to.finish() };
}
