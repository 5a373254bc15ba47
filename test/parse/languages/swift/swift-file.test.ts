import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

const TEXT = `let a = ${"(".repeat(400)}deep${")".repeat(400)}
let b = root${".next".repeat(80)}.last
`;

test("very deep nesting and long chains end", () => {
  expect(swiftUses(TEXT).at(-1)).toBe("2 value last of ?");
  expect(swiftUses(TEXT)).toHaveLength(82);
});
