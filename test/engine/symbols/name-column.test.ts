import { expect, test } from "vitest";

import { columnOfName } from "../../../src/engine/symbols/name-column.ts";

test.each([
  ["open()", "open", 1],
  ["  reopen(open)", "open", 10],
  ["  reopened", "open", 5],
  ["\timport x", "", 2],
  ["  other", "open", 3],
  ["", "open", 1],
])("%j, %j: %d", (line, name, column) => {
  expect(columnOfName(line, name)).toBe(column);
});
