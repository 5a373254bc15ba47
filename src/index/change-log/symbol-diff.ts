// Compares the definitions of two versions of a file by their fingerprints.

import type { FileFingerprints, SymbolFingerprint } from "../../parse/fingerprints.ts";

/** A change of one symbol. */
export interface SymbolChange {
  /** `signature` and `body`: the symbol still exists, and this part changed. If both changed, `signature`. */
  readonly change: "added" | "removed" | "renamed" | "signature" | "body";
  /** Qualified name; the old one for a removed symbol. */
  readonly name: string;
  readonly kind: SymbolFingerprint["kind"];
  /** The old qualified name of a renamed symbol. */
  readonly oldName?: string;
}

/** Returns changes in the order of the new version, then removed symbols in the order of the old one. */
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

/** Pairs symbols with the same name, such as overloads: unchanged ones first, the others in order. */
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
  const similarities: readonly ((symbol: SymbolFingerprint) => unknown)[] = [
    ({ signature, body }) => `${signature} ${body}`,
    ({ signature }) => signature,
    ({ body }) => body,
    () => "",
  ];
  for (const similarity of similarities) {
    const unmatched = Map.groupBy(olds, similarity);
    const taken = new Set<SymbolFingerprint>();
    added = added.filter((symbol) => {
      const partner = unmatched.get(similarity(symbol))?.shift();
      if (partner === undefined) return true;
      found.push([partner, symbol]);
      taken.add(partner);
      return false;
    });
    olds = olds.filter((symbol) => !taken.has(symbol));
  }
  return found;
}

/** Maps each renamed symbol to the old one: the only ones, on either side, with this kind, signature and body. */
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
 * Whether one file is the other after a move and an edit: at least one definition and at least half of the
 * definitions of each occur unchanged in the other.
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
