import { expect, test } from "vitest";

import { tokensOf } from "../../src/web/code-tokens.ts";
import { linesOf } from "../../src/web/code-lines.ts";
import { previewOf } from "../../src/web/preview.ts";
import { marksIn, stemsOf } from "../../src/web/query-words.ts";

function shown(all: readonly boolean[]): number[] {
  return [...all.keys()].filter((at) => all[at] === true);
}

test("the preview shows the matching words, and the beginning if there are none", () => {
  const body = Array.from({ length: 40 }, (_, at) => (at >= 25 && at < 30 ? "tide" : "sea"));
  const lines = linesOf(body.join("\n"), [], marksIn(body.join("\n"), stemsOf("tide")));
  // The first line, which names the passage, and the lines that match with the lines around them.
  expect(shown(previewOf(lines))).toEqual([0, 24, 25, 26, 27, 28, 29, 30]);
  expect(shown(previewOf(linesOf(body.join("\n"), [], [])))).toEqual([...Array(12).keys()]);
  expect(shown(previewOf(lines.slice(0, 15)))).toHaveLength(15);
});

test("the first line of code names the passage, and a comment before it does not", () => {
  const text = ["/* what", " it is */", "class Sea {", ...Array.from({ length: 30 }, () => "x;")];
  const all = [...text, "tide();"].join("\n");
  const lines = linesOf(all, tokensOf(all, "typescript"), marksIn(all, stemsOf("tide")));
  expect(shown(previewOf(lines))).toEqual([2, 32, 33]);
});
