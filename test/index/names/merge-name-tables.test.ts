import * as fc from "fast-check";
import { expect, test } from "vitest";

import { mergeNameTables } from "../../../src/index/names/merge-name-tables.ts";
import { NameTableBuilder } from "../../../src/index/names/name-table-writer.ts";
import { tableOf } from "../../../src/index/names/symbol-names.ts";
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

function bytesOf(files: Segment): Uint8Array {
  const builder = new NameTableBuilder();
  for (const { symbols } of files) builder.add(symbols);
  return builder.build();
}

test("a merged table equals one that is built from the files that are kept", () => {
  fc.assert(
    fc.property(SEGMENTS, (segments) => {
      let next = 0;
      const inputs = segments.map((files) => ({
        table: tableOf(bytesOf(files)),
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
      const kept = segments.flatMap((files) => files.filter(({ isKept }) => isKept));
      expect(Buffer.from(mergeNameTables(inputs)).equals(bytesOf(kept))).toBe(true);
    }),
  );
});
