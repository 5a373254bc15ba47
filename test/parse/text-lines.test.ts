import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { paragraphCuts, splitLines, sizeOf, splitRange } from "../../src/parse/text-lines.ts";

/** Returns the pieces of a whole text as `start-end`. */
function split(text: string, target: number): string[] {
  const lines = splitLines(text);
  const range = { start: 1, end: lines.count };
  return splitRange(lines, paragraphCuts(lines), range, target).map(
    ({ start, end }) => `${start}-${end}`,
  );
}

describe("lines", () => {
  it("are counted from 1 and lose their line breaks", () => {
    const lines = splitLines("a\r\n\r\n  b");
    expect([lines.count, lines.at(1), lines.at(2), lines.at(3)]).toEqual([3, "a", "", "  b"]);
    expect([1, 2, 3].map((line) => lines.isBlank(line))).toEqual([false, true, false]);
  });

  it("count once for every 120 characters", () => {
    const lines = splitLines(`a\n${"b".repeat(120)}\n${"c".repeat(121)}`);
    expect([sizeOf(lines, 1, 1), sizeOf(lines, 1, 2), sizeOf(lines, 1, 3)]).toEqual([1, 2, 4]);
  });
});

describe("lines of any text", () => {
  const parts = fc.constantFrom(
    "a",
    "é",
    "🙂",
    " ",
    "\t",
    "\r",
    "\r\n",
    "\n",
    "\n",
    "\u00a0",
    "\ufeff",
    "b c",
  );

  it("equal the result of splitting at line breaks", () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), (list) => {
        const text = list.join("");
        const lines = splitLines(text);
        const expected = text.split("\n");
        expect(lines.count).toBe(expected.length);
        for (const [index, line] of expected.entries()) {
          const bare = line.replace(/\r$/, "");
          expect(lines.at(index + 1)).toBe(bare);
          expect(lines.isBlank(index + 1)).toBe(line.trim() === "");
          expect(lines.firsts[index]).toBe((lines.starts[index] ?? 0) + line.search(/\S|$/));
          const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
          expect(lines.indents[index]).toBe(blanks.replaceAll("\t", "    ").length);
          const last = (lines.starts[index] ?? 0) + line.trimEnd().length - 1;
          expect(lines.lastOf(index + 1)).toBe(last);
        }
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("may be more than the shared table holds", () => {
    const lines = splitLines("a\n\n".repeat(100_000));
    expect([lines.count, sizeOf(lines, 1, lines.count)]).toEqual([200_001, 200_001]);
    expect([lines.at(199_999), lines.isBlank(200_000)]).toEqual(["a", true]);
    expect(splitLines("b").count).toBe(1);
  });
});

describe("splitting", () => {
  it("does not split a text close to the target size", () => {
    expect(split("a\n".repeat(13), 10)).toEqual(["1-14"]);
  });

  it("cuts at the paragraph nearest to equal pieces", () => {
    expect(split(`${"a\n".repeat(8)}\n${"b\n".repeat(12)}`.trim(), 10)).toEqual(["1-9", "10-21"]);
  });

  it("cuts anywhere when there is no better place", () => {
    expect(split("a\n".repeat(30).trim(), 10)).toEqual(["1-10", "11-20", "21-30"]);
  });

  it("never cuts inside of a line", () => {
    const long = "x".repeat(50_000);
    expect(split(`${long}\n${long}\na`, 10)).toEqual(["1-1", "2-2", "3-3"]);
  });
});
