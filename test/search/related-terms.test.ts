import { describe, expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { joinedTerms, RELATED_WEIGHTS, relatedTerms } from "../../src/search/related-terms.ts";

const { spelling, synonym, acronym, spelledOut } = RELATED_WEIGHTS;

function wordsOf(text: string, stopWords: readonly string[]) {
  const words = text.split(" ");
  return { words, distinctive: words.filter((word) => !stopWords.includes(word)) };
}

function related(text: string, stopWords: readonly string[] = []): Record<string, number> {
  return Object.fromEntries(relatedTerms(wordsOf(text, stopWords), createTokenizer()));
}

test("another spelling counts as much as the word, and a synonym less", () => {
  expect(related("colour")).toEqual({ color: spelling });
  expect(related("cfg")).toEqual({
    conf: synonym,
    config: synonym,
    configur: synonym,
    configuration: synonym,
  });
});

describe("acronyms", () => {
  test("words find their acronym, also in the plural", () => {
    expect(related("server sent events")).toMatchObject({ sse: acronym });
    expect(related("abstract syntax tree")).toMatchObject({ ast: acronym });
  });

  test("words of a phrase count although they are stop words", () => {
    expect(related("man in the middle", ["in", "the"])).toMatchObject({ mitm: acronym });
  });

  test("an acronym finds its words, all of its meanings", () => {
    expect(related("SSE")).toEqual({ server: spelledOut, sent: spelledOut, event: spelledOut });
    expect(related("orm")).toMatchObject({ mapper: spelledOut });
  });

  test("words in another order are no phrase", () => {
    expect(related("events sent server")).not.toHaveProperty("sse");
  });
});

function joined(text: string, stopWords: readonly string[] = []): readonly string[] {
  return [...joinedTerms(wordsOf(text, stopWords), createTokenizer())];
}

describe("words written together", () => {
  test("neighbours find the name and the word that they make", () => {
    expect(joined("parse flags")).toEqual(["parseflags", "parseflag"]);
    expect(joined("one two three")).toEqual(["onetwo", "twothree", "twothre"]);
  });

  test("a stop word separates", () => {
    expect(joined("file of flags", ["of"])).toEqual([]);
  });

  test("names, single letters and what no name is as long as are not joined", () => {
    expect(joined("parseFlags x")).toEqual([]);
    expect(joined("internationalization infrastructures")).toEqual([]);
  });
});
