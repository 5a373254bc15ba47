import { documentPlace } from "../../base/documents/places.ts";
import { columnOfName } from "./name-column.ts";
import { SvcError } from "../../base/errors.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { ChunkKind, SymbolFacts } from "../../index/types.ts";
import type { SegmentSymbols } from "../../index/names/symbol-names.ts";
import {
  abbreviatedNames,
  matchingNames,
  namesWithTypos,
  type NameMatch,
} from "../../search/symbol-match.ts";
import {
  SymbolListing,
  type SymbolFilters,
  type SymbolMatchPlace,
  type SymbolUsage,
} from "../../search/symbol-match-order.ts";
import {
  isBelow,
  isNearlyQualifiedBy,
  isQualifiedBy,
  parseOperatorQuery,
  parseSymbolQuery,
  wholeQuery,
  type SymbolQuery,
  type SymbolScope,
} from "../../search/symbol-query.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { FoundSymbol, SymbolsRequest, SymbolsResult } from "../api/symbols.ts";
import { fileFilter } from "../files/file-filter.ts";
import { SourceLines } from "../files/source-lines.ts";
import { KIND_WORDS, storedKindsOf } from "./symbol-kinds.ts";
import { symbolLines } from "./symbol-lines.ts";

/** Maximum removed definitions skipped per page. */
const MAX_REMOVED_SYMBOLS = 200;
/** For a name used in more files, svc does not resolve which definition each of them uses. */
const MAX_RESOLVED_FILES = 200;
/** Maximum files that one answer resolves in this way, for all names together. */
const MAX_RESOLVED_FILES_IN_ALL = 400;
/** Maximum similar names in an answer. */
const MAX_SIMILAR_NAMES = 5;

interface SymbolsContext {
  readonly reader: Pick<IndexReader, "version" | "file" | "symbolsOf" | "usingFiles" | "pageRanks">;
  /** Opened only for a name that is used in few enough files. */
  readonly graph: () => Promise<Pick<ReferenceGraph, "usingFiles">>;
  readonly texts: TextReader;
  readonly parts: readonly SegmentSymbols[];
  /** Place from which distances to definitions are measured: see `nearDefinitions`. */
  readonly stepsTo?: SymbolFilters["stepsTo"];
}

interface SymbolLookup {
  readonly listing: SymbolListing;
  /** True when no symbol has the requested name. */
  readonly isApproximate: boolean;
}

/**
 * The current definitions of a name, or of similar names. Exact matches have their own pages. Throws INVALID_CURSOR, and
 * INVALID_PARAMS for an unknown language.
 */
export async function findSymbols(
  context: SymbolsContext,
  request: SymbolsRequest,
): Promise<Omit<SymbolsResult, "namespace" | "building">> {
  const { version } = context.reader;
  const { name, symbolKind, near, path, within, language, limit, deadline = Infinity } = request;
  const cursorKey = ["symbols", name, symbolKind, near, path, within, language, version];
  const offset = decodeCursor(cursorKey, request.cursor);
  const { listing, isApproximate } = lookUpSymbols(context, request);
  const pageRanks = await context.reader.pageRanks();
  const listed = new ListedSymbols(context, listing, { ...request, deadline, pageRanks });
  const end = offset < listing.exact ? listing.exact : listing.total;
  let page = await listed.page(offset, { limit, end });
  // All exact matches may have been removed since indexing.
  const isGone = page.symbols.length === 0 && page.next === end && end < listing.total;
  if (isGone) page = await listed.page(page.next, { limit, end: listing.total });
  const { symbols, next, isPartial } = page;
  return {
    generation: version.at,
    symbols,
    total: listing.total,
    similar: next <= listing.exact ? await listed.namesFrom(listing.exact) : [],
    isPartial,
    isApproximate: isApproximate || isGone,
    nextCursor: next < listing.total ? encodeCursor(cursorKey, next) : undefined,
  };
}

/** The first attempt with results: matching names before typos, definitions in code before headings. */
function lookUpSymbols(
  { parts, stepsTo }: Pick<SymbolsContext, "parts" | "stepsTo">,
  request: SymbolsRequest,
): SymbolLookup {
  const query = parseSymbolQuery(request.name) ?? parseOperatorQuery(request.name);
  const isFile = fileFilter(request);
  const nothing = { listing: new SymbolListing([], { isKind: () => true }), isApproximate: false };
  if (query === undefined) return nothing;
  for (const { found, isIn, isApproximate, isOfVeryName = false } of attempts(parts, query)) {
    const listings = kindsOf(request).map(
      (isKind) => new SymbolListing(found, { isFile, isKind, isIn, stepsTo }),
    );
    const listing =
      listings.find(({ total, exact }) => (request.symbolKind === undefined ? total : exact) > 0) ??
      listings.find(({ total }) => total > 0);
    if (listing === undefined || (isOfVeryName && listing.exact === 0)) continue;
    return { listing, isApproximate };
  }
  return nothing;
}

