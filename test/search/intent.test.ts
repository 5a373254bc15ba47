import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import {
  asksForTests,
  asksInWords,
  INTENT_FEATURES,
  intentFeatures,
  intentOf,
  settingIntentOf,
  subjectWords,
} from "../../src/search/intent.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import weights from "../../src/search/ranking-weights.json" with { type: "json" };

const tokenizer = createTokenizer();

function featuresOf(text: string): Readonly<Record<string, number>> {
  const values = intentFeatures(text, parseQuery(text, tokenizer));
  return Object.fromEntries(INTENT_FEATURES.map((name, at) => [name, values[at] ?? Number.NaN]));
}

function chanceOf(text: string): number {
  return intentOf(text, parseQuery(text, tokenizer));
}

test.each([
  ["which tests cover the sanitizer", true],
  ["What unit tests exist for the lexer?", true],
  ["tests for OPML import", true],
  ["where are the tests of the badge views", true],
  ["where is incremental regeneration tested", true],
  ["where are tests collected", false],
  ["how does the test runner find files", false],
  ["test the connection", false],
  ["which test failed last", false],
])("'%s' asks for tests: %s", (text, expected) => {
  expect(asksForTests(text)).toBe(expected);
});

test("the subject of a query is what is left without its verbs, if anything is", () => {
  expect(subjectWords(["configure", "LDAP", "login"])).toEqual(["LDAP", "login"]);
  expect(subjectWords(["tests", "cover", "sanitizer"])).toEqual(["sanitizer"]);
  expect(subjectWords(["Run", "tests"])).toEqual(["Run", "tests"]);
});

test("each feature has a weight, and so has the bias", () => {
  expect(Object.keys(weights.intent)).toEqual([...INTENT_FEATURES, "bias"]);
});

test.each([
  ["namesCode", "show what parseConfig reads", "show what the parser reads"],
  ["namesCode", "show what src/config.ts reads", "show what the file reads"],
  ["isChange", "fix the colors of the table", "pick the colors of the table"],
  ["isChange", "docs: pick the colors", "pick the colors"],
  ["isStatement", "the server fails at night", "stop the server at night"],
  ["hasGerund", "parsing of dates", "a date with a time"],
  ["isImperative", "Hide passwords in the log", "passwords in the log"],
])("'%s' is 1 for '%s' and 0 for '%s'", (name, yes, no) => {
  expect(featuresOf(yes)[name]).toBe(1);
  expect(featuresOf(no)[name]).toBe(0);
});

test("task words count up to three, function words by their share", () => {
  expect(featuresOf("wait until all jobs end")["taskWords"]).toBeCloseTo(2 / 3, 9);
  expect(featuresOf("stop the job after the first, without the others")["taskWords"]).toBe(1);
  expect(featuresOf("sort a table by the date")["functionWords"]).toBe(0.5);
  expect(featuresOf("sort table date")["functionWords"]).toBe(0);
});

test.each(["hide passwords in the logs", "resend automatically after a timeout"])(
  "'%s' is something that someone wants to do",
  (text) => {
    expect(chanceOf(text)).toBeGreaterThan(0.7);
  },
);

test.each(["JsonWriter base class", "fix crash in parseConfig", "connection pooling"])(
  "'%s' is about code",
  (text) => {
    expect(chanceOf(text)).toBeLessThan(0.3);
  },
);

test("a query that asks how in words is certain, and another question is none", () => {
  expect(asksInWords("how do I hide a password")).toBe(true);
  expect(chanceOf("how do I hide a password")).toBe(1);
  expect(asksInWords("where is the password hidden")).toBe(false);
  expect(chanceOf("where is the password hidden")).toBe(0);
});

test.each([
  "how to configure replication",
  "change the port it listens on",
  "how do I turn on compression",
  "can I limit the number of workers",
  "default timeout of idle clients",
])("'%s' asks for a setting", (text) => {
  expect(settingIntentOf(text, 0.7)).toBe(0.7);
});

test.each([
  "how do I write a plugin",
  "read the file line by line",
  "how do I get the set of keys",
])("'%s' asks for no setting", (text) => {
  expect(settingIntentOf(text, 1)).toBe(0);
});

test("a chance is from 0 to 1, whatever the query", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const chance = chanceOf(text);
      expect(chance).toBeGreaterThanOrEqual(0);
      expect(chance).toBeLessThanOrEqual(1);
      expect(Object.values(featuresOf(text)).every((value) => value >= 0 && value <= 1)).toBe(true);
    }),
  );
});
