import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import {
  NO_REFERENCES,
  type FileReferences,
  type Use,
} from "../../../src/parse/references/references.ts";
import { ByteWriter } from "../../../src/index/coding/bytes.ts";
import {
  readImporting,
  readInherits,
  readNamesUsed,
  readReferences,
  readScope,
  ReferenceBlockWriter,
  usesReader,
  withoutUses,
} from "../../../src/index/references/reference-block.ts";
import { inUseOrder, namesUsedIn } from "../../../src/index/references/use-order.ts";
import { references } from "../../helpers/segments.ts";

const USE: Use = {
  name: "",
  line: 1,
  role: "value",
  owner: -1,
  target: -1,
  receiver: "",
  binding: -1,
};

/** The blocks of several files. */
function blocksOf(all: readonly FileReferences[]): readonly Uint8Array[] {
  const to = new ByteWriter();
  const writer = new ReferenceBlockWriter();
  const ends = all.map((one) => {
    writer.write(to, one);
    return to.length;
  });
  return ends.map((end, at) => to.finish().subarray(ends[at - 1] ?? 0, end));
}

/**
 * Sorts the uses, because those of one line may be in any order. Compares values and not their JSON, which
 * depends on the order of the keys.
 */
function inOrder({ uses, ...rest }: FileReferences): FileReferences {
  return { ...rest, uses: uses.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) };
}

function keyOf({ line, name, role, owner, target, receiver, binding }: Use): string {
  return JSON.stringify([line, name, role, owner, target, receiver, binding]);
}

test("a block without its uses has the same scope in memory of its own", () => {
  fc.assert(
    fc.property(references, (one) => {
      const [block = new Uint8Array(0)] = blocksOf([one]);
      const group = Buffer.from(block);
      const scope = withoutUses(group);
      group.fill(0);
      expect(readScope(scope)).toEqual(readScope(block));
      expect(readImporting(scope)).toEqual(readImporting(block));
    }),
  );
  expect(() => withoutUses(Uint8Array.of(9, 1))).toThrow(SvcError);
});

test("references are read back unchanged", () => {
  fc.assert(
    fc.property(fc.array(references, { maxLength: 4 }), (all) => {
      const blocks = blocksOf(all);
      for (const [at, one] of all.entries()) {
        const block = blocks[at] ?? new Uint8Array();
        expect(inOrder(readReferences(block))).toEqual(inOrder(one));
        const { uses: _uses, ...scope } = one;
        expect(readScope(block)).toEqual(scope);
        expect(readImporting(block)).toEqual({ imports: one.imports, package: one.package });
        for (const { name } of one.uses) {
          const wanted = { ...one, uses: one.uses.filter((use) => use.name === name) };
          const { uses } = usesReader(name)(block);
          expect(inOrder({ ...one, uses })).toEqual(inOrder(wanted));
        }
        expect(usesReader("never used")(block)).toEqual({ uses: [], reexports: [] });
      }
    }),
    { numRuns: 300 },
  );
});

test("uses and names are read in the order of every backend", () => {
  fc.assert(
    fc.property(references, (one) => {
      const [block = new Uint8Array()] = blocksOf([one]);
      const ordered = inUseOrder(one);
      expect(readReferences(block)).toEqual(ordered);
      expect(readInherits(block)).toEqual(ordered.uses.filter(({ role }) => role === "inherit"));
      const used = readNamesUsed(block);
      expect([[...used.names], used.modules]).toEqual([
        [...namesUsedIn(one).names],
        namesUsedIn(one).modules,
      ]);
      for (const name of used.names) {
        const uses = ordered.uses.filter((use) => use.name === name);
        expect(usesReader(name)(block)).toEqual({ uses, reexports: reexportsOf(one, name) });
      }
    }),
    { numRuns: 300 },
  );
});

/** The names under which references export `name` again. */
function reexportsOf({ imports }: FileReferences, name: string): readonly string[] {
  const bindings = imports.flatMap((one) => (one.isReexport ? one.bindings : []));
  return bindings.flatMap((one) => (one.name === name ? [one.local] : []));
}

test("the uses of a name are found among names that begin alike, end sooner, or are not ASCII", () => {
  const part = fc.constantFrom("a", "b", "ab", "é", "z", "😀", "\u{d7ff}", "\u{ff5e}");
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), name, (names, wanted) => {
      const uses = names.map((one, at): Use => ({ ...USE, name: one, line: at + 1 }));
      const [block = new Uint8Array()] = blocksOf([{ ...NO_REFERENCES, uses }]);
      const { uses: found } = usesReader(wanted)(block);
      expect(found).toEqual(uses.filter((use) => use.name === wanted));
    }),
    { numRuns: 2000 },
  );
});

test("expressions are read in any order, a few of them or all", () => {
  const part = fc.constantFrom("@", "#1", "node", "é", "😀", ".next", "()");
  const expression = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const read = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(fc.array(expression, { minLength: 1, maxLength: 40 }), read, (receivers, count) => {
      const uses = receivers.map((receiver, at): Use => {
        return { ...USE, name: at < count ? "wanted" : `other${at}`, line: at + 1, receiver };
      });
      const [block = new Uint8Array()] = blocksOf([{ ...NO_REFERENCES, uses }]);
      expect(usesReader("wanted")(block).uses).toEqual(uses.slice(0, count));
    }),
    { numRuns: 300 },
  );
});

test("a file without references takes no space", () => {
  expect(blocksOf([NO_REFERENCES])[0]).toHaveLength(0);
  expect(readReferences(new Uint8Array())).toEqual(NO_REFERENCES);
});

test("damaged bytes throw an error, or give a limited number of uses", () => {
  const damage = fc.record({ at: fc.nat(), value: fc.nat(255), cut: fc.boolean() });
  let refused = 0;
  fc.assert(
    fc.property(references, damage, (one, { at, value, cut }) => {
      const [block = new Uint8Array()] = blocksOf([one]);
      if (block.length === 0) return;
      const bytes = block.slice(0, cut ? at % block.length : undefined);
      if (bytes.length > 0) bytes[at % bytes.length] = value;
      const counts = [
        () => readReferences(bytes).uses.length,
        () => usesReader("open")(bytes).uses.length,
        () => readInherits(bytes).length,
        () => readImporting(bytes).imports.length,
      ].map((count) => countOrError(count));
      refused += counts.filter((count) => count === undefined).length;
      expect(Math.max(0, ...counts.map((count) => count ?? 0))).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 1000 },
  );
  expect(refused).toBeGreaterThan(0);
});

/** Undefined if `count` throws an SvcError. */
function countOrError(count: () => number): number | undefined {
  try {
    return count();
  } catch (thrown) {
    if (thrown instanceof SvcError) return undefined;
    throw thrown;
  }
}