interface LookupAttempt extends Pick<SymbolFilters, "isIn"> {
  readonly found: ReturnType<typeof matchesOf>;
  readonly isApproximate: boolean;
  /** True if only a longer name matches, which is not a result. */
  readonly isOfVeryName?: boolean;
}

function* attempts(parts: readonly SegmentSymbols[], query: SymbolQuery): Generator<LookupAttempt> {
  const { qualifiers, whole, name } = query;
  if (whole !== name) {
    const like = matchesOf(parts, (names) => matchingNames(names, wholeQuery(query)));
    yield { found: sameNames(like), isApproximate: false };
  }
  const like = matchesOf(parts, (names) => matchingNames(names, query));
  const isQualified = qualifiers.length > 0;
  const isIn = isQualified ? (at: SymbolScope) => isQualifiedBy(qualifiers, at) : undefined;
  if (isQualified) {
    yield { found: like, isIn, isApproximate: false, isOfVeryName: true };
    const isUnder = (at: SymbolScope): boolean => isBelow(qualifiers, at);
    yield { found: like, isIn: isUnder, isApproximate: false, isOfVeryName: true };
  }
  yield { found: like, isIn, isApproximate: false };
  const abbreviated = matchesOf(parts, (names) => abbreviatedNames(names, query));
  yield { found: abbreviated, isIn, isApproximate: false };
  const misspelt = matchesOf(parts, (names) => namesWithTypos(names, query));
  yield { found: misspelt, isIn, isApproximate: true };
  if (!isQualified) return;
  const isNearlyIn = (at: SymbolScope): boolean => isNearlyQualifiedBy(qualifiers, at);
  yield { found: like, isIn: isNearlyIn, isApproximate: true };
  yield { found: like, isApproximate: true };
}

/** Headings only count when nothing else matches. */
function kindsOf({ symbolKind }: SymbolsRequest): readonly ((kind: ChunkKind) => boolean)[] {
  if (symbolKind === undefined) return [(kind) => kind !== "section", (kind) => kind === "section"];
  const stored = storedKindsOf(symbolKind);
  if (stored === undefined) {
    throw new SvcError("INVALID_PARAMS", `kind: there is no "${symbolKind}".`, {
      hint: `There are ${KIND_WORDS.join(", ")}.`,
    });
  }
  const { kinds, related } = stored;
  return [kinds, [...kinds, ...related]].map((wanted) => (kind) => wanted.includes(kind));
}

interface PartMatches {
  readonly part: SegmentSymbols;
  readonly matches: readonly NameMatch[];
}

function matchesOf(
  parts: readonly SegmentSymbols[],
  match: (names: SegmentSymbols["names"]) => readonly NameMatch[],
): readonly PartMatches[] {
  return parts.map((part) => ({ part, matches: match(part.names) }));
}

function sameNames(found: readonly PartMatches[]): readonly PartMatches[] {
  return found.map(({ part, matches }) => ({ part, matches: matches.filter(isSameName) }));
}

function isSameName({ match }: NameMatch): boolean {
  return match === "exact" || match === "other case";
}

type DescribedSymbol = Omit<FoundSymbol, "users" | "areUsersByName">;

interface ListLimits extends Pick<SymbolUsage, "pageRanks"> {
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Describes the symbols of a listing from the current files. */
class ListedSymbols {
  readonly #context: SymbolsContext;
  readonly #listing: SymbolListing;
  readonly #files: SourceLines;
  readonly #limits: ListLimits;
  readonly #users = new Map<string, number>();

  constructor(context: SymbolsContext, listing: SymbolListing, limits: ListLimits) {
    this.#limits = limits;
    this.#context = context;
    this.#listing = listing;
    this.#files = new SourceLines(context.reader, context.texts);
  }

