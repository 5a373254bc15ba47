// The impact of a change of definitions: the definitions that use them, those that use these, and so on, the
// most likely first. A resolved use counts more than one by name, a call more than a mention, a close user
// more than a distant one.

import { Yielder } from "../base/yielder.ts";
import type { UseRole } from "../parse/references/references.ts";
import type { SymbolHit } from "../index/port.ts";
import type { ImportEdge } from "./import-graph.ts";
import type { Certainty, Reference } from "./reference-graph.ts";

/** The part of the graph that the walk needs. */
export interface ImpactGraph {
  readonly referencesTo: (symbol: SymbolHit, signal?: AbortSignal) => Promise<readonly Reference[]>;
  readonly importersOf: (path: string) => Promise<readonly ImportEdge[]>;
}

/** Where the change is. */
export interface ImpactSeeds {
  readonly symbols: readonly SymbolHit[];
  /** Files that changed outside of any definition, or that have none. */
  readonly files: readonly string[];
}

/** Limits of the walk, and facts about the project that it needs. */
export interface ImpactOptions {
  /** Maximum steps from the seeds; 1 finds only direct users. */
  readonly depth: number;
  readonly signal: AbortSignal;
  /** Returns true when the time limit has passed. The walk then returns what it has found. */
  readonly isLate: () => boolean;
  /**
   * Returns whether a file only uses others and is never used itself, as tests are. The walk does not go
   * further from it.
   */
  readonly isTerminal: (path: string) => Promise<boolean>;
  /** Returns the number of definitions that a name could refer to. */
  readonly candidates: (name: string) => Promise<number>;
  /** Returns the number of files that use a name, whatever it refers to there. */
  readonly usingFiles: (name: string) => Promise<number>;
}

/** An affected definition, or the code of a file outside of its definitions. */
export interface Affected {
  readonly path: string;
  /** The innermost definition; undefined at the top level of the file. */
  readonly symbol: SymbolHit | undefined;
  /** Where it uses the previous definition on the path from the seeds; 1-based. */
  readonly line: number;
  readonly role: UseRole;
  /** "name" if one of the steps from the seeds is known only by name. */
  readonly certainty: Certainty;
  /** Steps from the seeds. */
  readonly depth: number;
  /** The thing it uses: the name of a definition, or the path of a file that it imports. */
  readonly via: string;
  /** How likely it is affected, 0 to 1. Only meaningful for ordering. */
  readonly score: number;
}

/** The result of the walk. */
export interface Impact {
  /** Most likely first. */
  readonly affected: readonly Affected[];
  /** Exported definitions among the seeds and the affected ones that only tests use, or nobody. */
  readonly unused: readonly SymbolHit[];
  /** False if the walk stopped at a limit before it followed every definition. */
  readonly isComplete: boolean;
}

/** Weight of a step, by the role of the use. */
const ROLE_WEIGHTS: Readonly<Record<UseRole, number>> = {
  call: 1,
  inherit: 1,
  type: 0.7,
  value: 0.6,
  import: 0.3,
};
/** Weight of a use that is known only by name, divided by the number of definitions it could refer to. */
const BY_NAME_WEIGHT = 0.3;
/** Factor per step. */
const DEPTH_DECAY = 0.6;
/** Definitions with a lower score are not followed. */
const MIN_SCORE = 0.05;
/** Maximum number of seeds to follow. */
const MAX_SEEDS = 200;
/** Maximum number of other definitions to follow. */
const MAX_FOLLOWED = 40;
/**
 * A definition that is not a seed is not followed if more files than this use its name: nearly everything
 * would be affected.
 */
const MIN_COMMON_FILES = 100;
/** The walk stops after this many users. */
const MAX_AFFECTED = 300;
/** The same while seeds are left to follow. */
const MAX_AFFECTED_WITH_SEEDS = 1500;

interface Node {
  readonly symbol: SymbolHit | undefined;
  readonly path: string;
  readonly isTerminal: boolean;
  affected: Affected | undefined;
  score: number;
  depth: number;
  certainty: Certainty;
  isFollowed: boolean;
}

/**
 * Returns the affected definitions. Does not throw if the call is cancelled: it returns what it has found.
 */
export async function impactOf(
  graph: ImpactGraph,
  seeds: ImpactSeeds,
  options: ImpactOptions,
): Promise<Impact> {
  const walk = new ImpactWalk(graph, seeds, options);
  await walk.run();
  return walk.result();
}

class ImpactWalk {
  readonly #graph: ImpactGraph;
  readonly #seeds: ImpactSeeds;
  readonly #options: ImpactOptions;
  readonly #nodes = new Map<string, Node>();
  readonly #unused: SymbolHit[] = [];
  /** Number of affected definitions outside of tests. */
  #found = 0;
  #isComplete = true;

  constructor(graph: ImpactGraph, seeds: ImpactSeeds, options: ImpactOptions) {
    this.#graph = graph;
    this.#seeds = seeds;
    this.#options = options;
    for (const symbol of seeds.symbols) {
      this.#nodes.set(keyOf(symbol.path, symbol), nodeAt(symbol.path, symbol, false));
    }
  }

