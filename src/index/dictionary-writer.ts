// Terms in order, front coded in blocks of 32, each with the place of its posting lists.

import { ByteWriter, NumberList } from "./bytes.ts";
import { FIELDS, TERMS_PER_BLOCK, type Field } from "./format.ts";

interface Log {
  readonly terms: NumberList;
  readonly documents: NumberList;
  readonly frequencies: NumberList;
}

interface WrittenTerms {
  readonly terms: Uint8Array;
  readonly blocks: Uint8Array;
  readonly postings: Readonly<Record<Field, Uint8Array>>;
}

/**
 * A block begins with a whole term; the others say how many characters they share with the one
 * before. After each term: a byte of field bits, then for each field present the number of documents
 * and the length of its posting list in bytes. The `blocks` section has four u32 a block: where its
 * terms begin, and where its first posting list begins in each field.
 */
export function writeTerms(
  ids: ReadonlyMap<string, number>,
  logs: Readonly<Record<Field, Log>>,
): WrittenTerms {
  const sorted = [...ids.keys()].toSorted();
  const grouped = FIELDS.map((field) => groupByTerm(logs[field], ids.size));
  const postings = FIELDS.map(() => new ByteWriter());
  const terms = new ByteWriter();
  const blocks = new NumberList();
  let previous = "";
  for (const [at, term] of sorted.entries()) {
    const first = at % TERMS_PER_BLOCK === 0;
    if (first) {
      blocks.push(terms.length);
      for (const list of postings) blocks.push(list.length);
    }
    const shared = first ? 0 : sharedPrefix(previous, term);
    const suffix = Buffer.from(term.slice(shared));
    terms.varint(shared);
    terms.varint(suffix.length);
    terms.bytes(suffix);
    const id = ids.get(term) ?? 0;
    terms.byte(grouped.reduce((bits, group, field) => bits | (group.has(id) ? 1 << field : 0), 0));
    for (const [field, group] of grouped.entries()) {
      const list = postings[field];
      if (list === undefined || !group.has(id)) continue;
      const start = list.length;
      const documents = group.write(id, list);
      terms.varint(documents);
      terms.varint(list.length - start);
    }
    previous = term;
  }
  const offsets = blocks.finish();
  return {
    terms: terms.finish(),
    blocks: new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength),
    postings: {
      body: postings[0]?.finish() ?? new Uint8Array(),
      names: postings[1]?.finish() ?? new Uint8Array(),
      path: postings[2]?.finish() ?? new Uint8Array(),
    },
  };
}

interface Grouped {
  readonly has: (term: number) => boolean;
  /** Appends the posting list (document delta, frequency) and returns the number of documents. */
  readonly write: (term: number, to: ByteWriter) => number;
}

/** Counting sort by term; documents stay in order because the log is in document order. */
function groupByTerm(log: Log, termCount: number): Grouped {
  const termOf = log.terms.finish();
  const documentOf = log.documents.finish();
  const frequencyOf = log.frequencies.finish();
  const starts = new Uint32Array(termCount + 1);
  for (const term of termOf) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term < termCount; term += 1) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  }
  const next = starts.slice();
  const documents = new Uint32Array(termOf.length);
  const frequencies = new Uint8Array(termOf.length);
  for (let at = 0; at < termOf.length; at += 1) {
    const term = termOf[at] ?? 0;
    const to = next[term] ?? 0;
    next[term] = to + 1;
    documents[to] = documentOf[at] ?? 0;
    frequencies[to] = frequencyOf[at] ?? 0;
  }
  return {
    has: (term) => (starts[term] ?? 0) < (starts[term + 1] ?? 0),
    write(term, to) {
      const end = starts[term + 1] ?? 0;
      const start = starts[term] ?? 0;
      let previous = 0;
      for (let at = start; at < end; at += 1) {
        const document = documents[at] ?? 0;
        to.varint(document - previous);
        to.byte(frequencies[at] ?? 0);
        previous = document;
      }
      return end - start;
    },
  };
}

function sharedPrefix(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < limit && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1;
  // A surrogate pair must not be cut: half of it cannot be written as UTF-8.
  const last = shared === 0 ? 0 : one.charCodeAt(shared - 1);
  return last >= 0xd800 && last <= 0xdbff ? shared - 1 : shared;
}
