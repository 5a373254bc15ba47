import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

test("a name before `::` is marked as one of a namespace or a type", async () => {
  const { references } = await chunk(
    "cpp",
    `#include "level.h"
int open() { return level::high + level; }
`,
  );
  const uses = references.uses.filter(({ role }) => role !== "import");
  expect(
    uses.map(({ name, role, receiver, arguments: mark = "" }) => [name, role, receiver, mark]),
  ).toEqual([
    ["level", "value", "", "::"],
    ["high", "value", "level", ""],
    ["level", "value", "", ""],
  ]);
});