  async run(): Promise<void> {
    for (const path of this.#seeds.files) {
      // oxlint-disable-next-line no-await-in-loop -- few files, and each in memory
      await this.#addImporters(path);
    }
    const maxFollowed = Math.min(MAX_SEEDS, this.#seeds.symbols.length) + MAX_FOLLOWED;
    const yielder = new Yielder();
    for (let followed = 0; ; followed += 1) {
      // oxlint-disable-next-line no-await-in-loop -- yields to other work
      await yielder.yieldIfDue();
      const next = this.#mostLikely();
      if (next?.symbol === undefined) return;
      const isEnough = this.#found >= (next.depth === 0 ? MAX_AFFECTED_WITH_SEEDS : MAX_AFFECTED);
      const isOver = this.#options.signal.aborted || this.#options.isLate();
      if (followed === maxFollowed || isEnough || isOver) {
        this.#isComplete = false;
        return;
      }
      next.isFollowed = true;
      // oxlint-disable-next-line no-await-in-loop -- what is found decides what comes next
      await this.#follow(next, next.symbol);
    }
  }

  result(): Impact {
    const affected = [...this.#nodes.values()]
      .flatMap(({ affected: one, score, depth, certainty }) =>
        one === undefined ? [] : [{ ...one, score, depth, certainty }],
      )
      .toSorted((one, other) => other.score - one.score || compare(one, other));
    return { affected, unused: this.#unused, isComplete: this.#isComplete };
  }

  /** Returns the node with the highest score that can still be followed. */
  #mostLikely(): Node | undefined {
    let best: Node | undefined;
    for (const node of this.#nodes.values()) {
      const isOpen =
        !node.isFollowed &&
        !node.isTerminal &&
        node.symbol !== undefined &&
        node.depth < this.#options.depth &&
        node.score >= MIN_SCORE;
      if (isOpen && (best === undefined || node.score > best.score)) best = node;
    }
    return best;
  }

  async #follow(from: Node, symbol: SymbolHit): Promise<void> {
    if (from.depth > 0 && (await this.#options.usingFiles(symbol.name)) > MIN_COMMON_FILES) {
      this.#isComplete = false;
      return;
    }
    const references = await this.#graph.referencesTo(symbol, this.#options.signal);
    const byName = references.some(({ certainty }) => certainty === "name");
    const candidates = byName ? Math.max(1, await this.#options.candidates(symbol.name)) : 1;
    /** The use with the highest weight, by user. */
    const users = new Map<string, { reference: Reference; weight: number }>();
    for (const reference of references) {
      const { path, owner, role, certainty } = reference;
      if (this.#isSeed(path, owner)) continue;
      const weight = ROLE_WEIGHTS[role] * (certainty === "exact" ? 1 : BY_NAME_WEIGHT / candidates);
      const key = keyOf(path, owner);
      const known = users.get(key);
      if (known === undefined || weight > known.weight) users.set(key, { reference, weight });
    }
    let isUsed = false;
    for (const [key, { reference, weight }] of users) {
      // oxlint-disable-next-line no-await-in-loop -- cached by file
      const node = await this.#nodeOf(key, reference);
      isUsed ||= !node.isTerminal && node !== from;
      if (node !== from) this.#add(node, { from, reference, weight, via: symbol.name });
    }
    if (!isUsed && symbol.access === "exported") this.#unused.push(symbol);
  }

  async #addImporters(path: string): Promise<void> {
    const from = nodeAt(path, undefined, false);
    // Who imports a package need not use this file of it: its definitions tell.
    const hasSeeds = this.#seeds.symbols.some((seed) => seed.path === path);
    for (const { path: importer, line, isOfPackage } of await this.#graph.importersOf(path)) {
      if (isOfPackage === true && hasSeeds) continue;
      const reference = {
        path: importer,
        line,
        role: "import",
        certainty: "exact",
        owner: undefined,
      } as const;
      // oxlint-disable-next-line no-await-in-loop -- cached by file
      const node = await this.#nodeOf(keyOf(importer, undefined), reference);
      this.#add(node, { from, reference, weight: ROLE_WEIGHTS.import, via: path });
    }
  }

  /** Adds a step to a node. Scores of several paths are combined like probabilities of independent causes. */
  #add(node: Node, step: { from: Node; reference: Reference; weight: number; via: string }): void {
    const { from, reference, weight, via } = step;
    const score = from.score * DEPTH_DECAY * weight;
    const { path, line, role } = reference;
    const certainty = from.certainty === "name" ? "name" : reference.certainty;
    const depth = from.depth + 1;
    const isFirst = node.affected === undefined;
    const isNearer = depth < node.depth;
    const isMoreCertain = node.certainty === "name" && certainty === "exact";
    if (isFirst && !node.isTerminal) this.#found += 1;
    if (isFirst || isNearer || (depth === node.depth && isMoreCertain)) {
      const place = { path, symbol: node.symbol, line, role, via };
      node.affected = { ...place, certainty, depth, score: 0 };
      node.depth = depth;
      node.certainty = certainty;
    }
    node.score = 1 - (1 - node.score) * (1 - score);
  }

  async #nodeOf(key: string, { path, owner }: Reference): Promise<Node> {
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const isTerminal = await this.#options.isTerminal(path);
    const node = { ...nodeAt(path, owner, isTerminal), score: 0, depth: Number.MAX_SAFE_INTEGER };
    this.#nodes.set(key, node);
    return node;
  }

  /** Returns whether a user is a seed or part of one. */
  #isSeed(path: string, owner: SymbolHit | undefined): boolean {
    if (owner === undefined) return this.#seeds.files.includes(path);
    return this.#seeds.symbols.some(
      (seed) =>
        seed.path === path && seed.startLine <= owner.startLine && seed.endLine >= owner.endLine,
    );
  }
}

function nodeAt(path: string, symbol: SymbolHit | undefined, isTerminal: boolean): Node {
  const certain = { score: 1, depth: 0, certainty: "exact" } as const;
  return { path, symbol, isTerminal, affected: undefined, isFollowed: false, ...certain };
}

function keyOf(path: string, symbol: SymbolHit | undefined): string {
  return symbol === undefined ? path : `${path}#${symbol.qualifiedName}:${symbol.startLine}`;
}

function compare(one: Affected, other: Affected): number {
  if (one.path === other.path) return one.line - other.line;
  return one.path < other.path ? -1 : 1;
}
