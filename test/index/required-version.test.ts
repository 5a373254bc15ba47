import { expect, test } from "vitest";

import { requireVersion } from "../../src/index/required-version.ts";

const VERSION = { epoch: "a", at: 5 };

test.each([undefined, VERSION, { epoch: "a", at: 4 }])("version 5 is enough for %j", (atLeast) => {
  expect(() => requireVersion(VERSION, atLeast)).not.toThrow();
});

test.each([
  { epoch: "a", at: 6 },
  { epoch: "b", at: 4 },
])("version 5 is not enough for %j", (atLeast) => {
  expect(() => requireVersion(VERSION, atLeast)).toThrow("older than the requested version");
});
