import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("parameters of function literals are local", () => {
  expect(
    swiftUses(`run { [weak self, count = total] (first: Item, second) async throws -> Tag in
  first.name
  second.name
  return .empty
}
run { print($0, $1) }
run { for each in list { use(each) } }
`),
  ).toEqual([
    "1 value total",
    "1 type Item",
    "1 type Tag",
    "1 call run (&)",
    "2 value name of @Item",
    "3 value name of run{_/1@:}",
    "4 value empty of @Tag",
    "6 call print (_,_)",
    "6 call run (&)",
    "7 value list",
    "7 call use (_)",
    "7 call run (&)",
  ]);
});
