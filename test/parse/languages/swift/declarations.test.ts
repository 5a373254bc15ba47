import { expect, test } from "vitest";

import { swiftSymbols, swiftUses } from "../../../helpers/swift-facts.ts";

test("types, extensions and what they contain", () => {
  expect(
    swiftSymbols(`@available(iOS 13, *)
public struct Box<Value: Codable>: Holder {
  /// The value.
  let value: Value
  struct Inner {}
  class var shared: Box { make() }
}
extension Box.Inner: Equatable where Value: Hashable { func go() {} }
typealias Boxes<T> = [Box<T>]
typealias Done = (Box<Int>) -> Void
protocol Holder<Value>: AnyObject { associatedtype Value: Codable; var value: Value { get } }
private actor Store { fileprivate var items: [Item] = [] }
infix operator <+>: AdditionPrecedence
func run() { struct Local { let x = 1 }; let inner = Local() }
`),
  ).toEqual([
    "class Box 1-7 | <Value>",
    "field Box.value 3-4 @Codable",
    "class Box.Inner 5-5",
    "field Box.shared 6-6 @Box",
    "class Box.Inner 8-8 | extension",
    "method Box.Inner.go 8-8 | ~",
    "type Boxes 9-9 @Box<:@T>* | <T>",
    "type Done 10-10 | ^@Box<:@Int>!@Void",
    "type Holder 11-11",
    "type Holder.Value 11-11 | associatedtype",
    "field Holder.value 11-11 @Value",
    "class Store 12-12",
    "field Store.items 12-12 @Item*",
    "function run 14-14 | ~",
  ]);
});

test("imports and what is inherited", () => {
  expect(
    swiftUses(`@testable import Shop
@_exported import struct Core.Item
final class Cart: Base, Shop.Listing, @unchecked Sendable {}
extension Cart: Codable {}
`),
  ).toEqual([
    "3 inherit Base",
    "3 type Shop",
    "3 inherit Listing of Shop",
    "3 inherit Sendable",
    "4 type Cart",
    "4 inherit Codable",
  ]);
});
