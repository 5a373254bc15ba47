import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const PACKAGE = `let package = Package(name: "Shop", targets: [
  .target(name: "Core"), .target(name: "Web"), .testTarget(name: "CoreTests"),
])
`;

test("files of a module see each other, and other modules are imported", async () => {
  const users = await usersIn({
    "Package.swift": PACKAGE,
    "Sources/Core/Item.swift": "public struct Item {}\npublic func load() -> Item { Item() }\n",
    "Sources/Core/Use.swift": "let one: Item = load()\n",
    "Sources/Web/Item.swift": "struct Item {}\nlet other = Item()\n",
    "Sources/Web/Page.swift": "import Core\nlet page: Core.Item = load()\nlet own: Item? = nil\n",
    "Tests/CoreTests/ItemTests.swift": "@testable import Core\nlet tested = Item()\n",
  });
  expect(await users("Item", "Sources/Core/Item.swift")).toEqual([
    "Sources/Core/Item.swift:2 type",
    "Sources/Core/Item.swift:2 call",
    "Sources/Core/Use.swift:1 type",
    "Sources/Web/Page.swift:2 type",
    "Tests/CoreTests/ItemTests.swift:2 call",
  ]);
  expect(await users("Item", "Sources/Web/Item.swift")).toEqual([
    "Sources/Web/Item.swift:2 call",
    "Sources/Web/Page.swift:3 type",
  ]);
  expect(await users("load")).toEqual([
    "Sources/Core/Use.swift:1 call",
    "Sources/Web/Page.swift:2 call",
  ]);
});

test("extensions belong to their type, wherever they are", async () => {
  const users = await usersIn({
    "App/Cart.swift": `class Cart: Base {
  var items: [Item] = []
  struct Line { var count = 0 }
}
`,
    "App/Cart+Total.swift": `extension Cart: Listing {
  func total() -> Int { items.first?.price ?? limit }
  private func hidden() {}
}
extension Cart.Line { func show() { count.print(); make() } }
`,
    "App/Base.swift": `class Base { var limit = 1 }
protocol Listing { func total() -> Int }
extension Listing { func list() { total() } }
struct Item { let price: Int }
extension Item { static func make() {} }
extension Cart { static func make() -> Cart { Cart() } }
`,
    "App/Use.swift": `func use(cart: Cart, any: any Listing) {
  cart.total()
  cart.list()
  any.total()
  cart.items.first?.price
  cart.hidden()
  Cart.make().limit
  let line = Cart.Line()
  line.show()
}
`,
  });
  expect(await users("Cart.total")).toEqual([
    "App/Base.swift:3 call",
    "App/Use.swift:2 call",
    "App/Use.swift:4 call",
  ]);
  expect(await users("Listing.list")).toEqual(["App/Use.swift:3 call"]);
  expect(await users("Item.price")).toEqual([
    "App/Cart+Total.swift:2 value",
    "App/Use.swift:5 value",
  ]);
  expect(await users("Base.limit")).toEqual([
    "App/Cart+Total.swift:2 value",
    "App/Use.swift:7 value",
  ]);
  expect(await users("Cart.hidden")).toEqual([]);
  expect(await users("Cart.Line.show")).toEqual(["App/Use.swift:9 call"]);
  expect(await users("Cart.make")).toEqual(["App/Cart+Total.swift:5 call", "App/Use.swift:7 call"]);
});

test("locals and type parameters hide what the project defines", async () => {
  const users = await usersIn({
    "App/Value.swift": "struct Value {}\nfunc count() {}\nlet limit = 1\n",
    "App/Box.swift": `struct Box<Value> {
  var held: Value
  func run(count: Int) { print(count); let limit = limit; print(limit) }
}
extension Box { func take() -> Value { held } }
let value: Value = Value()
`,
  });
  expect(await users("Value")).toEqual(["App/Box.swift:6 type", "App/Box.swift:6 call"]);
  expect(await users("count")).toEqual([]);
  expect(await users("limit")).toEqual(["App/Box.swift:3 value"]);
});

test("of several programs in one folder, the nearest file is meant", async () => {
  const users = await usersIn({
    "Demo/iOS/Page.swift": "class Page { func show() {} }\n",
    "Demo/macOS/Page.swift": "class Page { func show() {} }\n",
    "Demo/iOS/App.swift": "let page = Page()\npage.show()\n",
    "Demo/Both.swift": "let page = Page()\n",
  });
  expect(await users("Page", "Demo/iOS/Page.swift")).toEqual([
    "Demo/Both.swift:1 call ?",
    "Demo/iOS/App.swift:1 call",
  ]);
  expect(await users("Page.show", "Demo/iOS/Page.swift")).toEqual(["Demo/iOS/App.swift:2 call"]);
  expect(await users("Page.show", "Demo/macOS/Page.swift")).toEqual([]);
});
