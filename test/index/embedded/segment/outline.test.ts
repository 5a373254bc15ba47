import type { Outline } from "../../../../src/index/types.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../../../src/base/errors.ts";
import { sharedPrefix } from "../../../../src/index/coding/front-coding.ts";
import { ByteWriter } from "../../../../src/index/coding/bytes.ts";
import {
  readOutline,
  readOutlineSymbols,
  readOutlineSymbolsAt,
  writeOutline,
} from "../../../../src/index/embedded/segment/outline.ts";
import { outlined } from "../../../helpers/segments.ts";

/** Writes the outlines of several files into one section and reads them back. */
function call(outlines: readonly Outline[]): readonly Outline[] {
  const writer = new ByteWriter();
  const ends = outlines.map((outline) => {
    writeOutline(writer, outline);
    return writer.length;
  });
  return ends.map((end, at) => {
    const bytes = writer.finish().subarray(ends[at - 1] ?? 0, end);
    const outline = readOutline(bytes);
    expect(readOutlineSymbols(bytes)).toEqual(outline.symbols);
    for (const step of [1, 2, 3, 7]) {
      const numbers = [...outline.symbols.keys()].filter((number) => number % step === step - 1);
      const wanted = outline.symbols.filter((_, number) => numbers.includes(number));
      expect(readOutlineSymbolsAt(bytes, numbers)).toEqual(wanted);
    }
    return outline;
  });
}

const outline = outlined.map(({ chunks, symbols }): Outline => ({ chunks, symbols }));

test("outlines are read back unchanged", () => {
  fc.assert(
    fc.property(fc.array(outline, { maxLength: 5 }), (outlines) => {
      expect(call(outlines)).toEqual(outlines);
    }),
    { numRuns: 200 },
  );
});

test("long files with chunks of equal names and symbols in any order are read back", () => {
  const names = ["Session", "receive", "größe", "😀", "😁"];
  const written: Outline = {
    chunks: Array.from({ length: 3000 }, (_, at) => ({
      startLine: at * 300 + 1,
      endLine: at * 300 + (at % 250) + 1,
      kind: at % 2 === 0 ? "method" : "class",
      symbol: `Session.${names[at % 5]}`,
      names: names.slice(0, at % 4),
    })),
    symbols: Array.from({ length: 3000 }, (_, at) => ({
      name: names[at % 5] ?? "",
      qualifiedName: at % 7 === 0 ? "other" : `Session.${names[at % 5]}`,
      kind: "function",
      access: at % 3 === 0 ? "private" : "exported",
      nameLine: ((at * 7919) % 900_000) + 1 + (at % 2),
      startLine: ((at * 7919) % 900_000) + 1,
      endLine: ((at * 7919) % 900_000) + 1 + at,
    })),
  };
  expect(call([written])).toEqual([written]);
});

function section(startLine: number, endLine: number, name: string): Outline["symbols"][number] {
  const names = { name, qualifiedName: name };
  return { ...names, kind: "section", access: "exported", nameLine: startLine, startLine, endLine };
}

test("a symbol that ends before it begins is read as one line, and what follows it is unchanged", () => {
  const chunks = [chunkNamed("B", 6)];
  const [read] = call([{ chunks, symbols: [section(3, 2, "A"), section(5, 9, "B")] }]);
  expect(read).toEqual({ chunks, symbols: [section(3, 3, "A"), section(5, 9, "B")] });
});

function chunkNamed(symbol: string, at: number): Outline["chunks"][number] {
  return { startLine: at + 1, endLine: at + 1, kind: "text", symbol, names: [symbol] };
}

test("half a surrogate pair is read as the replacement character, and later names are unchanged", () => {
  const symbols = ["a\ud83d", "a\ud83db", "a😀", "a😁", "a\ude00", "\ude00", "a"];
  const [read] = call([{ chunks: symbols.map(chunkNamed), symbols: [] }]);
  expect(read?.chunks.map(({ symbol, names }) => [symbol, ...names])).toEqual(
    symbols.map((symbol) => [symbol.toWellFormed(), symbol.toWellFormed()]),
  );
});

const piece = fc.string({ unit: fc.constantFrom("a", "b", "ß", "😀", "😁"), maxLength: 6 });

test("a shared prefix never ends inside a character", () => {
  fc.assert(
    fc.property(piece, piece, piece, (start, one, other) => {
      const shared = sharedPrefix(start + one, start + other);
      const prefix = (start + one).slice(0, shared);
      expect(prefix.isWellFormed()).toBe(true);
      expect((start + other).startsWith(prefix)).toBe(true);
      expect(shared).toBeGreaterThanOrEqual(start.length);
    }),
  );
  expect(sharedPrefix("😀", "😁")).toBe(0);
  expect(sharedPrefix("a😀b", "a😀c")).toBe(3);
});

test("damaged bytes throw INDEX_UNAVAILABLE, or give an outline of limited size", () => {
  const damage = fc.record({ at: fc.nat(), value: fc.nat(255), cut: fc.boolean() });
  let refused = 0;
  fc.assert(
    fc.property(outline, damage, (written, { at, value, cut }) => {
      const writer = new ByteWriter();
      writeOutline(writer, written);
      const bytes = writer.finish().slice();
      const place = at % bytes.length;
      bytes[place] = value;
      const damaged = cut ? bytes.subarray(0, place) : bytes;
      const outcome = (): boolean => {
        try {
          const { chunks, symbols } = readOutline(damaged);
          return chunks.length + symbols.length <= damaged.length / 2 + 2;
        } catch (thrown) {
          refused += 1;
          return thrown instanceof SvcError && thrown.code === "INDEX_UNAVAILABLE";
        }
      };
      expect(outcome()).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(20);
});
