// What two versions of a file define, compared by their prints.

import type { FilePrints, SymbolPrint } from "../../chunk/prints.ts";

export interface SymbolChange {
  /** `signature` and `body`: it is there still, and this of it changed; the signature before the body. */
  readonly change: "added" | "removed" | "renamed" | "signature" | "body";
  /** Qualified; of one that is gone what it was. */
  readonly name: string;
  readonly kind: SymbolPrint["kind"];
  /** Of one that was renamed. */
  readonly oldName?: string;
}

/** In the order of the new version, those that are gone behind them in the order of the old one. */
export function diffSymbols(
  before: readonly SymbolPrint[],
  now: readonly SymbolPrint[],
): readonly SymbolChange[] {
  const old = Map.groupBy(before, keyOf);
  const partners = new Map<SymbolPrint, SymbolPrint>();
  const left = new Set(before);
  for (const [key, alike] of Map.groupBy(now, keyOf)) {
    for (const [one, other] of pairs(old.get(key) ?? [], alike)) {
      partners.set(other, one);
      left.delete(one);
    }
  }
  const added = now.filter((symbol) => !partners.has(symbol));
  const renamed = renames([...left], added);
  const changes = now.flatMap((symbol): SymbolChange[] => {
    const { qualifiedName: name, kind } = symbol;
    const partner = partners.get(symbol);
    if (partner !== undefined) {
      if (partner.signature !== symbol.signature) return [{ change: "signature", name, kind }];
      return partner.body === symbol.body ? [] : [{ change: "body", name, kind }];
    }
    const was = renamed.get(symbol);
    if (was === undefined) return [{ change: "added", name, kind }];
    left.delete(was);
    return [{ change: "renamed", name, kind, oldName: was.qualifiedName }];
  });
  for (const { qualifiedName: name, kind } of left) changes.push({ change: "removed", name, kind });
  return changes;
}

function keyOf({ qualifiedName, kind }: SymbolPrint): string {
  return `${kind} ${qualifiedName}`;
}

/** Of several with one name, such as overloads: those that are as they were first, the others in order. */
function pairs(
  before: readonly SymbolPrint[],
  now: readonly SymbolPrint[],
): readonly (readonly [SymbolPrint, SymbolPrint])[] {
  const [one] = before;
  const [other] = now;
  if (one === undefined || other === undefined) return [];
  if (before.length === 1 && now.length === 1) return [[one, other]];
  const found: [SymbolPrint, SymbolPrint][] = [];
  let [olds, news] = [before, now];
  const likenesses: readonly ((symbol: SymbolPrint) => unknown)[] = [
    ({ signature, body }) => `${signature} ${body}`,
    ({ signature }) => signature,
    ({ body }) => body,
    () => "",
  ];
  for (const likeness of likenesses) {
    const waiting = Map.groupBy(olds, likeness);
    const taken = new Set<SymbolPrint>();
    news = news.filter((symbol) => {
      const partner = waiting.get(likeness(symbol))?.shift();
      if (partner === undefined) return true;
      found.push([partner, symbol]);
      taken.add(partner);
      return false;
    });
    olds = olds.filter((symbol) => !taken.has(symbol));
  }
  return found;
}

/** New one -> what it was: one of the same kind, signature and body, where there is but one on either side. */
function renames(
  gone: readonly SymbolPrint[],
  added: readonly SymbolPrint[],
): ReadonlyMap<SymbolPrint, SymbolPrint> {
  const were = Map.groupBy(gone, contentOf);
  const found = new Map<SymbolPrint, SymbolPrint>();
  for (const [key, [symbol, ...others]] of Map.groupBy(added, contentOf)) {
    const [was, ...more] = were.get(key) ?? [];
    if (symbol === undefined || was === undefined) continue;
    if (others.length === 0 && more.length === 0) found.set(symbol, was);
  }
  return found;
}

/**
 * Whether two files are one that was moved and edited: at least half of the definitions of each, and one at least,
 * stand in the other as they are.
 */
export function isSameFile(before: FilePrints, now: FilePrints): boolean {
  const were = Map.groupBy(before.symbols, nameAndBody);
  const common = now.symbols.filter((symbol) => were.get(nameAndBody(symbol))?.shift()).length;
  return common > 0 && common * 2 >= Math.max(before.symbols.length, now.symbols.length);
}

function contentOf({ kind, signature, body }: SymbolPrint): string {
  return `${kind} ${signature} ${body}`;
}

function nameAndBody(symbol: SymbolPrint): string {
  return `${keyOf(symbol)} ${symbol.body}`;
}
