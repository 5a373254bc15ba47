// Computes how much of a project depends on each file and definition: PageRank over the files, with an edge for
// each name that one file uses of another. Edges are resolved by name, imported files first. Full resolution of
// a million uses would take a hundred times as long, with much the same sums.

import { languageFamily } from "../../base/language-families.ts";
import type { PageRanks } from "../port.ts";
import { NumberList } from "../segment/bytes.ts";
import { pageRank, type RankGraph } from "./pagerank.ts";
import { readNamesUsed } from "../segment/reference-block.ts";
import type { SegmentView } from "../segment/live-segments.ts";
import { lastPartsOf } from "../segment/used-terms.ts";

/** Key in `meta`: how often PageRank has been computed. */
export const RANK_VERSION_KEY = "weighed";

/** The ranks of a segment's files and symbols, one byte each: see `rankCode`. */
export interface SegmentRanks {
  readonly files: Uint8Array;
  readonly symbols: Uint8Array;
}

/** A name that more files define than this gives no edge, because its meaning is unclear. */
const MAX_FILES_PER_NAME = 10;
/** A name with more definitions than this, including overloads, is ignored. */
const MAX_DEFINITIONS = 200;
/** Relative likelihood that a name refers to a definition in an imported file, or in the same folder. */
const IMPORTED_WEIGHT = 8;
const SAME_FOLDER_WEIGHT = 3;
/** Weight of member names: many types have a `push` or a `get`, so their meaning is uncertain. */
const MEMBER_WEIGHT = 0.1;
/** Prior of test files: their uses say less about a project. */
const TEST_PRIOR = 0.3;

/** Weights are up to 1 and stored as whole numbers. */
const WEIGHT_STEPS = 1 << 16;
/** With more symbols than this, only symbols that the whole project can use count, to bound memory. */
const MAX_SYMBOLS_WITH_PRIVATE = 400_000;

const CODES_PER_DOUBLING = 16;
const MEAN_CODE = 128;

/** Encodes a share of the total rank as a byte: 128 is the mean, and 16 more means twice as much; 0 is no rank. */
export function rankCode(share: number, count: number): number {
  if (share <= 0) return 0;
  const code = MEAN_CODE + CODES_PER_DOUBLING * Math.log2(share * count);
  return Math.min(255, Math.max(1, Math.round(code)));
}

/** Decodes a rank as a multiple of the mean. */
export function timesMean(code: number): number {
  return code === 0 ? 0 : 2 ** ((code - MEAN_CODE) / CODES_PER_DOUBLING);
}

/**
 * Returns the ranks of the files and symbols of each segment; those of deleted files are 0. Takes about 0.4 s
 * of CPU for the 11,000 files of spring-framework.
 */
export function computeSegmentRanks(segments: readonly SegmentView[]): readonly SegmentRanks[] {
  const users = usersIn(segments);
  const symbolCount = segments.reduce((sum, { reader }) => sum + reader.directory.symbols, 0);
  const definitions = new Definitions(users, symbolCount > MAX_SYMBOLS_WITH_PRIVATE);
  const starts = new Uint32Array(users.length + 1);
  const targets = new NumberList();
  const symbols = new NumberList();
  const weights = new NumberList();
  for (const [at, user] of users.entries()) {
    for (const { file, symbol, weight } of edgesOf(user, definitions)) {
      targets.push(file);
      symbols.push(symbol);
      weights.push(Math.round(weight * WEIGHT_STEPS));
    }
    starts[at + 1] = weights.length;
  }
  const graph = { starts, targets: targets.finish(), weights: Float32Array.from(weights.finish()) };
  const ranks = pageRank(graph, priorsOf(users));
  return encodeRanks(segments, { users, ranks, shares: sharesOf(graph, ranks, symbols.finish()) });
}

/** A live file: a node of the graph. */
interface UsingFile {
  readonly node: number;
  readonly segment: number;
  /** Index in its segment. */
  readonly file: number;
  readonly reader: SegmentView["reader"];
  readonly family: string;
  readonly folder: string;
  /** The file's name without extension, and its folder's name: an import of the file ends in one of them. */
  readonly parts: readonly string[];
  readonly isTest: boolean;
  /** Index of its first symbol over all segments. */
  readonly firstSymbol: number;
}

function usersIn(segments: readonly SegmentView[]): readonly UsingFile[] {
  const users: UsingFile[] = [];
  let base = 0;
  for (const [segment, { reader, tombstones }] of segments.entries()) {
    for (let file = 0; file < reader.files; file += 1) {
      if (tombstones[file] === 1) continue;
      const { path, language, role } = reader.file(file);
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      users.push({
        node: users.length,
        segment,
        file,
        reader,
        family: languageFamily(language),
        folder,
        parts: [...lastPartsOf(path), ...lastPartsOf(folder).slice(-1)].map((part) =>
          part.toLowerCase(),
        ),
        isTest: role === "tests",
        firstSymbol: base + (reader.column("firstSymbol")[file] ?? 0),
      });
    }
    base += reader.directory.symbols;
  }
  return users;
}

interface Definition {
  readonly user: UsingFile;
  /**
   * Whether it is a member of a type: its bare name may also refer to a member of another type, inside or
   * outside this project.
   */
  readonly isMember: boolean;
  /** Index over all segments. */
  readonly symbol: number;
}

/** Definitions by name. */
class Definitions {
  readonly #byName = new Map<string, Definition[]>();

