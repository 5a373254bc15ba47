import { expect, test } from "vitest";

import { usesIn } from "./reference-lines.ts";

test("a name in lambdas may be a member of what the called functions declare, the innermost first", async () => {
  const source = `fun main() {
    module {
        scope { scoped(Store()) }
        listOf(1).forEach { single(it) }
    }
    store.apply { open() }
}
`;
  expect(await usesIn("kotlin", source)).toEqual([
    "2 call module in main",
    "3 call module{0}()|.scope in main",
    "3 call module{0}().scope{0}();scope{0}();module{0}()|.scoped in main",
    "3 call Store in main",
    "4 call module{0}()|.listOf in main",
    "4 call listOf().forEach in main",
    "4 call module{0}()|.single in main",
    "6 value store in main",
    "6 call store.apply in main",
    "6 call store|.open in main",
  ]);
});
