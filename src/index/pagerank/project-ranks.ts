// Computes how much of a project depends on each file and definition: PageRank over the files, with an edge for
// each name that one file uses of another. Edges are resolved by name, imported files first. Full resolution of
// a million uses would take a hundred times as long, with much the same sums.

import { isCHeader } from "../../base/c-header.ts";
import { languageFamily } from "../../base/language-families.ts";
import { STYLES } from "../../base/style-names.ts";
import { NumberList } from "../coding/bytes.ts";
import type { FileFacts, SymbolFacts } from "../types.ts";
import { lastPartsOf } from "../references/used-terms.ts";
import { DefinitionTable, type DefinedSymbol } from "./definition-table.ts";
import { IncludedDefinitions } from "./included-definitions.ts";
import { pageRank, type RankGraph } from "./pagerank.ts";
import { rankCode } from "./rank-code.ts";

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
/** The family of languages whose files include others. */
const INCLUDING_FAMILY = "c";
/** With more symbols than this, only symbols that the whole project can use count, to bound memory. */
const MAX_SYMBOLS_WITH_PRIVATE = 400_000;

/** The ranks of a sequence of files and of their symbols, one byte each: see `rankCode`. */
export interface RankCodes {
  readonly files: Uint8Array;
  readonly symbols: Uint8Array;
}

/** The facts about a file that the computation reads. */
export interface RankInput {
  readonly facts: FileFacts;
  readonly symbolCount: number;
  readonly symbols: () => readonly SymbolFacts[];
  readonly namesUsed: () => NamesUsed;
  /** What the file imports, without reading the names. */
  readonly imports: () => readonly { readonly module: string }[];
}

/** The distinct names that a file uses and the modules that it imports. */
export interface NamesUsed {
  readonly names: ReadonlySet<string>;
  readonly modules: readonly string[];
}

/**
 * Returns the ranks of the files and of their symbols, file after file. Takes about 0.4 s of CPU for the 11,000
 * files of spring-framework.
 */
export function computeRanks(files: readonly RankInput[]): RankCodes {
  const nodes = nodesOf(files);
  const symbolCount = files.reduce((sum, file) => sum + file.symbolCount, 0);
  const { graph, symbols } = graphOf(nodes, symbolCount > MAX_SYMBOLS_WITH_PRIVATE);
  const ranks = pageRank(graph, priorsOf(nodes));
  return {
    files: Uint8Array.from(ranks, (rank) => rankCode(rank, nodes.length)),
    symbols: symbolCodesOf({ graph, ranks, symbols }, symbolCount),
  };
}

/** Returns the graph of the files, and the symbol that each edge stands for. */
function graphOf(
  nodes: readonly RankNode[],
  isForMany: boolean,
): { readonly graph: RankGraph; readonly symbols: Uint32Array } {
  const definitions = definitionsOf(nodes, isForMany);
  const included = new IncludedDefinitions(
    nodes.map(({ file }) => ({
      path: file.facts.path,
      modules: () => file.imports().map(({ module }) => module),
    })),
  );
  const starts = new Uint32Array(nodes.length + 1);
  const targets = new NumberList();
  const symbols = new NumberList();
  const weights = new NumberList();
  for (const [at, user] of nodes.entries()) {
    eachEdge(user, { nodes, definitions, included }, ({ node, symbol }, weight) => {
      targets.push(node);
      symbols.push(symbol);
      weights.push(Math.round(weight * WEIGHT_STEPS));
    });
    starts[at + 1] = weights.length;
  }
  const graph = { starts, targets: targets.finish(), weights: Float32Array.from(weights.finish()) };
  return { graph, symbols: symbols.finish() };
}

/** A file as a node of the graph. */
interface RankNode {
  readonly node: number;
  readonly file: RankInput;
  readonly family: string;
  readonly folder: string;
  /** The file's name without extension, and its folder's name: an import of the file ends in one of them. */
  readonly parts: readonly string[];
  /** Index of its first symbol over all files. */
  readonly firstSymbol: number;
}

function nodesOf(files: readonly RankInput[]): readonly RankNode[] {
  let firstSymbol = 0;
  return files.map((file, node) => {
    const { path, language } = file.facts;
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const parts = [...lastPartsOf(path), ...lastPartsOf(folder).slice(-1)];
    const first = firstSymbol;
    firstSymbol += file.symbolCount;
    return {
      node,
      file,
      family: languageFamily(language),
      folder,
      parts: parts.map((part) => part.toLowerCase()),
      firstSymbol: first,
    };
  });
}

function definitionsOf(nodes: readonly RankNode[], isForMany: boolean): DefinitionTable {
  const definitions = new DefinitionTable();
  for (const { node, file, firstSymbol } of nodes) {
    for (const [at, { name, qualifiedName, access }] of file.symbols().entries()) {
      const isMember = name !== qualifiedName;
      // Each file that includes a header has the functions that are private in it.
      const isPrivate = access === "private" && !isCHeader(file.facts.path);
      if (isForMany && (isPrivate || isMember)) continue;
      definitions.add(name, { node, symbol: firstSymbol + at, isMember });
    }
  }
  return definitions;
}

