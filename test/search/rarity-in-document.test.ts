import { expect, test } from "vitest";

import { rarityInDocument } from "../../src/search/rarity-in-document.ts";
import { chunk } from "./known-candidates.ts";

/** Bits of the query "plot uncertainty": the first word is on each page, the second on one. */
const PLOT = 1;
const UNCERTAINTY = 2;
const ABSENT = 4;

const pages = [PLOT, PLOT, PLOT | UNCERTAINTY, PLOT].map((bodyTerms) => chunk({}, { bodyTerms }));
const rarity = rarityInDocument(pages, { bits: [5, 1, 9] });

test("a word that few pages have counts more than one of all pages, whatever they are worth in the index", () => {
  const [common, , rare] = pages.map(rarity);
  expect(common).toBeLessThan(0.2);
  expect(rare).toBeCloseTo(1, 9);
});

test("a word that the document does not have counts for nothing", () => {
  expect(rarity({ bodyTerms: ABSENT, namesTerms: ABSENT })).toBe(0);
});

test("headings count as text", () => {
  const inText = rarity({ bodyTerms: UNCERTAINTY, namesTerms: 0 });
  expect(rarity({ bodyTerms: 0, namesTerms: UNCERTAINTY })).toBe(inText);
  expect(rarity({ bodyTerms: UNCERTAINTY, namesTerms: UNCERTAINTY })).toBe(inText);
});

test("a document without the words of a query has no best page", () => {
  const none = rarityInDocument([chunk({}, { bodyTerms: 0 })], { bits: [1, 2] });
  expect(none({ bodyTerms: 0, namesTerms: 0 })).toBe(0);
});
