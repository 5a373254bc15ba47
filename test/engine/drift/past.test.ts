import { expect, test } from "vitest";

import { isPastPath, speaksOfPast } from "../../../src/engine/drift/past.ts";

test.each([
  "CHANGELOG.md",
  "docs/changes.rst",
  "docs/whatsnew/3.1.rst",
  "docs/release-notes/a.md",
  "docs/migration-guide.md",
  "docs/Upgrading.md",
  "docs/decisions/0001-a.md",
  "sep/sep-001.rst",
  "website/versioned_docs/version-1/a.md",
  "docs/v1.2/a.md",
])("%s describes the past", (path) => {
  expect(isPastPath(path)).toBe(true);
});

test.each([
  "README.md",
  "docs/api.md",
  "docs/changing-settings.md",
  "docs/exchange.md",
  "docs/v1/a.md",
])("%s describes the present", (path) => {
  expect(isPastPath(path)).toBe(false);
});

test.each([
  "`a` was removed in 2.0",
  "Before Vitest 0.34.0, it was named `a`",
  "Use `b` instead of `a`",
  "`a` is no longer supported",
  "It has been moved to its own package",
  ".. deprecated:: 2.0",
])("%s is about the past", (text) => {
  expect(speaksOfPast(text)).toBe(true);
});

test.each([
  "`removed` is a list",
  ".. autoclass:: UpgradeSession",
  "Returns the names.",
  "Move the file to a folder.",
])("%s is about the present", (text) => {
  expect(speaksOfPast(text)).toBe(false);
});
