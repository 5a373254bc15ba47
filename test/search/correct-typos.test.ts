import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { correctTypos, type Lexicon } from "../../src/search/correct-typos.ts";
import { sharedIndexes, TOKENS, type Files } from "./searchable.ts";

const FILES: Files = {
  ...TOKENS,
  "src/session.ts": [
    "/** Authentication of a session: authenticates, then sets the width of the middleware. */",
    "export function authenticateSession(width: number): void {",
    "  throw new AuthenticationError(`separate occurrences ${width}`);",
    "}",
  ].join("\n"),
  "src/frobnicator.ts": "// Frobnicators receive a value.\nexport class Frobnicator {}\n",
  "docs/echo.md": "Echo the server, and insert just the plus of it.\n",
};
const index = sharedIndexes();
let lexicon: Lexicon;
beforeAll(async () => {
  const reader = await (await index(FILES)).reader();
  lexicon = {
    tokenizer: createTokenizer(),
    termCounts: reader.termCounts,
    logProbability: packedEmbeddings.load().logProbability,
  };
});

async function correctedText(text: string): Promise<string> {
  return (await correctTypos(text, lexicon)).text;
}

describe("an unindexed word is replaced by the one that was likely meant", () => {
  test.each([
    ["letters swapped", "authetnication", "authentication"],
    ["a letter left out", "authentcation", "authentication"],
    ["a letter typed twice", "authenticattion", "authentication"],
    ["another letter", "authenticarion", "authentication"],
    ["a letter too many", "authentiscation", "authentication"],
    [
      "in its ending, which is not part of the term",
      "separaet occurrencse",
      "separate occurrences",
    ],
    ["a short word, swapped", "widht", "width"],
    ["a word that all programs use", "valuq", "value"],
    ["a word that only this project uses", "frobnictor", "frobnicator"],
    ["a typo that also occurs in programs", "recieve", "receive"],
    [
      "a real word, preferred over one with just a common ending",
      "authenticaeting",
      "authenticating",
    ],
    ["with a capital", "Authetnication", "Authentication"],
    ["a missing space", "separateoccurrences", "separate occurrences"],
    ["a missing space after a capital", "Sessionwidth", "Session width"],
    ["in a part of a name", "authenticateSesison", "authenticateSession"],
    ["in a name with underscores", "authenticate_sesison()", "authenticate_session()"],
  ])("%s: %s", async (_typo, typed, meant) => {
    expect(await correctedText(`where is ${typed} done`)).toBe(`where is ${meant} done`);
  });

  test("each correction is reported once, in the order of the query", async () => {
    expect(await correctTypos("sesison of authetnication, sesison", lexicon)).toEqual({
      text: "session of authentication, session",
      corrections: [
        { from: "sesison", to: "session" },
        { from: "authetnication", to: "authentication" },
      ],
    });
  });
});

describe("not corrected", () => {
  test.each([
    ["words of the index", "where are frobnicators of middleware"],
    ["a word of programs that is not in the index, though a similar one is", "inset the plugs"],
    ["names of other things", "does Ecto run under nvim, jest or semver"],
    ["a word similar to no other", "zzzqqq xxkkvv"],
    ["a wrong first letter: it is assumed correct", "quthentication"],
    ["two typos in a word", "autehntciation"],
    ["capitals, which are pasted", "AUTHETNICATION"],
    ["letters of another script next to it", "éauthetnication authetnicationé"],
    ["digits and short words", "wdth 12 x y2 ot"],
    ["a long query, which is pasted", `authetnication ${"of words ".repeat(25)}`],
    ["a query of many unknown words", "sesison widht valuq frobnictor authetnication"],
  ])("%s", async (_what, text) => {
    expect(await correctTypos(text, lexicon)).toEqual({ text, corrections: [] });
  });

  test("a correction that is a word only by its ending", async () => {
    // "token" is in the index, and "tokenes" would be its plural.
    expect(await correctedText("all the tokenxes")).toBe("all the tokenxes");
  });
});

test("for any query, only unindexed words are replaced, and only by indexed ones", async () => {
  const word = fc.constantFrom("sesison", "revokeTokne", "authetnication", "store", "widht", "the");
  const question = fc.array(fc.oneof(word, fc.string()), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(question, async (parts) => {
      const query = parts.join(" ");
      const { text, corrections } = await correctTypos(query, lexicon);
      for (const { from, to } of corrections) {
        const terms = [from, to].map((one) => lexicon.tokenizer.split(one)[0] ?? "");
        const [before, after] = await lexicon.termCounts(terms);
        expect([from, before]).toEqual([from, 0]);
        expect(after).toBeGreaterThan(0);
        expect(Math.abs(from.length - to.length)).toBeLessThanOrEqual(1);
      }
      expect(text === query).toBe(corrections.length === 0);
      // A corrected query is not corrected again.
      expect(await correctTypos(text, lexicon)).toEqual({ text, corrections: [] });
    }),
  );
});

test("a query with a typo gets the results of the correct query", async () => {
  const { search } = await index(FILES);
  const [mistyped, meant] = [
    await search("how is authetnication done"),
    await search("how is authentication done"),
  ];
  expect(mistyped).toEqual(meant);
  expect(mistyped[0]?.path).toBe("src/session.ts");
});
