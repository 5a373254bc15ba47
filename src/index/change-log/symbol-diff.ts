// What two versions of a file define, compared by their prints.

import type { FileFingerprints, SymbolFingerprint } from "../../parse/fingerprints.ts";

export interface SymbolChange {
  /** `signature` and `body`: it is there still, and this of it changed; the signature before the body. */
  readonly change: "added" | "removed" | "renamed" | "signature" | "body";
  /** Qualified; of one that is gone what it was. */
  readonly name: string;
  readonly kind: SymbolFingerprint["kind"];
  /** Of one that was renamed. */
  readonly oldName?: string;
}

/** In the order of the new version, those that are gone behind them in the order of the old one. */
export function diffSymbols(
  before: readonly SymbolFingerprint[],
  now: readonly SymbolFingerprint[],
): readonly SymbolChange[] {
  const old = Map.groupBy(before, keyOf);
  const partners = new Map<SymbolFingerprint, SymbolFingerprint>();
  const left = new Set(before);
  for (const [key, alike] of Map.groupBy(now, keyOf)) {
    for (const [one, other] of matchSymbols(old.get(key) ?? [], alike)) {
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

function keyOf({ qualifiedName, kind }: SymbolFingerprint): string {
  return `${storedKind(kind)} ${qualifiedName}`;
}

/** Baselines from before format 6 call a field a constant: the same field is no other definition. */
function storedKind(kind: SymbolFingerprint["kind"]): SymbolFingerprint["kind"] {
  return kind === "field" ? "constant" : kind;
}

/** Of several with one name, such as overloads: those that are as they were first, the others in order. */
function matchSymbols(
  before: readonly SymbolFingerprint[],
  now: readonly SymbolFingerprint[],
): readonly (readonly [SymbolFingerprint, SymbolFingerprint])[] {
  const [one] = before;
  const [other] = now;
  if (one === undefined || other === undefined) return [];
  if (before.length === 1 && now.length === 1) return [[one, other]];
  const found: [SymbolFingerprint, SymbolFingerprint][] = [];
  let [olds, added] = [before, now];
  const likenesses: readonly ((symbol: SymbolFingerprint) => unknown)[] = [
    ({ signature, body }) => `${signature} ${body}`,
    ({ signature }) => signature,
    ({ body }) => body,
    () => "",
  ];
  for (const likeness of likenesses) {
    const unmatched = Map.groupBy(olds, likeness);
    const taken = new Set<SymbolFingerprint>();
    added = added.filter((symbol) => {
      const partner = unmatched.get(likeness(symbol))?.shift();
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
  gone: readonly SymbolFingerprint[],
  added: readonly SymbolFingerprint[],
): ReadonlyMap<SymbolFingerprint, SymbolFingerprint> {
  const were = Map.groupBy(gone, contentOf);
  const found = new Map<SymbolFingerprint, SymbolFingerprint>();
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
export function isSimilarFile(before: FileFingerprints, now: FileFingerprints): boolean {
  const were = Map.groupBy(before.symbols, nameAndBody);
  const common = now.symbols.filter((symbol) => were.get(nameAndBody(symbol))?.shift()).length;
  return common > 0 && common * 2 >= Math.max(before.symbols.length, now.symbols.length);
}

function contentOf({ kind, signature, body }: SymbolFingerprint): string {
  return `${storedKind(kind)} ${signature} ${body}`;
}

function nameAndBody(symbol: SymbolFingerprint): string {
  return `${keyOf(symbol)} ${symbol.body}`;
}
