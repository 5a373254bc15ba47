// What conditions in code say about the type of a value. parse/references/narrowing-steps.ts makes steps of expressions of them.
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/**
 * What a condition says about the type of a variable: the node of its class, or of several classes of which it has one. In Kotlin
 * and Ruby, where a value has one type.
 */
export type NarrowedType = { readonly type: number } | { readonly types: readonly number[] };

/** What a condition says about a value. `isTrue`: false if it says the opposite. */
export type TypeCondition = { readonly isTrue: boolean } & (
  | {
      readonly is: "instance";
      /** Nodes of the types of which it has one. */ readonly types: readonly number[];
    }
  /** `guard`: node of the function that tests it. */
  | { readonly is: "tested"; readonly guard: number }
  /** The value of a member is one of some; see `constantText`. */
  | { readonly is: "equal"; readonly member: string; readonly values: readonly string[] }
  /** It has the member. */
  | { readonly is: "having"; readonly member: string }
);

/** The variable of a value. */
export interface ConditionScope {
  /** The node of the scope that declares it: conditions outside of it are about others. -1 if it is unknown. */
  readonly until: number;
  /** Returns whether it always has the same value, also in functions that run later. */
  readonly isConstant: () => boolean;
}

/** Returns the conditions that hold for a value at its place, the nearest first. */
export type ReadConditions = (
  value: number,
  tree: FlatSyntaxTree,
  scope: ConditionScope,
) => readonly TypeCondition[];

/** Levels between a value and the condition. */
const MAX_LEVELS = 20;
/** More conditions are left out. */
const MAX_CONDITIONS = 3;
/** Members in the path to a value. */
const MAX_PATH = 4;

/** What is known at a place: a node of a condition, or of a value that has one of some others, and whether it is true. */
export interface KnownFact {
  /** The node whose text has each value that the fact is about. */
  readonly about: number;
  readonly isTrue: boolean;
}

/** Reads what is known in the part `node` of the node `around`. */
export type ReadFacts<Fact> = (
  around: number,
  node: number,
  tree: FlatSyntaxTree,
) => readonly Fact[];

/** How the conditions of a language are read. One object for each language. */
export interface ConditionReading<Fact> {
  /** Matches the types of functions and of what else ends a search: conditions outside are about other values. */
  readonly functions: RegExp;
  /** Matches those of them that may run later. Inside, the conditions outside hold for constants. */
  readonly later?: RegExp;
  /** By the type of a node: what is known in a part of it. */
  readonly facts: Readonly<Record<string, ReadFacts<Fact>>>;
  /** Returns the path to a value; see `pathTo`. */
  readonly pathOf: (value: number, tree: FlatSyntaxTree) => string;
  /** Returns what a fact says about the value at a path. */
  readonly conditionsIn: (
    fact: Fact,
    place: { readonly path: string; readonly tree: FlatSyntaxTree },
  ) => readonly TypeCondition[];
}

const NO_CONDITIONS: readonly TypeCondition[] = [];
/** What the type of a node says. A search passes up to twenty nodes, and most say nothing. */
const NOTHING = 0;
const HAS_FACTS = 1;
const IS_FUNCTION = 2;
const RUNS_LATER = 3;
/** By reading and by the type names of a grammar: one of these for each type. */
const KINDS = new WeakMap<object, WeakMap<readonly string[], Uint8Array>>();

/** Returns the conditions in the nodes around a value, the nearest first. */
export function conditionsAround<Fact extends KnownFact>(
  value: number,
  tree: FlatSyntaxTree,
  { until, isConstant }: ConditionScope,
  reading: ConditionReading<Fact>,
): readonly TypeCondition[] {
  const kinds = kindsOf(reading, tree);
  const found: TypeCondition[] = [];
  let isLater = false;
  let node = value;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const around = tree.parent(node);
    const kind = around === -1 ? IS_FUNCTION : (kinds[tree.types[around] ?? 0] ?? NOTHING);
    if (kind === IS_FUNCTION || (kind === RUNS_LATER && around === until)) break;
    isLater ||= kind === RUNS_LATER;
    if (kind === HAS_FACTS) {
      const conditions = conditionsFrom(around, node, { value, tree, reading });
      // To find out whether it is constant takes longer.
      if (isLater && conditions.length > 0 && !isConstant()) break;
      found.push(...conditions);
    }
    if (around === until || found.length >= MAX_CONDITIONS) break;
    node = around;
  }
  return found.slice(0, MAX_CONDITIONS);
}

interface ConditionSearch<Fact> {
  readonly value: number;
  readonly tree: FlatSyntaxTree;
  readonly reading: ConditionReading<Fact>;
}

