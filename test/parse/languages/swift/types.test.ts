import { expect, test } from "vitest";

import { swiftSymbols } from "../../../helpers/swift-facts.ts";

test("types have the values that they hold", () => {
  expect(
    swiftSymbols(`var a: [Tag]?
var b: [Name: Tag]
var c: Set<Tag>
var d: (Tag)
var e: (Tag, Item)
var f: (Tag, _ item: Item) async throws -> Box<Tag>
var g: any Shop.Item & Sendable
var h: Result<Tag, Error>
func i<T: Tag>(_ x: T) -> T where T: Item { x }
func j() -> some Tag { k }
func l(_ names: Tag..., done: @escaping (Result<[Tag], Error>) -> Void) {}
struct Box<V> { var v: V; var w: [V]; func x() -> Self { self } }
`),
  ).toEqual([
    "constant a 1-1 @Tag*",
    "constant b 2-2 @Tag*",
    "constant c 3-3 @Tag*",
    "constant d 4-4 @Tag",
    "constant e 5-5",
    "constant f 6-6 | ^@Tag,@Item!@Box<:@Tag>",
    "constant g 7-7 @Shop.Item",
    "constant h 8-8 @Result<:@Tag,:@Error>",
    "function i 9-9 @Tag | ~_:@Tag",
    "function j 10-10 @Tag | ~",
    "function l 11-11 | ~_:@Tag*...;done:^@Result<:@Tag*,:@Error>!@Void",
    "class Box 12-12 | <V>",
    "field Box.v 12-12 @V",
    "field Box.w 12-12 @V*",
    "method Box.x 12-12 @Self | ~",
  ]);
});
