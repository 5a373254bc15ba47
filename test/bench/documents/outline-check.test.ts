import { expect, test } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import { checkOutline, compareLists } from "../../../bench/documents/outline-check.ts";

const ONE = "alpha beta gamma delta epsilon theta kappa lambda sigma omega omicron upsilon zeta";
const TWO = "north south east-west winter summer spring autumn morning evening midnight midday";

function pages(first: string, second: string): DocumentText {
  return {
    text: `${first}\n\n${second}\n`,
    unit: "page",
    places: [
      { line: 1, name: "1" },
      { line: 3, name: "2" },
    ],
    headings: [{ line: 3, level: 1, title: "Times" }],
    code: [],
  };
}

test("a page under its own number is right, under the next one it is not", () => {
  const reader = { parts: [ONE, TWO], headings: [{ title: "Times", part: 2 }] };
  expect(checkOutline("pdf/a.pdf", pages(ONE, TWO), reader)).toMatchObject({
    parts: { right: 2, of: 2 },
    headings: { right: 1, of: 1 },
    ownHeadings: 0,
  });
  expect(checkOutline("pdf/a.pdf", pages(TWO, ONE), reader).parts).toMatchObject({
    right: 0,
    of: 2,
  });
});

test("a heading on another page is not right", () => {
  const reader = { headings: [{ title: "Times", part: 1 }] };
  const check = checkOutline("pdf/a.pdf", pages(ONE, TWO), reader);
  expect(check).toMatchObject({
    headings: { right: 0, of: 1, wrong: ["times 1"] },
    ownHeadings: 1,
  });
});

test("a page of which only the header is left out is right", () => {
  const { text, ...rest } = pages(ONE, TWO);
  const document = { ...rest, text, places: rest.places.slice(0, 1) };
  const reader = { parts: [`${ONE} ${TWO}`, "Some Manual of Something, Version Twelve"] };
  expect(checkOutline("pdf/a.pdf", document, reader).parts).toMatchObject({ right: 2, of: 2 });
});

test("sheets are compared by their names, each as often as it occurs", () => {
  expect(compareLists(["a", "a", "b"], ["b", "a", "c"])).toEqual({ right: 2, of: 3, wrong: ["a"] });
});
