import { expect, test } from "vitest";

import { synonymsOf } from "../../src/search/synonyms.ts";

test("synonyms do not depend on case, and exclude the word itself", () => {
  expect(synonymsOf("DIR")).toEqual(synonymsOf("dir"));
  expect(synonymsOf("dir")).toContain("folder");
  expect(synonymsOf("dir")).not.toContain("dir");
});

test("synonyms are symmetric", () => {
  const known = new Set<string>();
  const waiting = ["dir", "msg", "delete", "serialize", "err"];
  for (const word of waiting) {
    if (known.has(word)) continue;
    known.add(word);
    for (const other of synonymsOf(word)) {
      expect(synonymsOf(other)).toContain(word);
      waiting.push(other);
    }
  }
  expect(known.size).toBeGreaterThan(10);
});

test.each(["weather", "", "constructor", "__proto__"])("there are none for %j", (word) => {
  expect(synonymsOf(word)).toEqual([]);
});
