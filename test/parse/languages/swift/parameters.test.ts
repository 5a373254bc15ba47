import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("attributes and defaults of parameters", () => {
  expect(
    swiftUses(`struct Page: View {
  @State private var name: String
  @Option(name: .long, help: "x") var size: Size
  init(@Builder content: @escaping () -> Content = { Empty() }, mode: Mode = .plain) {}
}
`),
  ).toEqual([
    "1 inherit View",
    "2 type State",
    "2 type String",
    "3 type Option",
    "3 value long of Option{name}",
    "3 type Size",
    "4 type Builder",
    "4 type Content",
    "4 call Empty ()",
    "4 type Mode",
    "4 value plain of @Mode",
  ]);
});
