import { expect, test } from "vitest";

import type { ChunkKind } from "../../../src/index/types.ts";
import { shownSymbol } from "../../../src/engine/passages/shown-symbol.ts";

test.each<[string, string, ChunkKind, string, readonly string[], string]>([
  [
    "lib/shop/drops/site_drop.rb",
    "ruby",
    "module",
    "Shop",
    ["Shop", "Drops", "SiteDrop", "key"],
    "Shop.Drops.SiteDrop",
  ],
  ["lib/shop/errors.rb", "ruby", "module", "Shop", ["Shop", "Missing", "Late"], "Shop.Missing"],
  ["lib/shop.rb", "ruby", "module", "Shop", ["Shop"], "Shop"],
  ["lib/shop/cart.rb", "ruby", "class", "Shop.Cart", ["Cart", "add"], "Shop.Cart"],
  ["src/lib.rs", "rust", "module", "lexer", ["lexer", "parser"], "lexer"],
  ["src/a.cs", "csharp", "module", "Shop.Api", ["Api", "Cart"], "Shop.Api.Cart"],
])("of %s, a chunk of %s that begins with the %s %s of %j is %s", (...args) => {
  const [path, language, kind, symbol, names, shown] = args;
  expect(shownSymbol({ kind, symbol, names }, { path, language })).toBe(shown);
});
