import { expect, test } from "vitest";

import { symbolNamesOf, type SegmentSymbols } from "../../src/index/names/symbol-names.ts";
import type { ChunkKind, FileFacts, SymbolFacts } from "../../src/index/types.ts";
import { SymbolListing } from "../../src/search/symbol-match-order.ts";

function defining(path: string, language: string, kind: ChunkKind) {
  const facts: FileFacts = { path, language, role: "code", flags: 0 };
  const access = language === "python" ? "exported" : "internal";
  const place = { startLine: 1, endLine: 1, nameLine: 1 };
  const symbol: SymbolFacts = { name: "token", qualifiedName: "token", kind, access, ...place };
  return { facts, symbols: [symbol] };
}

async function pathsIn(parts: readonly SegmentSymbols[]): Promise<readonly string[]> {
  const found = parts.map((part) => {
    return { part, matches: [{ name: 0, match: "exact" as const, distance: 0 }] };
  });
  const listing = new SymbolListing(found, { isKind: () => true });
  const places = await listing.slice(0, listing.total, {
    usingFiles: async () => 0,
    pageRanks: { fileRank: () => 0, symbolRank: () => 0 },
  });
  return places.map(({ file }) => file.path);
}

test("a type of C in a deleted file does not lower the function of its name", async () => {
  const names = symbolNamesOf([
    defining("a.c", "c", "class"),
    defining("b.c", "c", "function"),
    defining("c.py", "python", "function"),
  ]);
  // The function of C ranks behind the exported one, because the type has its name.
  expect(await pathsIn([{ names }])).toEqual(["c.py", "a.c", "b.c"]);
  expect(await pathsIn([{ names, tombstones: Uint8Array.of(1, 0, 0) }])).toEqual(["b.c", "c.py"]);
});
