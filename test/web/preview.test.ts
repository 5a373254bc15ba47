import { expect, test } from "vitest";

import { linesOf } from "../../src/web/code-lines.ts";
import { previewOf } from "../../src/web/preview.ts";
import { marksIn, stemsOf } from "../../src/web/query-words.ts";

test("the preview shows the matching words, and the beginning if there are none", () => {
  const body = Array.from({ length: 40 }, (_, at) => (at >= 25 && at < 30 ? "tide" : "sea"));
  const lines = linesOf(body.join("\n"), [], marksIn(body.join("\n"), stemsOf("tide")));
  const { start, end } = previewOf(lines);
  expect(end - start).toBe(12);
  expect(start).toBeLessThanOrEqual(25);
  expect(end).toBeGreaterThanOrEqual(30);
  expect(previewOf(linesOf(body.join("\n"), [], []))).toEqual({ start: 0, end: 12 });
  expect(previewOf(lines.slice(0, 15))).toEqual({ start: 0, end: 15 });
});
