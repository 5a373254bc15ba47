import { expect, test } from "vitest";

import { swiftSymbols } from "../../../helpers/swift-facts.ts";

test("functions, properties and cases", () => {
  expect(
    swiftSymbols(`enum Kind: String {
  case small, big = "b"
  indirect case other(Kind, weight: Int = 1)
  static func == (lhs: Kind, rhs: Kind) -> Bool { true }
  init?(name: String...) { self = .small }
  subscript(index: Int) -> Kind { get { self } set {} }
  var next: Kind { .big }
  lazy var all = Kind.list(), more: [Kind]? = nil { didSet { print(oldValue) } }
  func map<T>(_ change: (Kind) throws -> T) rethrows -> Self { self }
}
let (first, second) = pair()
`),
  ).toEqual([
    "type Kind 1-10",
    "constant Kind.small 2-2 #0",
    "constant Kind.big 2-2 #0",
    "constant Kind.other 3-3 #0 | ~_:@Kind;weight:@Int=",
    "method Kind.== 4-4 @Bool | ~lhs:@Kind;rhs:@Kind",
    "method Kind.init 5-5 #0 | ~name:@String*...",
    "method Kind.subscript 6-6 @Kind | ~index:@Int",
    "field Kind.next 7-7 @Kind",
    "field Kind.all 8-8 Kind.list()",
    "field Kind.more 8-8 @Kind*",
    "method Kind.map 9-9 @Self | ~_:^@Kind!",
    "constant first 11-11",
    "constant second 11-11",
  ]);
});
