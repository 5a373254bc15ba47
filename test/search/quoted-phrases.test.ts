import { expect, test } from "vitest";

import { quotedPhrases } from "../../src/search/quoted-phrases.ts";

test.each<[string, readonly string[]]>([
  ["could not open the lock file!", ["could not open the lock file"]],
  [
    "[warn] store.db: could not open the lock file",
    ["warn store db could not open the lock file", "store db could not open the lock file"],
  ],
  ["Error: no such table here", ["error no such table here", "no such table here"]],
  [
    'it says "no such table here" at night',
    ["it says no such table here at night", "no such table here"],
  ],
  ["lock file missing", []],
  ["x".repeat(201), []],
])("%j may quote %j", (text, phrases) => {
  expect(quotedPhrases(text)).toEqual(phrases);
});
