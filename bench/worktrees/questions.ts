// Random questions about several worktrees of one repository. Each answer is checked against the files of the queried
// worktree: every shown line must exist there, and every match there must be found.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Engine } from "../../src/engine/api/engine.ts";
import { SvcError } from "../../src/base/errors.ts";
import type { Principal } from "../../src/sources/principal.ts";
import type { Random } from "../quality/random.ts";

export interface AskedTree {
  readonly namespace: string;
  readonly folder: string;
}

export interface Questions {
  readonly engine: Pick<Engine, "search" | "searchText" | "findSymbols" | "references">;
  readonly principal: Principal;
  readonly trees: readonly AskedTree[];
  /** Paths of the text files that all trees have. */
  readonly paths: readonly string[];
  /** Files that differ between the trees: most questions are about them. */
  readonly changed: readonly string[];
  readonly random: Random;
}

export interface Asked {
  readonly asked: Readonly<Record<Kind, number>>;
  /** Answers that show something missing from the tree, or that lack something in it. */
  readonly doubtful: readonly DoubtfulAnswer[];
}

export interface DoubtfulAnswer {
  readonly namespace: string;
  /** The problems of the answer, one sentence each. */
  readonly problems: readonly string[];
  /**
   * Asks another engine the same question. Returns whether its answer has the same problems, which rules out the index
   * as their cause.
   */
  readonly isSameIn: (engine: Questions["engine"]) => Promise<boolean>;
}

const KINDS = ["text", "symbols", "references", "search"] as const;
type Kind = (typeof KINDS)[number];

/** Share of the questions that are about changed files. */
const CHANGED_SHARE = 0.8;
const LIMIT = 100;
const PAGE = { limit: 10, maxTokens: 2000 } as const;

export async function askRandomly(questions: Questions, count: number): Promise<Asked> {
  const asked = { text: 0, symbols: 0, references: 0, search: 0 };
  const doubtful: DoubtfulAnswer[] = [];
  for (let at = 0; at < count; at += 1) {
    const kind = KINDS[at % KINDS.length] ?? "text";
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answer = await askOne(questions, kind);
    asked[kind] += 1;
    if (answer.problems.length > 0) doubtful.push(answer);
  }
  return { asked, doubtful };
}

interface Question {
  readonly engine: Questions["engine"];
  /** Common members of every request. */
  readonly common: {
    readonly namespace: string;
    readonly principal: Principal;
    readonly limit: number;
    readonly signal: AbortSignal;
  };
  readonly lines: TreeLines;
  /** The file with the words, in one of the trees. */
  readonly path: string;
  /** Part of a line. */
  readonly words: string;
  /** A name in it. */
  readonly name: string;
}

async function askOne(questions: Questions, kind: Kind): Promise<DoubtfulAnswer> {
  const { engine, principal, trees, random } = questions;
  const tree = pick(trees, random);
  // The words may be those of another tree.
  const { path, words } = randomWords(questions, pick(trees, random));
  const name = pick(words.match(/[A-Za-z_]\w{3,}/g) ?? ["main"], random);
  const common = { namespace: tree.namespace, principal, limit: LIMIT, signal: NEVER };
  const question = { engine, common, lines: new TreeLines(tree), path, words, name };
  const problemsIn = async (asked: Questions["engine"]): Promise<readonly string[]> => {
    const problems = await ASK[kind]({ ...question, engine: asked });
    return problems.map(
      (problem) => `${kind} of ${tree.namespace}, ${JSON.stringify([words, name])}: ${problem}`,
    );
  };
  const problems = await problemsIn(engine);
  const isSameIn = async (other: Questions["engine"]): Promise<boolean> =>
    JSON.stringify(await problemsIn(other)) === JSON.stringify(problems);
  return { namespace: tree.namespace, problems, isSameIn };
}

/** The form in which the words of a line are searched. */
export const EXACT_TEXT = {
  isRegex: false,
  caseSensitive: true,
  wholeWord: false,
  contextLines: 0,
  output: "matches",
} as const;

const ASK: Readonly<Record<Kind, (question: Question) => Promise<readonly string[]>>> = {
  text: async ({ engine, common, lines, path, words }) => {
    const { matches } = await engine.searchText({
      ...common,
      pattern: words,
      ...EXACT_TEXT,
    });
    const isThere = lines.of(path).some((text) => text.includes(words));
    const isFound = matches.length >= LIMIT || matches.some((match) => match.path === path);
    return [
      ...matches
        .filter(({ path: at, line }) => !lines.at(at, line).includes(words))
        .map(({ path: at, line }) => `${at}:${line} does not have it`),
      ...(isThere && !isFound ? [`${path} is missing`] : []),
    ];
  },
  symbols: async ({ engine, common, lines, name }) => {
    const { symbols } = await engine.findSymbols({ ...common, name });
    return symbols
      .filter(({ path, nameLine, changed, name: found }) => {
        const word = /\w+/.exec(found)?.[0] ?? found;
        // If the index does not know the current content of a file, svc guesses the lines.
        return changed || !lines.at(path, nameLine).includes(word);
      })
      .map(({ path, nameLine, name: found }) => `${path}:${nameLine} does not define ${found}`);
  },
  references: async ({ engine, common, lines, name }) => {
    const found = await engine
      .references({ ...common, symbol: name, relation: "references", depth: 1 })
      .catch(noSuchName);
    return (found?.references ?? [])
      .filter(({ path, line, changed }) => changed || !hasName(lines.at(path, line), name))
      .map(({ path, line }) => `${path}:${line} does not use ${name}`);
  },
  search: async ({ engine, common, lines, words }) => {
    const { passages } = await engine.search({ ...common, ...PAGE, query: words });
    return passages.flatMap(({ path, startLine, endLine, text }) => {
      const there = new Set(lines.between(path, startLine, endLine).map((line) => line.trim()));
      const foreign = text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.includes("…") && !there.has(line));
      const [first] = foreign;
      return first === undefined ? [] : [`${path}:${startLine}-${endLine} has no line ${first}`];
    });
  },
};

/** A name may be found in another letter case. */
function hasName(line: string, name: string): boolean {
  return line.toLowerCase().includes(name.toLowerCase());
}

/** A name that the tree does not have. */
function noSuchName(thrown: unknown): undefined {
  if (thrown instanceof SvcError) return undefined;
  throw thrown;
}

/** A part of a random line, from 12 characters on. */
function randomWords(
  { paths, changed, random }: Questions,
  tree: AskedTree,
): { readonly path: string; readonly words: string } {
  for (;;) {
    const path = pick(random() < CHANGED_SHARE ? changed : paths, random);
    const lines = new TreeLines(tree).of(path).filter((line) => line.trim().length >= 12);
    if (lines.length === 0) continue;
    return { path, words: pick(lines, random).trim().slice(0, 60).trim() };
  }
}

/** The current lines of the files of a tree. */
class TreeLines {
  readonly #folder: string;
  readonly #known = new Map<string, readonly string[]>();

  constructor({ folder }: AskedTree) {
    this.#folder = folder;
  }

  of(path: string): readonly string[] {
    let lines = this.#known.get(path);
    if (lines === undefined) {
      lines = linesOf(join(this.#folder, path));
      this.#known.set(path, lines);
    }
    return lines;
  }

  /** A line by its number from 1; "" if there is none. */
  at(path: string, line: number): string {
    return this.of(path)[line - 1] ?? "";
  }

  between(path: string, first: number, last: number): readonly string[] {
    return this.of(path).slice(first - 1, last);
  }
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/);
  } catch {
    return [];
  }
}

const NEVER = new AbortController().signal;

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to choose from");
  return item;
}
