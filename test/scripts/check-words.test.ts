import { expect, test } from "vitest";

import { staleAllowances, wordsIn } from "../../scripts/check-words.ts";

test.each([
  ["Nothing was mended.", "mended"],
  ["It is told of each change.", "told"],
  ["Whoever asks gets an answer.", "Whoever"],
  ["A count stands there.", "stands"],
  ["a folder of the user's", "a folder of the user's"],
])("%s", (text, word) => {
  expect(wordsIn("docs/a.md", `# A\n${text}\n`)).toMatchObject([{ line: 2, word }]);
});

test.each([
  "A question mark stands for one character.",
  "A stand-alone program.",
  "recommended",
  "This is the user's folder.",
])("%s is fine", (text) => {
  expect(wordsIn("docs/a.md", text)).toEqual([]);
});

test("a line may use a word where the list allows it for the file, and nowhere else", () => {
  const line = '  if (event === "log.mended") return;';
  expect(wordsIn("src/credentials/audit/local/verify.ts", line)).toEqual([]);
  expect(wordsIn("src/credentials/audit/local/other.ts", line)).toMatchObject([{ word: "mended" }]);
});

test("a folder may allow a word for all its files", () => {
  expect(wordsIn("test/doctor/check-git.test.ts", '  mend: "Install git.",')).toEqual([]);
  expect(wordsIn("test/doctors/a.test.ts", '  mend: "Install git.",')).toMatchObject([
    { word: "mend" },
  ]);
});

test("an allowance that no line needs any more is reported", () => {
  expect(staleAllowances(() => "")).toContain("src/scan/languages.ts: tclsh wish");
});
