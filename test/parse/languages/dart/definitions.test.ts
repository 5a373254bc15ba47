import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";

test("constructors, extensions, mixin applications, aliases and extension types have symbols", async () => {
  const { symbols } = await chunk(
    "dart",
    `class Cart { Cart._(); static final Cart only = Cart._(); }
class Both = Base with Loud;
extension on http.Item { void show() {} }
typedef void Old(Item item);
extension type Id(int value) { int get twice => value * 2; }
`,
  );
  expect(symbols.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`)).toEqual([
    "class Cart",
    "method Cart._",
    "field Cart.only",
    "class Both",
    "class extension on http",
    "method extension on http.show",
    "type Old",
    "class Id",
    "field Id.value",
    "method Id.twice",
  ]);
});