  /** Up to `limit` symbols from `offset` on and before `end`. `next`: offset of the next page. */
  async page(
    offset: number,
    { limit, end }: { limit: number; end: number },
  ): Promise<{ symbols: readonly FoundSymbol[]; next: number; isPartial: boolean }> {
    const symbols = new Map<string, DescribedSymbol>();
    let next = offset;
    const last = Math.min(end, offset + limit + MAX_REMOVED_SYMBOLS);
    while (symbols.size < limit && next < last) {
      const count = Math.min(limit - symbols.size, last - next);
      // eslint-disable-next-line no-await-in-loop -- the number of removed symbols decides how many more to read
      const places = await this.#listing.slice(next, count, this.#usage());
      for (const [at, place] of places.entries()) {
        if (performance.now() > this.#limits.deadline) {
          const described = await this.#withUsers([...symbols.values()]);
          return { symbols: described, next: next + at, isPartial: true };
        }
        // eslint-disable-next-line no-await-in-loop -- the index is in memory, and file reads are synchronous
        const symbol = await this.#describe(place);
        // Several old overloads may resolve to the same current definition.
        if (symbol !== undefined)
          symbols.set(`${symbol.path}:${symbol.startLine}:${symbol.qualifiedName}`, symbol);
      }
      next += count;
    }
    return { symbols: await this.#withUsers([...symbols.values()]), next, isPartial: false };
  }

  /** Up to MAX_SIMILAR_NAMES distinct names from `offset` on. */
  async namesFrom(offset: number): Promise<readonly string[]> {
    const places = await this.#listing.slice(offset, MAX_SIMILAR_NAMES * 4, this.#usage());
    const names = places.map(({ part, name }) => part.names.name(name));
    return [...new Set(names)].slice(0, MAX_SIMILAR_NAMES);
  }

  #usage(): SymbolUsage {
    return { usingFiles: this.#usingFiles, pageRanks: this.#limits.pageRanks };
  }

  /** The symbols with how many files use each, or where that takes too long, its name. */
  async #withUsers(symbols: readonly DescribedSymbol[]): Promise<readonly FoundSymbol[]> {
    const users = new Map<DescribedSymbol, number>();
    let resolvedFiles = 0;
    for (const [name, alike] of Map.groupBy(symbols, (symbol) => symbol.name)) {
      // oxlint-disable-next-line no-await-in-loop -- the index answers from memory
      const byName = await this.#usingFiles(name);
      if (byName === 0 || byName > MAX_RESOLVED_FILES) continue;
      resolvedFiles += byName;
      if (resolvedFiles > MAX_RESOLVED_FILES_IN_ALL) break;
      // oxlint-disable-next-line no-await-in-loop -- names are few
      const graph = await this.#context.graph();
      // oxlint-disable-next-line no-await-in-loop -- as above
      const counts = await graph.usingFiles(alike, this.#limits.signal);
      for (const [at, symbol] of alike.entries()) users.set(symbol, counts[at] ?? 0);
    }
    return symbols.map((symbol) => {
      const counted = users.get(symbol);
      const byName = this.#users.get(symbol.name) ?? 0;
      const areUsersByName = counted === undefined && byName > 0;
      return { ...symbol, users: counted ?? byName, areUsersByName };
    });
  }

  readonly #usingFiles = async (name: string): Promise<number> => {
    const known = this.#users.get(name);
    if (known !== undefined) return known;
    const users = await this.#context.reader.usingFiles(name);
    this.#users.set(name, users);
    return users;
  };

  async #describe(place: SymbolMatchPlace): Promise<DescribedSymbol | undefined> {
    const { part, symbol, file, match } = place;
    const current = await this.#files.read(file.path);
    if (current === undefined) return undefined;
    const facts = factsOf(place, await current.symbols(), current.changed);
    if (facts === undefined) return undefined;
    const name = part.names.name(place.name);
    const { startLine, endLine, nameLine, qualifiedName, kind } = facts;
    return {
      path: file.path,
      startLine,
      endLine,
      place: documentPlace(file.path, current.document, { startLine, endLine }),
      nameLine,
      nameColumn: columnOfName(current.lines[nameLine - 1] ?? "", name),
      name,
      qualifiedName,
      kind,
      access: part.names.accessOf(symbol),
      language: file.language,
      match,
      ...symbolLines(current.lines, facts, file.language),
      changed: current.changed,
    };
  }
}

/** The symbol in the current file; undefined when it was removed. */
function factsOf(
  { part: { names }, symbol, name }: SymbolMatchPlace,
  symbols: readonly SymbolFacts[],
  changed: boolean,
): SymbolFacts | undefined {
  const number = names.numberInFile(symbol);
  const text = names.name(name);
  const known = symbols[number];
  if (!changed && known?.name === text) return known;
  const qualifiedName = names.ownerOf(symbol) + text;
  const same = symbols.filter((one) => one.qualifiedName === qualifiedName);
  const others = same.length > 0 ? same : symbols.filter((one) => one.name === text);
  // Of several overloads, choose the one with the nearest position.
  return others.toSorted(
    (one, other) =>
      Math.abs(symbols.indexOf(one) - number) - Math.abs(symbols.indexOf(other) - number),
  )[0];
}