interface Project {
  readonly nodes: readonly RankNode[];
  readonly definitions: DefinitionTable;
  readonly included: IncludedDefinitions;
}

/**
 * Returns the definitions that a name in a file may refer to. Empty if the file defines it itself or too many files do; in
 * C, only what the file includes counts then.
 */
function meaningsOf(
  name: string,
  { node: user, family }: RankNode,
  { nodes, definitions, included }: Project,
): readonly DefinedSymbol[] {
  const alike: DefinedSymbol[] = [];
  let files = 0;
  let last = -1;
  for (const definition of definitions.of(name, MAX_DEFINITIONS)) {
    const { node } = definition;
    if (nodes[node]?.family !== family) continue;
    if (node === user) return [];
    if (node !== last) files += 1;
    if (files > MAX_FILES_PER_NAME && family !== INCLUDING_FAMILY) return [];
    last = node;
    alike.push(definition);
  }
  if (files <= MAX_FILES_PER_NAME) return alike;
  const seen = included.seenBy(
    user,
    alike.map(({ node }) => node),
  );
  return alike.filter(({ node }) => seen.includes(node));
}

/**
 * Visits the edges of a file. Each used name has the same weight, divided among its definitions; definitions that
 * are members have less.
 */
function eachEdge(
  user: RankNode,
  project: Project,
  visit: (target: DefinedSymbol, weight: number) => void,
): void {
  if (user.family === STYLES) return;
  const { names, modules } = user.file.namesUsed();
  const imported = new Set(modules.flatMap(lastPartsOf).map((part) => part.toLowerCase()));
  for (const name of names) {
    if (isOfStyles(name, user)) continue;
    const targets = meaningsOf(name, user, project);
    if (targets.length === 0) continue;
    const likely =
      user.family === INCLUDING_FAMILY && targets.length > 1
        ? project.included.weights(
            user.node,
            targets.map(({ node }) => node),
          )
        : targets.map(({ node }) => likelihood(user, project.nodes[node], imported));
    // A type is not used less because a method somewhere is called like it.
    const weights = targets.map(({ isMember }, at) => {
      return (likely[at] ?? 0) * (isMember ? MEMBER_WEIGHT : 1);
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    for (const [at, target] of targets.entries()) {
      const share = (weights[at] ?? 0) / sum;
      visit(target, share * (target.isMember ? MEMBER_WEIGHT : 1));
    }
  }
}

/** Classes, ids and custom properties say nothing of how programs depend on each other. Scripts have private members such as `#open`. */
function isOfStyles(name: string, { family }: RankNode): boolean {
  if (!/^(?:[.#]|--)/.test(name)) return false;
  return !(name.startsWith("#") && family === "javascript");
}

function priorsOf(nodes: readonly RankNode[]): Float64Array {
  const priors = Float64Array.from(nodes, ({ file }) =>
    file.facts.role === "tests" ? TEST_PRIOR : 1,
  );
  const sum = priors.reduce((total, prior) => total + prior, 0);
  return priors.map((prior) => prior / sum);
}

function likelihood(
  user: RankNode,
  definer: RankNode | undefined,
  imported: ReadonlySet<string>,
): number {
  if (definer === undefined) return 0;
  if (definer.parts.some((part) => imported.has(part))) return IMPORTED_WEIGHT;
  return definer.folder === user.folder ? SAME_FOLDER_WEIGHT : 1;
}

interface RankedGraph {
  readonly graph: RankGraph;
  readonly ranks: Float64Array;
  readonly symbols: Uint32Array;
}

/** Returns the codes of the symbols: of the share that each gets of the ranks of the files that use it. */
function symbolCodesOf(
  { graph: { starts, weights }, ranks, symbols }: RankedGraph,
  symbolCount: number,
): Uint8Array {
  const shares = new Float64Array(symbolCount);
  const isUsed = new Uint8Array(symbolCount);
  for (let node = 0; node < ranks.length; node += 1) {
    const from = starts[node] ?? 0;
    const to = starts[node + 1] ?? 0;
    const sum = weights.subarray(from, to).reduce((total, weight) => total + weight, 0);
    for (let at = from; at < to; at += 1) {
      const symbol = symbols[at] ?? 0;
      shares[symbol] = (shares[symbol] ?? 0) + ((ranks[node] ?? 0) * (weights[at] ?? 0)) / sum;
      isUsed[symbol] = 1;
    }
  }
  const used = isUsed.reduce((count, one) => count + one, 0);
  return Uint8Array.from(shares, (share) => rankCode(share, used));
}
