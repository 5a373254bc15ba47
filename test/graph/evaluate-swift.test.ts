import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const SHOP = `enum Mode { case plain, big(Item); func next() {} }
struct Item { var mode: Mode; func go() {}; static let first = Item() }
class Store {
  static let shared = Store()
  func load(_ mode: Mode, then: (Item, Int) -> Void) -> Self { self }
  func load(text: String) -> String { text }
  func find(done: (Result<Item, Error>) -> Void) {}
  func items() -> [Item] { [] }
}
class Special: Store { func only() {} }
struct Box<Value> { var value: Value; func all() -> [Value] { [] } }
extension Box { var again: Value { value } }
typealias ItemBox<Other> = Box<Item>
`;

test("arguments, results and patterns have types", async () => {
  const users = await usersIn({
    "App/Shop.swift": SHOP,
    "App/Use.swift": `func use(special: Special, item: Item) {
  special.load(.plain) { found, _ in found.go() }.only()
  if a == b || item.mode == .plain { }
  switch item.mode { case .big(let inner): inner.go() case .plain: break }
  Store.shared.items().filter { $0.mode == .plain }.first?.go()
  for one in Store.shared.items() { one.go() }
  let made: Item = .first
  XCTAssertEqual(item.mode, .plain)
}
`,
  });
  expect(await users("Mode.plain")).toEqual(
    [2, 3, 4, 5, 8].map((line) => `App/Use.swift:${line} value`),
  );
  expect(await users("Mode.big")).toEqual(["App/Use.swift:4 call"]);
  expect(await users("Item.go")).toEqual([2, 4, 5, 6].map((line) => `App/Use.swift:${line} call`));
  expect(await users("Special.only")).toEqual(["App/Use.swift:2 call"]);
  expect(await users("Item.first")).toEqual(["App/Use.swift:7 value"]);
});

test("type arguments and results are followed", async () => {
  const users = await usersIn({
    "App/Shop.swift": SHOP,
    "App/Use.swift": `func use(box: Box<Item>, other: ItemBox<Int>, text: Box<String>) {
  box.value.go()
  box.all().first?.go()
  box.again.go()
  other.value.go()
  text.value.go()
  Box<Item>(value: x).value.go()
  Store.shared.find { result in
    switch result { case .success(let found): found.go() case .failure: break }
    try? result.get().go()
  }
}
`,
  });
  expect(await users("Item.go")).toEqual(
    [2, 3, 4, 5, 7, 9, 10].map((line) => `App/Use.swift:${line} call`),
  );
});
