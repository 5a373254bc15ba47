import { expect, test } from "vitest";

import { isCHeader } from "../../src/base/c-header.ts";

test.each(["a.h", "include/b.hpp", "C.HH", "d.hxx"])("%s is a header", (path) => {
  expect(isCHeader(path)).toBe(true);
});

test.each(["a.c", "h", "a.h/b.c", "a.hs", "a.h.in"])("%s is none", (path) => {
  expect(isCHeader(path)).toBe(false);
});
