import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("patterns bind names with their types", () => {
  expect(
    swiftUses(`func run(shape: Shape, list: [Item]) {
  switch shape {
  case .circle(let radius, label: let text) where radius.isBig: draw(radius, text)
  case let .square(side): draw(side)
  case Shape.line(let from), .dot: draw(from)
  case is Other: break
  default: stop()
  }
  if case .circle(let r) = shape, let item = list.first, let shape { r.grow(); item.open(); shape.go() }
  guard let self, let all = self.load() as? [Item] else { return }
  for case .some(let one) in list { one.open() }
  for (index, each) in pairs { use(index, each) }
  do { try go() } catch let error as Fault { error.show() } catch { print(error) }
}
`),
  ).toEqual([
    "1 type Shape",
    "1 type Item",
    "3 call circle of @Shape",
    "3 value isBig of @Shape.circle{0}",
    "3 call draw (_,_)",
    "4 call square of @Shape",
    "4 call draw (_)",
    "5 value Shape",
    "5 call line of Shape",
    "5 value dot of @Shape",
    "5 call draw (_)",
    "6 type Other",
    "7 call stop ()",
    "9 call circle of @Shape",
    "9 value first of @Item*",
    "9 call grow of @Shape.circle{0} ()",
    "9 call open of @Item*.first ()",
    "9 call go of @Shape ()",
    "10 call load of ? ()",
    "10 type Item",
    "11 call some of @Item*[]",
    "11 call open of @Item*[].some{0} ()",
    "12 value pairs",
    "12 call use (_,_)",
    "13 call go ()",
    "13 type Fault",
    "13 call show of @Fault ()",
    "13 call print (_)",
  ]);
});
