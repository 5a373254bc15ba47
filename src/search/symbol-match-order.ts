// Lists the definitions of matching names in order of rank.

import { isCHeader } from "../base/c-header.ts";
import type { ChunkKind, FileFacts } from "../index/types.ts";
import type { SegmentSymbols } from "../index/names/symbol-names.ts";
import type { PageRanks } from "../index/port.ts";
import { DEFINITION_RANKS, definitionRank, isNamedAfter, isTypeOfC } from "./definition-order.ts";
import { MATCH_KINDS, MAX_TYPOS, type MatchKind, type NameMatch } from "./symbol-match.ts";
import type { SymbolScope } from "./symbol-query.ts";

/** A definition of a matching name. */
export interface SymbolMatchPlace {
  readonly part: SegmentSymbols;
  /** Its number in the name table of the part. */
  readonly name: number;
  /** Its number in the symbol table of the part. */
  readonly symbol: number;
  readonly file: FileFacts;
  readonly match: MatchKind;
}

/** The definitions to list. */
export interface SymbolFilters {
  readonly isFile?: ((file: FileFacts) => boolean) | undefined;
  readonly isKind: (kind: ChunkKind) => boolean;
  /** Scopes to include; undefined includes all. */
  readonly isIn?: ((scope: SymbolScope) => boolean) | undefined;
  /** Distance of a definition from the place of use in the query, 0 to MAX_NEARNESS; undefined without such a place. */
  readonly stepsTo?: ((file: FileFacts, qualifiedName: string) => number) | undefined;
}

/** Maximum distance between the place of use and a definition. */
export const MAX_NEARNESS = 5;

/** How much a name, and each definition of it, is used. */
export interface SymbolUsage {
  /** Returns the number of files that use a name, whatever it refers to. */
  readonly usingFiles: (name: string) => Promise<number>;
  readonly pageRanks: PageRanks;
}

/** Maximum number of equally ranked names whose users are counted; each count is a request to the index. */
const MAX_COUNTED_NAMES = 24;

/** Definitions of equal rank, and the length of each one's name. */
interface Bucket {
  /** Whether the query has only words of these names, with typos. */
  readonly isInPart: boolean;
  readonly places: SymbolMatchPlace[];
  readonly lengths: number[];
}

interface FoundNames {
  readonly part: SegmentSymbols;
  readonly matches: readonly NameMatch[];
}

/** All definitions found, sorted only as far as they are requested. */
export class SymbolListing {
  readonly #buckets: readonly Bucket[];
  /** Number of definitions. */
  readonly total: number;
  /** Number of definitions, at the beginning of the list, whose name equals the query, or the query with its typos. */
  readonly exact: number;

  constructor(found: readonly FoundNames[], limits: SymbolFilters) {
    const buckets = new Map<number, Bucket>();
    const hasTypeOfC = found.some(namesTypeOfC);
    for (const { part, matches } of found) collect(buckets, { part, matches, limits, hasTypeOfC });
    const ranks = [...buckets.keys()].toSorted((one, other) => one - other);
    this.#buckets = ranks.flatMap((rank) => buckets.get(rank) ?? []);
    const sizeOf = (sum: number, { places }: Bucket): number => sum + places.length;
    this.total = this.#buckets.reduce(sizeOf, 0);
    this.exact = this.#buckets.filter(isExact).reduce(sizeOf, 0);
  }

  /** Returns up to `limit` definitions from `offset` on. */
  async slice(
    offset: number,
    limit: number,
    usage: SymbolUsage,
  ): Promise<readonly SymbolMatchPlace[]> {
    const page: SymbolMatchPlace[] = [];
    let before = 0;
    for (const bucket of this.#buckets) {
      const from = Math.max(0, offset - before);
      const to = Math.min(bucket.places.length, offset + limit - before);
      before += bucket.places.length;
      if (from >= to) continue;
      // eslint-disable-next-line no-await-in-loop -- later ones are rarely reached
      const sorted = await ordered(bucket, to, usage);
      page.push(...sorted.slice(from, to));
    }
    return page;
  }
}

function isExact({ places, isInPart }: Bucket): boolean {
  const match = places[0]?.match;
  if (match === undefined) return false;
  if (match === "misspelt") return !isInPart;
  return MATCH_KINDS.indexOf(match) <= MATCH_KINDS.indexOf("qualified");
}

function collect(
  buckets: Map<number, Bucket>,
  {
    part,
    matches,
    limits,
    hasTypeOfC,
  }: FoundNames & { limits: SymbolFilters; hasTypeOfC: boolean },
): void {
  const { names } = part;
  const { isIn, stepsTo } = limits;
  const isQualified = isIn !== undefined;
  const isListed = passesFilters(part, limits);
  for (const { name, match, distance, isInPart = false } of matches) {
    const isSame = match === "exact" || match === "other case";
    const listed = isSame && isQualified ? "qualified" : match;
    const isOtherCase = listed === "qualified" && match === "other case";
    // "misspelt" is the last kind, so its ranks have no end. Names that only have the words come last.
    const typos = distance + (isInPart ? MAX_TYPOS + 1 : 0);
    const rank = MATCH_KINDS.indexOf(listed) * (MAX_TYPOS + 1) + typos + Number(isOtherCase);
    for (const symbol of names.symbolsOf(name)) {
      if (!isListed(symbol)) continue;
      const file = fileOf(part, symbol);
      const kind = names.kindOf(symbol);
      const access = names.accessOf(symbol);
      const owner = names.ownerOf(symbol);
      const steps = stepsTo?.(file, owner + names.name(name)) ?? 0;
      const isMember = owner !== "";
      const own =
        (rank * (MAX_NEARNESS + 1) + steps) * DEFINITION_RANKS +
        definitionRank({ ...file, kind, access, isMember, hasTypeOfC });
      const bucket = buckets.get(own) ?? { isInPart, places: [], lengths: [] };
      buckets.set(own, bucket);
      bucket.places.push({ part, name, symbol, file, match: listed });
      bucket.lengths.push(names.name(name).length);
    }
  }
}

