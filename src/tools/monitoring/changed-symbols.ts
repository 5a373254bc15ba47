// How texts about changes name symbols.

import type { SymbolChangeItem } from "../../engine/api/changes.ts";

/** A changed symbol, with how many others inside it have the same change. */
export interface OutermostChange {
  readonly symbol: SymbolChangeItem;
  readonly inside: number;
}

/** Leaves out what is in a symbol that was added or removed as a whole: the members of a new class are new too. */
export function outermostChanges(symbols: readonly SymbolChangeItem[]): readonly OutermostChange[] {
  const whole = new Map<string, { symbol: SymbolChangeItem; inside: number }>();
  const found: { symbol: SymbolChangeItem; inside: number }[] = [];
  for (const symbol of symbols) {
    const isWhole = symbol.change === "added" || symbol.change === "removed";
    const owner = isWhole ? whole.get(nearestKey(symbol, whole)) : undefined;
    if (owner !== undefined) {
      owner.inside += 1;
      continue;
    }
    const one = { symbol, inside: 0 };
    found.push(one);
    if (isWhole) whole.set(keyOf(symbol.change, symbol.name), one);
  }
  return found;
}

function keyOf(change: string, name: string): string {
  return `${change} ${name}`;
}

/** The key of the outermost symbol around this one that has the same change; "" if there is none. */
function nearestKey(
  { change, name }: SymbolChangeItem,
  whole: ReadonlyMap<string, unknown>,
): string {
  for (const { index } of name.matchAll(/ > |\./g)) {
    const key = keyOf(change, name.slice(0, index));
    if (whole.has(key)) return key;
  }
  return "";
}

/** `Session.open(path: string): void`; only the name of a symbol whose signature has not changed. */
export function changedName({ change, name, signature }: SymbolChangeItem): string {
  if (signature === "" || signature === name || change === "body") return name;
  const end = name.lastIndexOf(".");
  const owner = name.slice(0, end + 1);
  const isIn = end > 0 && signature.startsWith(name.slice(end + 1));
  return isIn ? owner + signature : signature;
}

/** ` with 3 members`, or "". */
export function insideText({ inside, symbol }: OutermostChange): string {
  if (inside === 0) return "";
  const what = symbol.kind === "section" ? "section" : "member";
  return ` with ${inside} ${what}${inside === 1 ? "" : "s"}`;
}
