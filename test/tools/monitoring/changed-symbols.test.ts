import { expect, test } from "vitest";

import type { SymbolChangeItem } from "../../../src/engine/api/changes.ts";
import {
  changedName,
  insideText,
  outermostChanges,
} from "../../../src/tools/monitoring/changed-symbols.ts";

function changed(
  change: SymbolChangeItem["change"],
  name: string,
  more: Partial<SymbolChangeItem> = {},
): SymbolChangeItem {
  const none = { line: 1, signature: "", users: undefined, usedBy: [] };
  return { change, kind: "method", name, ...none, ...more };
}

test("a symbol that is added as a whole stands for what is in it", () => {
  const found = outermostChanges([
    changed("added", "Signer", { kind: "class" }),
    changed("added", "Signer.sign"),
    changed("added", "Signer.Key.id"),
    changed("body", "Signer.open"),
    changed("removed", "Signer.close"),
    changed("added", "Signers"),
    changed("added", "Log > 1.2", { kind: "section" }),
    changed("added", "Log > 1.2 > Fixed", { kind: "section" }),
  ]);
  expect(found.map((one) => `${one.symbol.change} ${one.symbol.name}${insideText(one)}`)).toEqual([
    "added Signer with 2 members",
    "body Signer.open",
    "removed Signer.close",
    "added Signers",
    "added Log > 1.2 with 1 section",
  ]);
});

test.each<[SymbolChangeItem, string]>([
  [changed("body", "Session.open", { signature: "open(path: string): void" }), "Session.open"],
  [
    changed("signature", "Session.open", { signature: "open(path: string): void" }),
    "Session.open(path: string): void",
  ],
  [changed("added", "Store.Get", { signature: "(s *Store) Get() int" }), "(s *Store) Get() int"],
  [changed("added", "open", { signature: "open(): void" }), "open(): void"],
  [changed("removed", "Session.open"), "Session.open"],
])("%j is named %s", (symbol, name) => {
  expect(changedName(symbol)).toBe(name);
});
