import * as fc from "fast-check";
import { expect, test } from "vitest";

import { mapOldLine, type DiffHunk } from "../../src/sources/diff-output.ts";

test("a kept line is mapped correctly after any edits", () => {
  const edits = fc.array(fc.record({ kept: fc.nat(5), removed: fc.nat(3), added: fc.nat(3) }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(edits, fc.nat(5), (all, rest) => {
      const hunks: DiffHunk[] = [];
      /** New line by old line, for kept lines. */
      const kept = new Map<number, number>();
      let oldLine = 1;
      let newLine = 1;
      const keep = (count: number): void => {
        for (let at = 0; at < count; at += 1) kept.set(oldLine++, newLine++);
      };
      for (const { kept: count, removed, added } of all) {
        keep(count + 1);
        if (removed + added === 0) continue;
        hunks.push({
          oldStart: removed === 0 ? oldLine - 1 : oldLine,
          oldCount: removed,
          newStart: added === 0 ? newLine - 1 : newLine,
          newCount: added,
        });
        oldLine += removed;
        newLine += added;
      }
      keep(rest);
      for (const [from, to] of kept) expect(mapOldLine(hunks, from)).toBe(to);
    }),
  );
});
