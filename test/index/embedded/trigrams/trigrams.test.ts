import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../../../src/base/errors.ts";
import { foldText } from "../../../../src/index/fold-text.ts";
import { allOf, anyOf, literal, type LiteralQuery } from "../../../../src/index/literal-query.ts";
import { CLASS_OF_BYTE } from "../../../../src/index/embedded/trigrams/trigram-format.ts";
import { mergeTrigrams } from "../../../../src/index/embedded/trigrams/trigram-merge.ts";
import { TrigramReader } from "../../../../src/index/embedded/trigrams/trigram-reader.ts";
import type { TrigramSections } from "../../../../src/index/embedded/trigrams/trigram-sections.ts";
import { TrigramWriter } from "../../../../src/index/embedded/trigrams/trigram-writer.ts";

/** With these costs every list is read. */
const FREE_LISTS = { verifyFile: Number.POSITIVE_INFINITY, readList: 0, decodeByte: 0 };

// One writer for all tests, as in an indexer that writes one segment after the other.
const writer = new TrigramWriter();

function built(files: readonly (readonly [number, Uint8Array])[]): TrigramSections {
  writer.reset();
  for (const [file, bytes] of files) writer.add(file, bytes);
  return writer.finish();
}

function readerOf({ keys, postings }: TrigramSections, files: number, costs = FREE_LISTS) {
  return new TrigramReader(
    {
      keysLength: keys.length,
      keys: (offset, length) => keys.subarray(offset, offset + length),
      postings: (offset, length) => postings.subarray(offset, offset + length),
    },
    files,
    costs,
  );
}

/** Returns the candidates among the files, by index; all of them if the reader returns undefined. */
function call(files: readonly Uint8Array[], query: LiteralQuery, costs = FREE_LISTS): number[] {
  const reader = readerOf(built([...files.entries()]), files.length, costs);
  const found = reader.candidates(query);
  return found === undefined ? [...files.keys()] : [...found];
}

function bytesOf(...texts: readonly string[]): Uint8Array[] {
  return texts.map((text) => Buffer.from(text));
}