/** Returns what is known of the value in the part `node` of the node `around`. */
function conditionsFrom<Fact extends KnownFact>(
  around: number,
  node: number,
  { value, tree, reading: { facts, pathOf, conditionsIn } }: ConditionSearch<Fact>,
): readonly TypeCondition[] {
  const known = facts[tree.typeName(around)]?.(around, node, tree) ?? [];
  if (known.length === 0) return NO_CONDITIONS;
  const path = pathOf(value, tree);
  if (path === "") return NO_CONDITIONS;
  // Most facts are about other values, whose names are in their text.
  const name = path.split(".", 1)[0] ?? "";
  return known.flatMap((fact) =>
    fact.about !== -1 && tree.textOf(fact.about).includes(name)
      ? conditionsIn(fact, { path, tree })
      : NO_CONDITIONS,
  );
}

function kindsOf<Fact>(
  reading: ConditionReading<Fact>,
  { shape: { typeNames } }: FlatSyntaxTree,
): Uint8Array {
  let ofReading = KINDS.get(reading);
  if (ofReading === undefined) KINDS.set(reading, (ofReading = new WeakMap()));
  const known = ofReading.get(typeNames);
  if (known !== undefined) return known;
  const { functions, later, facts } = reading;
  const kinds = Uint8Array.from(typeNames, (type) => {
    if (functions.test(type)) return later?.test(type) === true ? RUNS_LATER : IS_FUNCTION;
    return Object.hasOwn(facts, type) ? HAS_FACTS : NOTHING;
  });
  ofReading.set(typeNames, kinds);
  return kinds;
}

/** Statements before a value in its block that are read. */
const MAX_STATEMENTS = 40;

/** What the statements of a block say, each with its place among them. */
interface BlockFacts<Fact> {
  readonly statements: readonly number[];
  readonly facts: readonly { readonly at: number; readonly fact: Fact }[];
}

/** Returns a reader of what the statements before one in its block say, the nearest first. Each block is read once. */
export function factsBefore<Fact>(
  factIn: (statement: number, tree: FlatSyntaxTree) => Fact | undefined,
): ReadFacts<Fact> {
  const blocks = new WeakMap<FlatSyntaxTree, Map<number, BlockFacts<Fact>>>();
  return (block, node, tree) => {
    let ofTree = blocks.get(tree);
    if (ofTree === undefined) blocks.set(tree, (ofTree = new Map()));
    let known = ofTree.get(block);
    if (known === undefined) ofTree.set(block, (known = readBlock(block, tree, factIn)));
    const { statements, facts } = known;
    if (facts.length === 0) return facts.map(({ fact }) => fact);
    const own = statements.indexOf(node);
    return facts
      .filter(({ at }) => at < own && at >= own - MAX_STATEMENTS)
      .map(({ fact }) => fact)
      .toReversed();
  };
}

function readBlock<Fact>(
  block: number,
  tree: FlatSyntaxTree,
  factIn: (statement: number, tree: FlatSyntaxTree) => Fact | undefined,
): BlockFacts<Fact> {
  const statements = tree.children(block);
  const facts = statements.flatMap((statement, at) => {
    const fact = factIn(statement, tree);
    return fact === undefined ? [] : [{ at, fact }];
  });
  return { statements, facts };
}

/** What a node of a path is: the name that it begins with, a member of `object`, or the value of another node. */
export type PathPart =
  | { readonly start: number }
  | { readonly object: number; readonly member: number }
  | { readonly of: number };

/** Returns the path to a value, `shape.inner`; "" if it is too long, or if `partOf` knows nothing of a node. */
export function pathTo(
  value: number,
  tree: FlatSyntaxTree,
  partOf: (node: number) => PathPart | undefined,
): string {
  const members: string[] = [];
  let node = value;
  for (let left = MAX_PATH; left > 0 && node !== -1; left -= 1) {
    const part = partOf(node);
    if (part === undefined) return "";
    if ("start" in part) return [tree.textOf(part.start), ...members.toReversed()].join(".");
    if ("member" in part) members.push(tree.textOf(part.member));
    node = "member" in part ? part.object : part.of;
  }
  return "";
}

/** The text of a literal that is not a string begins with it. */
const NO_STRING = "=";
const PLAIN = /^[\w$:/-]{1,40}$/;

/** Returns the text of a string as a value in `TypeCondition`; undefined if it has characters that expressions use. */
export function stringText(content: string): string | undefined {
  return PLAIN.test(content) ? content : undefined;
}

/** Returns the text of another literal: of a number, `true`, `undefined`, or the constant `Kind.Open` of an enum. */
export function constantText(text: string): string | undefined {
  const plain = text.replace(".", ":");
  return PLAIN.test(plain) ? NO_STRING + plain : undefined;
}
