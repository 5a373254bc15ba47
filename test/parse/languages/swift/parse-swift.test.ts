import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("blocks that branches of #if open twice, and code that is not complete, end", () => {
  expect(
    swiftUses(`#if os(iOS)
func show(_ view: UIView) {
#else
func show() {
#endif
  draw()
}
class A { func f( { let x = [1, 2 }
let later = Tag()`),
  ).toEqual(["2 type UIView", "6 call draw ()", "9 call Tag ()"]);
});
