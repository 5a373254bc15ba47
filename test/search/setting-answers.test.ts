import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { settingGrade } from "../../src/search/setting-answers.ts";

const { split } = createTokenizer();

function gradeOf(settingName: string | undefined, terms: readonly string[]) {
  return settingGrade(
    { settingName, split },
    { terms: terms.map((term) => ({ term, weight: 1 })) },
  );
}

test("a passage is graded by where it has the whole name", () => {
  const grade = gradeOf("MAX_RETRIES", ["maxretries", "max", "retrie"]);
  expect(grade?.({ namesTerms: 0b111, bodyTerms: 0b111 })).toBe(2);
  expect(grade?.({ namesTerms: 0b110, bodyTerms: 0b111 })).toBe(1);
  expect(grade?.({ namesTerms: 0b110, bodyTerms: 0b110 })).toBe(0);
});

test("a name with hyphens needs all of its parts", () => {
  const grade = gradeOf("--pack-size", ["pack", "size"]);
  expect(grade?.({ namesTerms: 0, bodyTerms: 0b11 })).toBe(1);
  expect(grade?.({ namesTerms: 0, bodyTerms: 0b10 })).toBe(0);
});

test("there is no grade without a name, or for one that the index does not have", () => {
  expect(gradeOf(undefined, ["max"])).toBeUndefined();
  expect(gradeOf("MAX_RETRIES", ["max", "retrie"])).toBeUndefined();
});
