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

async function call(text: string): Promise<string> {
  return (await correctTypos(text, lexicon)).text;
}

describe("a word that stands nowhere is read as the one that was likely meant", () => {
  test.each([
    ["letters swapped", "authetnication", "authentication"],
    ["a letter left out", "authentcation", "authentication"],
    ["a letter typed twice", "authenticattion", "authentication"],
    ["another letter", "authenticarion", "authentication"],
    ["a letter too many", "authentiscation", "authentication"],
    ["in its ending, which is no part of the term", "separaet occurrencse", "separate occurrences"],
    ["a short word, swapped", "widht", "width"],
    ["a word that all programs use", "valuq", "value"],
    ["a word of this project alone", "frobnictor", "frobnicator"],
    ["a slip that programs make as well", "recieve", "receive"],
    ["a word, not only what has the ending of one", "authenticaeting", "authenticating"],
    ["with a capital", "Authetnication", "Authentication"],
    ["in a part of a name", "authenticateSesison", "authenticateSession"],
    ["in a name with underscores", "authenticate_sesison()", "authenticate_session()"],
  ])("%s: %s", async (_slip, typed, meant) => {
    expect(await call(`where is ${typed} done`)).toBe(`where is ${meant} done`);
  });

  test("each is told once, in the order of the question", async () => {
    expect(await correctTypos("sesison of authetnication, sesison", lexicon)).toEqual({
      text: "session of authentication, session",
      corrections: [
        { from: "sesison", to: "session" },
        { from: "authetnication", to: "authentication" },
      ],
    });
  });
});

describe("left as it stands", () => {
  test.each([
    ["words of the index", "where are frobnicators of middleware"],
    ["a word of programs that is not in the index, though another is near", "inset the plugs"],
    ["names of other things", "does Ecto run under nvim, jest or semver"],
    ["what is near to nothing", "zzzqqq xxkkvv"],
    ["a first letter: it is believed", "quthentication"],
    ["two slips in a word", "autehntciation"],
    ["capitals: what is pasted", "AUTHETNICATION"],
    ["letters of another script beside it", "éauthetnication authetnicationé"],
    ["digits and short words", "wdth 12 x y2 ot"],
    ["a long question: it is pasted", `authetnication ${"of words ".repeat(25)}`],
    ["a question of many words that nobody knows", "sesison widht valuq frobnictor authetnication"],
  ])("%s", async (_what, text) => {
    expect(await correctTypos(text, lexicon)).toEqual({ text, corrections: [] });
  });

  test("a word that nothing but its ending makes one", async () => {
    // "token" is in the index, and "tokenes" would be its plural.
    expect(await call("all the tokenxes")).toBe("all the tokenxes");
  });
});

test("whatever is asked, only words that stand nowhere are read otherwise, as words that stand somewhere", async () => {
  const word = fc.constantFrom("sesison", "revokeTokne", "authetnication", "store", "widht", "the");
  const question = fc.array(fc.oneof(word, fc.string()), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(question, async (parts) => {
      const asked = parts.join(" ");
      const { text, corrections } = await correctTypos(asked, lexicon);
      for (const { from, to } of corrections) {
        const terms = [from, to].map((one) => lexicon.tokenizer.split(one)[0] ?? "");
        const [before, after] = await lexicon.termCounts(terms);
        expect([from, before]).toEqual([from, 0]);
        expect(after).toBeGreaterThan(0);
        expect(Math.abs(from.length - to.length)).toBeLessThanOrEqual(1);
      }
      expect(text === asked).toBe(corrections.length === 0);
      // Read once, it is read.
      expect(await correctTypos(text, lexicon)).toEqual({ text, corrections: [] });
    }),
  );
});

test("the answer is the one to the question without the slip", async () => {
  const { search } = await index(FILES);
  const [slipped, meant] = [
    await search("how is authetnication done"),
    await search("how is authentication done"),
  ];
  expect(slipped).toEqual(meant);
  expect(slipped[0]?.path).toBe("src/session.ts");
});