/** Whether a C type has exactly the name of the query. */
function namesTypeOfC({ part, matches }: FoundNames): boolean {
  const { names, tombstones } = part;
  return matches.some(
    ({ name, match }) =>
      match === "exact" &&
      names
        .symbolsOf(name)
        .some(
          (symbol) =>
            tombstones?.[names.fileOf(symbol)] !== 1 &&
            isTypeOfC({ kind: names.kindOf(symbol), language: fileOf(part, symbol).language }),
        ),
  );
}

function fileOf({ names, prefix = "" }: SegmentSymbols, symbol: number): FileFacts {
  const file = names.file(names.fileOf(symbol));
  return prefix === "" ? file : { ...file, path: prefix + file.path };
}

function passesFilters(
  { names, tombstones }: SegmentSymbols,
  limits: SymbolFilters,
): (symbol: number) => boolean {
  const { isKind, isFile, isIn } = limits;
  /** State per file: 0 not yet checked, 1 excluded, 2 included. */
  const known = new Uint8Array(names.fileCount);
  const isWanted = (number: number): boolean =>
    tombstones?.[number] !== 1 && (isFile === undefined || isFile(names.file(number)));
  return (symbol) => {
    if (!isKind(names.kindOf(symbol))) return false;
    const number = names.fileOf(symbol);
    if (known[number] === 0) known[number] = isWanted(number) ? 2 : 1;
    if (known[number] === 1) return false;
    return (
      isIn === undefined || isIn({ owner: names.ownerOf(symbol), path: names.file(number).path })
    );
  };
}

/**
 * Returns at least the first `count` of a bucket in order: shorter names first, the first MAX_COUNTED_NAMES names
 * sorted by number of users, the most used first, and the definitions of one name by page rank. The order does not
 * depend on `count`.
 */
async function ordered(
  { places, lengths }: Bucket,
  count: number,
  { usingFiles, pageRanks }: SymbolUsage,
): Promise<readonly SymbolMatchPlace[]> {
  const byLength = Map.groupBy(places.keys(), (at) => lengths[at] ?? 0);
  const counted = new Set<string>();
  const first: SymbolMatchPlace[] = [];
  const rest: SymbolMatchPlace[] = [];
  for (const length of [...byLength.keys()].toSorted((one, other) => one - other)) {
    if (first.length + rest.length >= count && counted.size >= MAX_COUNTED_NAMES) break;
    const group = (byLength.get(length) ?? []).flatMap((at) => places[at] ?? []);
    for (const place of group.toSorted(byNameAndRank(pageRanks))) {
      const name = place.part.names.name(place.name);
      if (counted.size < MAX_COUNTED_NAMES) counted.add(name);
      (counted.has(name) ? first : rest).push(place);
    }
  }
  if (counted.size < 2) return [...first, ...rest];
  const users = new Map<string, number>();
  // eslint-disable-next-line no-await-in-loop -- the index answers from memory
  for (const name of counted) users.set(name, await usingFiles(name));
  const usersOfPlace = ({ part, name }: SymbolMatchPlace): number =>
    users.get(part.names.name(name)) ?? 0;
  // The sort is stable: equal numbers of users keep their order.
  const byUsers = first.toSorted((one, other) => usersOfPlace(other) - usersOfPlace(one));
  return [...byUsers, ...rest];
}

function byNameAndRank(
  pageRanks: PageRanks,
): (one: SymbolMatchPlace, other: SymbolMatchPlace) => number {
  const symbolRank = ({ file, part, symbol }: SymbolMatchPlace): number =>
    pageRanks.symbolRank(file.path, part.names.numberInFile(symbol));
  return (one, other) => {
    if (one.part !== other.part || one.name !== other.name) {
      const names = compare(one.part.names.name(one.name), other.part.names.name(other.name));
      if (names !== 0) return names;
    }
    return (
      symbolRank(other) - symbolRank(one) ||
      // A declaration in a header under the same conditions may be a placeholder.
      Number(isCHeader(one.file.path)) - Number(isCHeader(other.file.path)) ||
      Number(isInOwnFile(other)) - Number(isInOwnFile(one)) ||
      pageRanks.fileRank(other.file.path) - pageRanks.fileRank(one.file.path) ||
      compare(one.file.path, other.file.path) ||
      one.symbol - other.symbol
    );
  };
}

function isInOwnFile({ part, name, file }: SymbolMatchPlace): boolean {
  return isNamedAfter(file.path, part.names.name(name));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
