// Counts the documents of a posting list that are in a set, without decoding their frequencies.

import { BLOCK_POSTINGS, eachPosting, MIN_PACKED, type PostingList } from "./posting-list.ts";

/**
 * Returns how many documents of a list are in the set: those with a 1 in `members`, which has no document from `end` on.
 * Reads the list only up to there. Takes about 6 ns per posting. Bytes of another form give any number: who reads the whole
 * list notices them.
 */
// oxlint-disable-next-line complexity -- calls would cost more than their work
export function countPostings(list: PostingList, members: Uint8Array, end: number): number {
  const { count, bytes } = list;
  let found = 0;
  if (count < MIN_PACKED) {
    eachPosting(list, (document) => void (found += members[document] ?? 0));
    return found;
  }
  let position = 0;
  let document = -1;
  for (let from = 0; from < count && document < end; from += BLOCK_POSTINGS) {
    const size = Math.min(count - from, BLOCK_POSTINGS);
    const head = bytes[position++] ?? 0;
    const gapBits = head & 15;
    const frequencyBits = head >>> 4;
    const bits = gapBits + frequencyBits;
    const gapMask = (1 << gapBits) - 1;
    const frequencyMask = ((1 << frequencyBits) - 1) << gapBits;
    // A rest follows a number whose bits are all 1. With 0 bits there is no rest.
    const gapMisfit = gapBits === 0 ? -1 : gapMask;
    const frequencyMisfit = frequencyBits === 0 ? -1 : frequencyMask;
    let place = position << 3;
    position += (size * bits + 7) >>> 3;
    for (let at = 0; at < size; at += 1) {
      const value = (bytes[place >>> 3] ?? 0) >>> (place & 7);
      place += bits;
      let gap = value & gapMask;
      if (gap === gapMisfit) {
        let byte = bytes[position++] ?? 0;
        gap += byte & 0x7f;
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = bytes[position++] ?? 0;
          gap += (byte & 0x7f) << shift;
        }
      }
      if ((value & frequencyMask) === frequencyMisfit) position += 1;
      document += gap + 1;
      found += members[document] ?? 0;
    }
  }
  return found;
}
