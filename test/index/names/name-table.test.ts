import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  mergeNameTables,
  NameTableBuilder,
  type NameTable,
} from "../../../src/index/names/name-table.ts";
import { SymbolNames } from "../../../src/index/names/symbol-names.ts";
import { ACCESS_LEVELS, type SymbolFacts } from "../../../src/index/types.ts";
import { anyText } from "../../helpers/any-text.ts";

const NAME = fc.oneof(
  fc.constantFrom("open", "openFile", "HTTPServer", "close", "größe", "Getting started", ""),
  anyText({ maxLength: 8 }),
);
const SYMBOL: fc.Arbitrary<SymbolFacts> = fc
  .record({
    name: NAME,
    owner: fc.constantFrom("", "net.", "net.Session."),
    kind: fc.constantFrom("function", "class", "section"),
    access: fc.constantFrom(...ACCESS_LEVELS),
    startLine: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ name, owner, ...more }) => ({
    name,
    qualifiedName: owner + name,
    endLine: more.startLine,
    nameLine: more.startLine,
    ...more,
  }));
/** Segments of files of symbols, and for each file whether a merge keeps it. */
const SEGMENTS = fc.array(
  fc.array(fc.record({ symbols: fc.array(SYMBOL, { maxLength: 6 }), isKept: fc.boolean() }), {
    maxLength: 5,
  }),
  { minLength: 1, maxLength: 4 },
);
type Segment = readonly { readonly symbols: readonly SymbolFacts[]; readonly isKept: boolean }[];

function tableOf(files: Segment): NameTable {
  const builder = new NameTableBuilder();
  for (const { symbols } of files) builder.add(symbols);
  return builder.build();
}

/** Everything a query can learn from a table. Names, words and owners may have other numbers. */
function contentOf(table: NameTable) {
  const names = new SymbolNames(table, {
    firstSymbols: new Uint32Array(1),
    file: () => undefined,
  });
  const { masks, initials, lowPairs, highPairs, words, wordMasks } = table;
  const all = Array.from({ length: names.size }, (_, at) => at);
  return {
    names: all
      .map((at) => ({
        name: names.name(at),
        length: names.lengthOf(at),
        facts: [masks, initials, lowPairs, highPairs].map((column) => column[at]),
        symbols: [...names.symbolsOf(at)].map((symbol) => [
          symbol,
          names.ownerOf(symbol),
          names.kindOf(symbol),
          names.accessOf(symbol),
        ]),
      }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    words: words
      .map((word, at) => ({
        word,
        mask: wordMasks[at],
        names: [...names.namesOf(at)].map((name) => names.name(name)).toSorted(),
      }))
      .toSorted((one, other) => (one.word < other.word ? -1 : 1)),
  };
}

test("a merged table has the content of one that is built from the files that are kept", () => {
  fc.assert(
    fc.property(SEGMENTS, (segments) => {
      let next = 0;
      const inputs = segments.map((files) => ({
        table: tableOf(files),
        symbols: Int32Array.from(
          files.flatMap(({ symbols, isKept }) =>
            symbols.map(() => {
              if (!isKept) return -1;
              next += 1;
              return next - 1;
            }),
          ),
        ),
      }));
      const merged = mergeNameTables(inputs, next);
      const kept = segments.flatMap((files) => files.filter(({ isKept }) => isKept));
      expect(contentOf(merged)).toEqual(contentOf(tableOf(kept)));
    }),
  );
});

test("names that are not well-formed are one name, as in the index", () => {
  const facts = { kind: "function", access: "exported" } as const;
  const lines = { startLine: 1, endLine: 1, nameLine: 1 };
  const symbols = ["\ud800", "\udfff", "\ufffd"].map((name) => ({
    name,
    qualifiedName: name,
    ...facts,
    ...lines,
  }));
  const { names } = contentOf(tableOf([{ symbols, isKept: true }]));
  expect(names.map(({ name, symbols: found }) => [name, found.length])).toEqual([["\ufffd", 3]]);
});
