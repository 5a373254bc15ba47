import { expect, test } from "vitest";

import { isStyleName, isStyleUse, mayHaveStyles } from "../../src/base/style-names.ts";

test("names of style sheets have a sign in front", () => {
  for (const name of [".btn", "#app", "--color", "$width", "$-xs", "%card", "@width", ".-wide"])
    expect([name, isStyleName(name)]).toEqual([name, true]);
  for (const name of ["btn", ".", "..", ".5", "#", "--", "::btn", ".a.b", ".a b", "-color", ""])
    expect([name, isStyleName(name)]).toEqual([name, false]);
});

test("only style sheets define what such a use means", () => {
  expect(isStyleUse({ receiver: "%css" })).toBe(true);
  expect(isStyleUse({ receiver: "%css.styles" })).toBe(true);
  expect(isStyleUse({ receiver: "%ruby" })).toBe(false);
  expect(isStyleUse({ receiver: "" })).toBe(false);
});

test("style sheets may be in files of their own, in components and in pages", () => {
  expect(["css", "vue", "svelte", "html", "php"].every(mayHaveStyles)).toBe(true);
  expect(["typescript", "tsx", "python"].some(mayHaveStyles)).toBe(false);
});
