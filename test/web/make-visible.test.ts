import { expect, test } from "vitest";

import { makeVisible } from "../../src/web/make-visible.ts";

test("characters that hide or reorder others are shown by code point", () => {
  expect(makeVisible("a\u202egpj.exe")).toBe("a⟨U+202E⟩gpj.exe");
  expect(makeVisible("one\nrm -rf\u0000\u001b[2J")).toBe("one␊rm -rf␀␛[2J");
  expect(makeVisible("\tGröße שלום 日本")).toBe("\tGröße שלום 日本");
});
