// The orders in which every backend returns symbols.

import type { SymbolFacts } from "./types.ts";

interface PlacedSymbol extends Pick<SymbolFacts, "name" | "startLine"> {
  readonly path: string;
}

/** Orders the symbols of one file by line, outer definitions before inner ones. */
export function bySymbolLine(one: SymbolFacts, other: SymbolFacts): number {
  return one.startLine - other.startLine || other.endLine - one.endLine;
}

/** Orders definitions of a name: those in its exact case first, then by path and line. */
export function byNameMatch(name: string): (one: PlacedSymbol, other: PlacedSymbol) => number {
  return (one, other) =>
    Number(one.name !== name) - Number(other.name !== name) ||
    Number(one.path > other.path) - Number(one.path < other.path) ||
    one.startLine - other.startLine;
}

/** Orders names in any case, and names that differ only in case by code units. */
export function byLowerCase(one: string, other: string): number {
  return compare(one.toLowerCase(), other.toLowerCase()) || compare(one, other);
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
