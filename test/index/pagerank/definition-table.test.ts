import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  DefinitionTable,
  type DefinedSymbol,
} from "../../../src/index/pagerank/definition-table.ts";

const definitions = fc.array(
  fc.record({
    name: fc.oneof(
      fc.constantFrom("get", "set", "é", "名", "", "get2"),
      fc.string({ maxLength: 12 }),
      fc.nat(5000).map((number) => `REG_${number}`),
    ),
    node: fc.nat(10),
    symbol: fc.nat(2 ** 31 - 1),
    isMember: fc.boolean(),
  }),
  { maxLength: 3000, size: "max" },
);

test("returns what was added for a name, in its order", () => {
  fc.assert(
    fc.property(definitions, fc.integer({ min: 1, max: 50 }), (added, limit) => {
      const table = new DefinitionTable();
      for (const { name, ...definition } of added) table.add(name, definition);
      const byName = Map.groupBy(added, ({ name }) => name);
      for (const [name, all] of byName) {
        const expected: readonly DefinedSymbol[] = all.map(({ node, symbol, isMember }) => ({
          node,
          symbol,
          isMember,
        }));
        expect(table.of(name, limit)).toEqual(all.length > limit ? [] : expected);
      }
      expect(table.of("never added", limit)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("holds as many names as a large project has", () => {
  const table = new DefinitionTable();
  for (let symbol = 0; symbol < 100_000; symbol += 1) {
    table.add(`name_${symbol}`, { node: symbol % 1000, symbol, isMember: symbol % 3 === 0 });
  }
  for (let symbol = 0; symbol < 100_000; symbol += 97) {
    const expected = [{ node: symbol % 1000, symbol, isMember: symbol % 3 === 0 }];
    expect(table.of(`name_${symbol}`, 1)).toEqual(expected);
  }
});
