import { expect, test } from "vitest";

import { shownIn, wordsOf } from "../../../src/cli/complete/shell-words.ts";

test.each([
  ["bash", ["search", "--kind", "=", "co"], ["search", "--kind=co"]],
  ["bash", ["search", "--kind", "="], ["search", "--kind="]],
  ["bash", ["search", "a", "=", "b"], ["search", "a", "=", "b"]],
  ["zsh", ["search", "--kind=co"], ["search", "--kind=co"]],
  // The script marks the last word, because PowerShell drops an empty one.
  ["powershell", ["search", "=--ki"], ["search", "--ki"]],
  ["powershell", ["search", "="], ["search", ""]],
] as const)("%s passes %j for %j", (shell, passed, words) => {
  expect(wordsOf(shell, passed)).toEqual(words);
});

test.each([
  ["bash", ["search", "--kind", "=", "co"], "code"],
  ["bash", ["search", "--ki"], "--kind=code"],
  ["zsh", ["search", "--kind=co"], "--kind=code"],
] as const)("%s replaces the last word of %j with %j", (shell, passed, shown) => {
  expect(shownIn(shell, { word: "--kind=code", description: "" }, passed)).toBe(shown);
});
