import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("locals are no uses, and results are expected", () => {
  expect(
    swiftUses(`struct Page {
  var title: Title
  func make(name: Name) -> Mode {
    let copy = name
    copy.trim()
    defer { title.clear() }
    outer: while copy.isOpen { continue outer }
    func inner() { copy.go() }
    inner()
    return .plain
  }
}
`),
  ).toEqual([
    "2 type Title",
    "3 type Name",
    "3 type Mode",
    "5 call trim of @Name ()",
    "6 value title",
    "6 call clear of title ()",
    "7 value isOpen of @Name",
    "8 call go of @Name ()",
    "10 value plain of @Mode",
  ]);
});
