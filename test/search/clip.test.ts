import * as fc from "fast-check";
import { expect, test } from "vitest";

import { clip } from "../../src/search/clip.ts";

test("a short line is shown whole, without trailing blanks", () => {
  expect(clip("  a b \t\r", 10)).toBe("  a b");
  expect(clip("x".repeat(240), 240)).toBe("x".repeat(240));
});

test("a longer line shows its beginning", () => {
  expect(clip("x".repeat(300), 240)).toBe(`${"x".repeat(240)}…`);
  expect(clip(`${"x".repeat(239)}😀${"y".repeat(100)}`, 240)).toBe(`${"x".repeat(239)}…`);
});

test("the piece with most of the query is shown, and begins with a word", () => {
  const line = `${"other ".repeat(100)}revoke a token ${"other ".repeat(100)}`;
  const shown = clip(line, 60, [
    { start: 0, weight: 1 },
    { start: 600, weight: 1 },
    { start: 609, weight: 1 },
  ]);
  expect(shown).toMatchInlineSnapshot(
    `"…other other other revoke a token other other other other oth…"`,
  );
});

test("the beginning is shown if it matches as well", () => {
  const line = `revoke ${"other ".repeat(100)}revoke`;
  const hits = [
    { start: 0, weight: 1 },
    { start: 607, weight: 1 },
  ];
  expect(clip(line, 60, hits)).toMatch(/^revoke other .*…$/);
  expect(clip(line, 60, hits.slice(1))).toMatch(/^…other .* revoke$/);
});

test("a json fence loses its name, others keep theirs", () => {
  expect(clip("```json", 240)).toBe("```…");
  expect(clip("  ```JSON  ", 240)).toBe("  ```…");
  expect(clip(" * ```json", 240)).toBe(" * ```…");
  for (const line of ["```json5", '```json title="a"', "```js", "json", "`json"]) {
    expect(clip(line, 240)).toBe(line);
  }
});

test("a clipped line is a piece of the line, within the limit, of whole characters", () => {
  const lines = fc.string({ unit: fc.constantFrom("a", " ", "😀", "ß", "\t"), maxLength: 300 });
  const hits = fc.array(fc.record({ start: fc.nat(300), weight: fc.integer({ min: 1, max: 3 }) }));
  fc.assert(
    fc.property(lines, fc.integer({ min: 20, max: 100 }), hits, (line, limit, found) => {
      const inside = found
        .filter(({ start }) => start < line.length)
        .toSorted((one, other) => one.start - other.start);
      const shown = clip(line, limit, inside);
      expect(line).toContain(shown.replaceAll("…", ""));
      expect(shown.length).toBeLessThanOrEqual(limit + 2);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});
