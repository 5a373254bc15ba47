import * as fc from "fast-check";
import { expect, test } from "vitest";

import { DictionaryReader } from "../../../../src/index/embedded/segment/dictionary-reader.ts";
import {
  DictionaryWriter,
  type Dictionary,
} from "../../../../src/index/embedded/segment/dictionary-writer.ts";
import { SvcError } from "../../../../src/base/errors.ts";
import { TERM_FIELDS, TERMS_PER_BLOCK } from "../../../../src/index/embedded/segment/format.ts";

/** A term with the bytes of its list in each field, one byte per document. */
interface Term {
  readonly term: string;
  readonly lists: readonly (readonly number[])[];
}

function written(terms: readonly Term[]): Dictionary {
  const writer = new DictionaryWriter();
  for (const { term, lists } of terms) {
    const counts: number[] = [];
    const ends: number[] = [];
    for (const list of lists) {
      counts.push(list.length);
      writer.postings.bytes(Uint8Array.from(list));
      ends.push(writer.postings.length);
    }
    writer.add(term, counts, ends);
  }
  return writer.finish();
}

function call({ postings, terms, blocks }: Dictionary): DictionaryReader {
  return new DictionaryReader({
    blocks: new Uint32Array(new Uint8Array(blocks).buffer),
    termsLength: terms.length,
    postingsLength: postings.length,
    readTerms: (offset, length) => terms.subarray(offset, offset + length),
    readPostings: (offset, length) => postings.subarray(offset, offset + length),
  });
}

function listsOf(
  reader: DictionaryReader,
  term: string,
): readonly (readonly number[])[] | undefined {
  const entry = reader.lookup(term);
  if (entry === undefined) return undefined;
  return TERM_FIELDS.map((field) => {
    const { count, bytes } = reader.list(entry, field);
    expect(bytes.length).toBe(count);
    return [...bytes];
  });
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.stringMatching(/^[ab]{1,12}$/),
  fc.constantFrom("", "😀", "😁", "\ue000", "\uffee", "字".repeat(64), `${"字".repeat(63)}a`),
);
const lists = fc.array(fc.array(fc.nat(255), { maxLength: 4 }), {
  minLength: TERM_FIELDS.length,
  maxLength: TERM_FIELDS.length,
});
const dictionary = fc
  .uniqueArray(fc.record({ term: text, lists }), { selector: ({ term }) => term, maxLength: 150 })
  .map((terms) => terms.toSorted((one, other) => (one.term < other.term ? -1 : 1)));

test("every term is found with its lists, and no other term is found", () => {
  fc.assert(
    fc.property(dictionary, fc.array(text), (terms, others) => {
      const reader = call(written(terms));
      for (const { term, lists: expected } of terms) {
        expect([term, listsOf(reader, term)]).toEqual([term, expected]);
      }
      const known = new Set(terms.map(({ term }) => term));
      for (const other of others) expect(reader.lookup(other) !== undefined).toBe(known.has(other));
    }),
  );
});

test("lookupAll of sorted terms equals single lookups", () => {
  fc.assert(
    fc.property(dictionary, fc.array(text), (terms, others) => {
      const reader = call(written(terms));
      const wanted = [...terms.map(({ term }) => term), ...others].toSorted((one, other) =>
        one < other ? -1 : 1,
      );
      expect(reader.lookupAll(wanted)).toEqual(wanted.map((term) => reader.lookup(term)));
    }),
  );
});

test("entries are in order, from any term on", () => {
  fc.assert(
    fc.property(dictionary, text, (terms, from) => {
      const reader = call(written(terms));
      const all = terms.map(({ term }) => term);
      expect([...reader.entries()].map(({ term }) => term)).toEqual(all);
      const later = all.filter((term) => term >= from);
      expect([...reader.entries(from)].map(({ term }) => term)).toEqual(later);
    }),
  );
});

test("listsOf returns the lists of body, names and path", () => {
  fc.assert(
    fc.property(dictionary, (terms) => {
      const reader = call(written(terms));
      for (const entry of reader.entries()) {
        const { body, names, path } = reader.listsOf(entry);
        expect(body).toEqual(reader.list(entry, "body"));
        expect(names).toEqual(reader.list(entry, "names"));
        expect(path).toEqual(reader.list(entry, "path"));
      }
    }),
  );
});

function nameOf(at: number): string {
  return at.toString(36).padStart(5, "0");
}

test("terms are found when there are more blocks than cached first terms", () => {
  const count = TERMS_PER_BLOCK * 5000;
  const terms = Array.from({ length: count }, (_, at) => ({
    term: nameOf(at),
    lists: [[at & 0xff]],
  }));
  const reader = call(written(terms));
  for (let at = 0; at < count; at += 97) {
    const other = (at * 7919) % count;
    const entry = reader.lookup(nameOf(other));
    const [byte] = entry === undefined ? [] : reader.list(entry, "body").bytes;
    expect(byte).toBe(other & 0xff);
  }
  expect(reader.lookup(nameOf(count))).toBeUndefined();
}, 20_000);

test("damaged bytes throw INDEX_UNAVAILABLE, or give lists inside the postings", () => {
  const terms = Array.from({ length: 200 }, (_, at) => ({
    term: `term${at.toString().padStart(3, "0")}`,
    lists: [[1, 2, 3], [], [at % 256], []],
  }));
  const whole = written(terms);
  const damage = fc.record({
    section: fc.constantFrom("terms" as const, "blocks" as const),
    at: fc.nat(),
    value: fc.nat(255),
  });
  let refused = 0;
  fc.assert(
    fc.property(damage, ({ section, at, value }) => {
      const bytes = whole[section].slice();
      bytes[at % bytes.length] = value;
      const outcome = (): boolean => {
        try {
          const reader = call({ ...whole, [section]: bytes });
          for (const { term } of terms) reader.lookup(term);
          const ends = [...reader.entries()].map(({ offsets }) => offsets.at(-1) ?? Infinity);
          return ends.every((end) => end <= whole.postings.length);
        } catch (thrown) {
          refused += 1;
          return thrown instanceof SvcError && thrown.code === "INDEX_UNAVAILABLE";
        }
      };
      expect(outcome()).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(20);
});

test("a term is read once, however often it is looked up", () => {
  const { postings, terms, blocks } = written(
    ["alpha", "beta"].map((term) => ({ term, lists: TERM_FIELDS.map(() => [1]) })),
  );
  let reads = 0;
  const reader = new DictionaryReader({
    blocks: new Uint32Array(new Uint8Array(blocks).buffer),
    termsLength: terms.length,
    postingsLength: postings.length,
    readTerms: (offset, length) => {
      reads += 1;
      return terms.subarray(offset, offset + length);
    },
    readPostings: (offset, length) => postings.subarray(offset, offset + length),
  });
  for (const term of ["alpha", "none", "alpha", "none"]) reader.lookup(term);
  expect(reads).toBe(2);
  expect(reader.lookup("beta")?.term).toBe("beta");
  expect(reader.lookup("none")).toBeUndefined();
});
