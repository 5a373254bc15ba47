import * as fc from "fast-check";
import { expect, test } from "vitest";

import { idInPath, pathOfId } from "../../../src/index/commits/commit-path.ts";
import { pathTexts } from "../../../src/index/path-texts.ts";
import { createTokenizer } from "../../../src/parse/tokenizer.ts";

const ids = fc.stringMatching(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

test("an id of either length comes back from its path, which has no words", () => {
  const { terms } = createTokenizer();
  fc.assert(
    fc.property(ids, (id) => {
      const path = pathOfId(id);
      expect(idInPath(path)).toBe(id);
      const words: string[] = [];
      for (const text of pathTexts(path)) terms(text, (term) => void words.push(term));
      expect(words).toEqual([]);
    }),
  );
});

test("the smallest and the largest id have paths of one length", () => {
  for (const length of [40, 64]) {
    const [least, most] = [pathOfId("0".repeat(length)), pathOfId("f".repeat(length))];
    expect(least).toHaveLength(most.length);
    expect(idInPath(least)).toBe("0".repeat(length));
  }
});
