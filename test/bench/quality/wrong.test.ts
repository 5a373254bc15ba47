import { expect, test } from "vitest";

import type { Corpus } from "../../../bench/quality/questions.ts";
import { NOTHING_GOOD, otherCorpora } from "../../../bench/quality/wrong.ts";

function corpus(id: string, language: string): Corpus {
  return { id, language, kind: "git", github: `o/${id}`, commit: "1", root: "" };
}

test("a question goes to the next corpus in another language, whatever the order they come in", () => {
  const corpora = [corpus("d", "go"), corpus("b", "go"), corpus("a", "rust"), corpus("c", "java")];
  const others = [...otherCorpora(corpora)].map(([id, other]) => `${id} ${other.id}`);
  expect(others).toEqual(["a b", "b c", "c d", "d a"]);
  expect([...otherCorpora([corpus("a", "go"), corpus("b", "go")])]).toEqual([]);
});

test.each([
  ['Nothing in "gin" matches. Try other words.', true],
  ["No good match: these are the nearest.", true],
  ['src/Nothing.ts:1-2\nNothing.ts:3-4  Nothing\nMore results: cursor "x".', false],
  ["", false],
])("%j says that nothing was found: %s", (notes, expected) => {
  expect(NOTHING_GOOD.test(notes)).toBe(expected);
});
