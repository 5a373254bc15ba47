import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("labels tell overloads apart", async () => {
  const users = await usersIn({
    "App/Store.swift": `class Store {
  func open(_ name: String) {}
  func open(_ name: String, mode: Int = 1, done: () -> Void) {}
  func open(at path: String) {}
  init(name: String) {}
  init(path: String, mode: Int = 1) {}
}
`,
    "App/Use.swift": `let store = Store(name: "a")
let other: Store = .init(path: "b")
store.open("a")
store.open("a") { }
store.open(at: "b")
let opened = store.open(at:)
library { found in found.open(at: "c"); found.open(to: "d") }
other.unknown.open(at: "e")
`,
  });
  const open = (at: number): Promise<readonly string[]> => users("Store.open", { at });
  expect(await open(0)).toEqual(["App/Use.swift:3 call"]);
  expect(await open(1)).toEqual(["App/Use.swift:4 call"]);
  expect(await open(2)).toEqual([
    "App/Use.swift:5 call",
    "App/Use.swift:6 value",
    "App/Use.swift:7 call ?",
  ]);
  expect(await users("Store.init", { at: 0 })).toEqual(["App/Use.swift:1 call"]);
  expect(await users("Store.init", { at: 1 })).toEqual(["App/Use.swift:2 call"]);
});

test("members of a library's types are those that extensions add", async () => {
  const users = await usersIn({
    "App/Add.swift": `extension UIView { func shake() {} }
extension Collection { func second() {} }
protocol Styled { func style() }
extension UILabel: Styled { func style() {} }
class Mine { func shake() {}; func second() {} }
`,
    "App/Use.swift": `class Page: UIView { func run() { shake() } }
func use(view: UIView, label: UILabel, list: [Int], text: String) {
  view.shake()
  label.shake()
  label.style()
  list.second()
  view.count()
}
`,
  });
  expect(await users("UIView.shake")).toEqual([
    "App/Use.swift:1 call",
    "App/Use.swift:3 call",
    "App/Use.swift:4 call ?",
  ]);
  expect(await users("Mine.shake")).toEqual([]);
  expect(await users("Collection.second")).toEqual(["App/Use.swift:6 call ?"]);
  expect(await users("Styled.style")).toEqual(["App/Use.swift:5 call"]);
  expect(await users("UIView")).toEqual([]);
});