const piece = fc.constantFrom(
  ..."abAB kKsS\t\r\n".split(""),
  "\r\n",
  "é",
  "É",
  "字",
  "\u212a",
  "\u017f",
  "\u0001",
  "😀",
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
const rawBytes = fc.array(
  fc.constantFrom(0x61, 0x41, 0x6b, 0xc5, 0xbf, 0xe2, 0x84, 0xaa, 0x80, 0xff, 0x0a),
  { maxLength: 30 },
);
const file = fc.oneof(
  { weight: 3, arbitrary: text.map((one): Uint8Array => Buffer.from(one)) },
  { weight: 1, arbitrary: rawBytes.map((bytes) => Uint8Array.from(bytes)) },
);
const word = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => foldText(pieces.join("")));
const { query } = fc.letrec<{ query: LiteralQuery }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    word.map(literal),
    fc.array(tie("query"), { maxLength: 3 }).map(allOf),
    fc.array(tie("query"), { maxLength: 3 }).map(anyOf),
    fc.record({
      kind: fc.constantFrom("and", "or"),
      parts: fc.array(tie("query"), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

function satisfies(wanted: LiteralQuery, has: (text: string) => boolean): boolean {
  if (wanted.kind === "all") return true;
  if (wanted.kind === "literal") return has(wanted.text);
  return wanted.kind === "and"
    ? wanted.parts.every((part) => satisfies(part, has))
    : wanted.parts.some((part) => satisfies(part, has));
}

function trigramsOf(bytes: Uint8Array): ReadonlySet<string> {
  const lines = Buffer.from(bytes)
    .toString("latin1")
    .split(/[\r\n]/);
  return new Set(
    lines.flatMap((line) => {
      const classes = Array.from(line, (one) => CLASS_OF_BYTE[one.charCodeAt(0)]);
      return classes.slice(2).map((_, at) => classes.slice(at, at + 3).join(" "));
    }),
  );
}

/** The case folding of the index, on bytes that may not be UTF-8. */
function foldedBytes(bytes: Uint8Array): Buffer {
  const latin = Buffer.from(bytes).toString("latin1");
  return Buffer.from(
    latin.replaceAll("\u00e2\u0084\u00aa", "k").replaceAll("\u00c5\u00bf", "s"),
    "latin1",
  );
}

test("no file with the literals is missed, whatever its bytes and the costs", () => {
  const costs = fc.constantFrom(FREE_LISTS, undefined, {
    verifyFile: 1,
    readList: 0.01,
    decodeByte: 0.1,
  });
  fc.assert(
    fc.property(fc.array(file, { maxLength: 12 }), query, costs, (files, wanted, chosen) => {
      const found = call(files, wanted, chosen);
      const matching = [...files.entries()].flatMap(([at, bytes]) => {
        const folded = foldText(Buffer.from(bytes).toString());
        return satisfies(wanted, (one) => folded.includes(one)) ? [at] : [];
      });
      expect(found).toEqual(expect.arrayContaining(matching));
      expect(found).toEqual([...new Set(found)].toSorted((one, other) => one - other));
    }),
    { numRuns: 1500 },
  );
}, 30_000);

test("if every list is read, the candidates are exactly the files with all trigrams", () => {
  fc.assert(
    fc.property(fc.array(file, { maxLength: 12 }), query, (files, wanted) => {
      const expected = [...files.entries()].flatMap(([at, bytes]) => {
        const has = trigramsOf(foldedBytes(bytes));
        const isIn = (one: string): boolean =>
          [...trigramsOf(Buffer.from(one))].every((trigram) => has.has(trigram));
        return satisfies(wanted, isIn) ? [at] : [];
      });
      expect(call(files, wanted)).toEqual(expected);
    }),
    { numRuns: 1500 },
  );
}, 30_000);

test("a merge equals a rebuild", () => {
  const numbered = fc.uniqueArray(fc.integer({ min: -30, max: 60 }), { maxLength: 24 });
  fc.assert(
    fc.property(
      fc.array(file, { minLength: 24, maxLength: 24 }),
      numbered,
      fc.integer({ min: 1, max: 4 }),
      (files, numbers, parts) => {
        // File `at` goes to input `at % parts` and gets the number `numbers[at]`, or is dropped.
        const newNumber = (at: number): number => Math.max(-1, numbers[at] ?? -1);
        const inputs = Array.from({ length: parts }, (_, part) => {
          const own = [...files.entries()].filter(([at]) => at % parts === part);
          const sections = built(own.map(([, bytes], place) => [place, bytes]));
          const renumber = Int32Array.from(own, ([at]) => newNumber(at));
          return { reader: readerOf(sections, own.length), renumber };
        });
        const kept = [...files.entries()]
          .map(([at, bytes]) => [newNumber(at), bytes] as const)
          .filter(([number]) => number >= 0)
          .toSorted(([one], [other]) => one - other);
        const merged = mergeTrigrams(inputs);
        expect(merged).toEqual(built(kept));
      },
    ),
    { numRuns: 300 },
  );
}, 30_000);

test("long lists, gaps and bitmaps are unchanged by writing, reading and merging", () => {
  const size = 40_000;
  const numbers = {
    all: Array.from({ length: size }, (_, at) => at),
    even: Array.from({ length: size / 2 }, (_, at) => at * 2),
    rare: [0, 127, 128, 129, 20_000, 39_999],
    once: [31_234],
  };
  const sets = Object.entries(numbers).map(([name, list]) => [name, new Set(list)] as const);
  const files = Array.from({ length: size }, (_, at): [number, Uint8Array] => [
    at,
    Buffer.from(sets.map(([name, list]) => (list.has(at) ? name : "")).join("\n")),
  ]);
  const sections = built(files);
  const reader = readerOf(sections, size);
  const half = size / 2;
  const merged = mergeTrigrams([
    { reader, renumber: Int32Array.from({ length: size }, (_, at) => (at < half ? at * 2 : -1)) },
    {
      reader,
      renumber: Int32Array.from({ length: size }, (_, at) =>
        at < half ? -1 : (at - half) * 2 + 1,
      ),
    },
  ]);
  for (const [name, list] of Object.entries(numbers)) {
    expect([...(reader.candidates(literal(name)) ?? numbers.all)]).toEqual(list);
    const renumbered = list.map((at) => (at < half ? at * 2 : (at - half) * 2 + 1));
    const found = readerOf(merged, size).candidates(literal(name));
    expect([...(found ?? numbers.all)]).toEqual(renumbered.toSorted((one, other) => one - other));
  }
}, 20_000);

test("alternatives whose counts add up to all files are read if they may share files", () => {
  const files = bytesOf("foo bar", "foo bar", "baz");
  expect(call(files, anyOf([literal("foo"), literal("bar")]))).toEqual([0, 1]);
});

test("no trigram contains a line end", () => {
  // All trigrams of the first text contain one, so there is no condition.
  expect(call(bytesOf("ab\ncd", "other"), literal("b\ncd"))).toEqual([0, 1]);
  expect(call(bytesOf("ab\ncde", "abcde"), literal("ab\ncde"))).toEqual([0, 1]);
});

test("the Kelvin sign and the long s match the letters k and s", () => {
  const files = bytesOf("loo\u212aup", "LOOKUP", "clo\u017fe", "close");
  expect(call(files, literal("lookup"))).toEqual([0, 1]);
  expect(call(files, literal("loo\u212aup"))).toEqual([0, 1]);
  expect(call(files, literal("close"))).toEqual([2, 3]);
});

test("lists that cost more than they save are not read", () => {
  const files = bytesOf(
    ...Array.from({ length: 200 }, (_, at) => (at === 7 ? "common rare" : "common")),
  );
  const sections = built([...files.entries()]);
  const reads: number[] = [];
  const reader = new TrigramReader(
    {
      keysLength: sections.keys.length,
      keys: (offset, length) => sections.keys.subarray(offset, offset + length),
      postings: (offset, length) => {
        reads.push(length);
        return sections.postings.subarray(offset, offset + length);
      },
    },
    files.length,
  );
  expect(reader.candidates(literal("common"))).toBeUndefined();
  expect(reads).toEqual([]);
  expect([...(reader.candidates(literal("common rare")) ?? [])]).toEqual([7]);
  // The other four of the nine trigrams are in every file.
  expect(reads.length).toBe(5);
});

test("files out of order throw RangeError", () => {
  writer.reset();
  writer.add(3, Buffer.from("abc"));
  expect(() => writer.add(3, Buffer.from("abc"))).toThrow(RangeError);
});

test("damaged bytes throw INDEX_UNAVAILABLE, or give file numbers of the segment", () => {
  const files = Array.from({ length: 60 }, (_, at): [number, Uint8Array] => [
    at,
    Buffer.from(`common ${at} ${"x".repeat(at % 7)} ${at % 3 === 0 ? "third" : ""} ${at * 7919}`),
  ]);
  const sections = built(files);
  const damage = fc.record({
    section: fc.constantFrom("keys" as const, "postings" as const),
    at: fc.nat(),
    value: fc.nat(255),
    cut: fc.boolean(),
  });
  const wanted = allOf([
    literal("common"),
    anyOf([literal("third"), literal("xxx"), literal("7919")]),
  ]);
  let refused = 0;
  fc.assert(
    fc.property(damage, ({ section, at, value, cut }) => {
      const bytes = sections[section].slice();
      const place = at % bytes.length;
      bytes[place] = value;
      const damaged = { ...sections, [section]: cut ? bytes.slice(0, place) : bytes };
      const outcome = (): boolean => {
        try {
          const reader = readerOf(damaged, files.length);
          const found = reader.candidates(wanted) ?? [];
          mergeTrigrams([{ reader, renumber: Int32Array.from(files.keys()) }]);
          return found.every((one) => one < files.length);
        } catch (thrown) {
          refused += 1;
          return thrown instanceof SvcError && thrown.code === "INDEX_UNAVAILABLE";
        }
      };
      expect(outcome()).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(100);
}, 30_000);

test("file numbers beyond the segment are damage, in lists and bitmaps", () => {
  const sparse = built([[70, Buffer.from("abc")]]);
  const dense = built(Array.from({ length: 70 }, (_, at) => [at, Buffer.from("abc")]));
  const unavailable = expect.objectContaining({ code: "INDEX_UNAVAILABLE" });
  for (const sections of [sparse, dense]) {
    const read = (files: number) => (): unknown =>
      [...readerOf(sections, files).lists.places()].map((place) =>
        readerOf(sections, files).lists.decode(place),
      );
    expect(read(71)).not.toThrow();
    expect(read(69)).toThrow(unavailable);
  }
});
