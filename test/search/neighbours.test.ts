import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { similaritiesOf, supportShare, withSupport } from "../../src/search/neighbours.ts";
import { SUPPORTED_DEPTH } from "../../src/search/weights.ts";

const { terms } = createTokenizer();
const LONG =
  "how is the drag of a thin wing in a supersonic stream of gas with viscosity estimated";
const PROSE = { query: { words: LONG.split(" ") }, docsShare: 1 };

type Scored = Parameters<typeof withSupport>[0][number];

function shareOf(count: number): number {
  return supportShare({ query: { words: LONG.split(" ").slice(0, count) }, docsShare: 1 });
}

function probabilityOf(word: string): number {
  return word === "wing" ? -14 : -6;
}

/** A file of one chunk, which is its first line. */
function scored(path: string, score: number): Scored {
  return {
    file: { path, language: "text", role: "docs" as const, flags: 0 },
    score,
    chunks: [
      {
        chunk: {
          facts: { startLine: 1, endLine: 1, kind: "text" as const, symbol: "", names: [] },
        },
      },
    ],
  };
}

function sourceOf(texts: Readonly<Record<string, string>>) {
  return {
    neighbours: {
      terms,
      textsOf: async (chunks: readonly { readonly file: { readonly path: string } }[]) =>
        Promise.resolve(chunks.map(({ file }) => texts[file.path])),
    },
  };
}

const WING = "boundary layer of a thin wing";
const FILES = [
  scored("a", 9),
  scored("alone", 5),
  scored("b", 4.9),
  scored("c", 1),
  scored("d", 1),
];
const TEXTS = {
  a: `${WING} in supersonic flow`,
  alone: "heat conduction through plates and walls",
  b: `${WING} in subsonic flow`,
  c: "buckling under axial load",
  d: "vibration measured at night",
};

test("of two files with nearly the same score, the one that is like the best comes first", async () => {
  const found = await withSupport(FILES, PROSE, sourceOf(TEXTS));
  expect(found.map(({ file }) => file.path)).toEqual(["a", "b", "alone", "c", "d"]);
  // A file gets the score of its position.
  expect(found.map(({ score }) => score)).toEqual([9, 5, 4.9, 1, 1]);
  expect(found.map(({ support }) => (support ?? 0).toFixed(1))).toEqual([
    "0.0",
    "0.1",
    "-0.1",
    "0.0",
    "0.0",
  ]);
});

test.each([
  ["without texts", PROSE, {}],
  ["among code", { ...PROSE, docsShare: 0.5 }, sourceOf(TEXTS)],
  [
    "for a question of few words",
    { ...PROSE, query: { words: ["thin", "wing"] } },
    sourceOf(TEXTS),
  ],
])("%s nothing changes", async (_, asked, source) => {
  expect(await withSupport(FILES, asked, source)).toBe(FILES);
});

test("files after the first ones stay where they are", async () => {
  const files = Array.from({ length: SUPPORTED_DEPTH + 3 }, (_, at) => scored(`${at}`, 50 - at));
  const texts = Object.fromEntries(files.map(({ file }, at) => [file.path, `${WING} ${at % 3}`]));
  const found = await withSupport(files, PROSE, sourceOf(texts));
  expect(found.slice(SUPPORTED_DEPTH)).toEqual(files.slice(SUPPORTED_DEPTH));
  expect(found.map(({ file }) => file.path).toSorted()).toEqual(
    files.map(({ file }) => file.path).toSorted(),
  );
});

test("a file whose text cannot be read is like no other", async () => {
  const found = await withSupport(FILES, PROSE, sourceOf({ ...TEXTS, b: "" }));
  expect(found.map(({ file }) => file.path)).toEqual(["a", "alone", "b", "c", "d"]);
});

test("the share grows with the words of the question", () => {
  expect([4, 7, 10, 12].map(shareOf)).toEqual([0, 0.5, 1, 1]);
});

test("similarities are cosines: symmetric, from 0 to 1, near 1 for the same words", () => {
  const words = fc.array(fc.constantFrom("wing", "drag", "flow", "heat", "load"), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(words, { minLength: 3, maxLength: 6 }), (texts) => {
      const found = similaritiesOf([...texts.map((text) => text.join(" ")), undefined], {
        terms,
        logProbability: (word) => (word === "wing" ? undefined : -9),
      });
      for (const [one, row] of found.entries()) {
        for (const [other, value] of row.entries()) {
          expect(value).toBe(found[other]?.[one]);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-9);
        }
      }
    }),
  );
  const [first] = similaritiesOf(["wing drag", "drag wing", "heat"], {
    terms,
    logProbability: () => -9,
  });
  expect(first?.[1]).toBeCloseTo(1, 9);
  expect(first?.[2]).toBe(0);
});

test("rare words make texts more alike than common ones", () => {
  const [first] = similaritiesOf(["wing item", "wing load", "item heat"], {
    terms,
    logProbability: probabilityOf,
  });
  expect(first?.[1]).toBeGreaterThan(3 * (first?.[2] ?? 1));
});