  constructor(users: readonly UsingFile[], isForMany: boolean) {
    for (const user of users) {
      for (const [at, facts] of user.reader.symbolsOf(user.file).entries()) {
        const { name, qualifiedName, access } = facts;
        if (isForMany && (access === "private" || name !== qualifiedName)) continue;
        const isMember = name !== qualifiedName;
        const definition = { user, isMember, symbol: user.firstSymbol + at };
        const others = this.#byName.get(name);
        if (others === undefined) this.#byName.set(name, [definition]);
        else others.push(definition);
      }
    }
  }

  /**
   * Returns the definitions that a name in a file may refer to. Empty if the file defines it itself or too many
   * files do.
   */
  of(name: string, { node, family }: UsingFile): readonly Definition[] {
    const all = this.#byName.get(name) ?? [];
    if (all.length > MAX_DEFINITIONS) return [];
    const alike = all.filter(({ user }) => user.family === family);
    if (alike.some(({ user }) => user.node === node)) return [];
    return new Set(alike.map(({ user }) => user.node)).size > MAX_FILES_PER_NAME ? [] : alike;
  }
}

interface Edge {
  readonly file: number;
  readonly symbol: number;
  readonly weight: number;
}

/**
 * Returns the edges of a file. Each used name has the same weight, divided among its definitions; definitions that
 * are members have less.
 */
function edgesOf(user: UsingFile, definitions: Definitions): readonly Edge[] {
  const { names, modules } = readNamesUsed(user.reader.referenceBytes(user.file));
  const imported = new Set(modules.flatMap(lastPartsOf).map((part) => part.toLowerCase()));
  return [...names].flatMap((name) => {
    const targets = definitions.of(name, user).map(({ user: definer, isMember, symbol }) => ({
      file: definer.node,
      symbol,
      isMember,
      // A type is not used less because a method somewhere is called like it.
      weight: likelihood(user, definer, imported) * (isMember ? MEMBER_WEIGHT : 1),
    }));
    const sum = targets.reduce((total, { weight }) => total + weight, 0);
    return targets.map(({ file, symbol, isMember, weight }) => ({
      file,
      symbol,
      weight: (weight / sum) * (isMember ? MEMBER_WEIGHT : 1),
    }));
  });
}

function priorsOf(users: readonly UsingFile[]): Float64Array {
  const priors = Float64Array.from(users, ({ isTest }) => (isTest ? TEST_PRIOR : 1));
  const sum = priors.reduce((total, prior) => total + prior, 0);
  return priors.map((prior) => prior / sum);
}

function likelihood(user: UsingFile, definer: UsingFile, imported: ReadonlySet<string>): number {
  if (definer.parts.some((part) => imported.has(part))) return IMPORTED_WEIGHT;
  return definer.folder === user.folder ? SAME_FOLDER_WEIGHT : 1;
}

/** Returns the share of the using files' ranks that each symbol gets, by its index over all segments. */
function sharesOf(
  { starts, weights }: RankGraph,
  ranks: Float64Array,
  symbols: Uint32Array,
): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  for (let node = 0; node < ranks.length; node += 1) {
    const from = starts[node] ?? 0;
    const to = starts[node + 1] ?? 0;
    const sum = weights.subarray(from, to).reduce((total, weight) => total + weight, 0);
    for (let at = from; at < to; at += 1) {
      const symbol = symbols[at] ?? 0;
      const share = ((ranks[node] ?? 0) * (weights[at] ?? 0)) / sum;
      shares.set(symbol, (shares.get(symbol) ?? 0) + share);
    }
  }
  return shares;
}

interface RankResult {
  readonly users: readonly UsingFile[];
  readonly ranks: Float64Array;
  readonly shares: ReadonlyMap<number, number>;
}

function encodeRanks(
  segments: readonly SegmentView[],
  { users, ranks, shares }: RankResult,
): readonly SegmentRanks[] {
  const codes = segments.map(({ reader }) => ({
    files: new Uint8Array(reader.files),
    symbols: new Uint8Array(reader.directory.symbols),
  }));
  for (const { node, segment, file } of users) {
    const of = codes[segment];
    if (of !== undefined) of.files[file] = rankCode(ranks[node] ?? 0, users.length);
  }
  const bases = basesOf(segments);
  for (const [symbol, share] of shares) {
    const segment = bases.findLastIndex((base) => base <= symbol);
    const of = codes[segment];
    if (of !== undefined) of.symbols[symbol - (bases[segment] ?? 0)] = rankCode(share, shares.size);
  }
  return codes;
}

/**
 * Returns the index, over all segments, of each segment's first symbol. An empty segment has the index of the
 * next one.
 */
function basesOf(segments: readonly SegmentView[]): readonly number[] {
  let base = 0;
  return segments.map(({ reader }) => {
    base += reader.directory.symbols;
    return base - reader.directory.symbols;
  });
}

/** Returns the stored ranks by path. About 0.5 µs per file. */
export function pageRanksByPath(
  segments: readonly SegmentView[],
  read: (segment: number) => SegmentRanks | undefined,
): PageRanks {
  const places = new Map<string, { codes: SegmentRanks; file: number; first: number }>();
  for (const { id, reader, tombstones } of segments) {
    const codes = read(id);
    if (codes === undefined) continue;
    const firsts = reader.column("firstSymbol");
    for (let file = 0; file < reader.files; file += 1) {
      if (tombstones[file] !== 1)
        places.set(reader.path(file), { codes, file, first: firsts[file] ?? 0 });
    }
  }
  return {
    fileRank: (path) => {
      const place = places.get(path);
      return place?.codes.files[place.file] ?? 0;
    },
    symbolRank: (path, number) => {
      const place = places.get(path);
      return place?.codes.symbols[place.first + number] ?? 0;
    },
  };
}
