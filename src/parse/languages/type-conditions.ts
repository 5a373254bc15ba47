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

/** Reads what is known in the part `node` of the node `around`. */
export type ReadFacts<Fact> = (
  around: number,
  node: number,
  tree: FlatSyntaxTree,
) => readonly Fact[];

/** How the conditions of a language are read. */
interface ConditionReading<Fact> extends ConditionScope {
  /**
   * Returns which conditions outside of a node say something about the value: none of them ("end"), those of a constant
   * ("later"), or all.
   */
  readonly boundaryAt: (node: number, type: string) => "end" | "later" | undefined;
  /** By the type of `around`. */
  readonly facts: Readonly<Record<string, ReadFacts<Fact>>>;
  /** Returns what a fact says about the value. */
  readonly conditionsIn: (fact: Fact) => readonly TypeCondition[];
}

/** Returns the conditions in the nodes around a value, the nearest first. */
export function conditionsAround<Fact>(
  value: number,
  tree: FlatSyntaxTree,
  { until, isConstant, boundaryAt, facts, conditionsIn }: ConditionReading<Fact>,
): readonly TypeCondition[] {
  const found: TypeCondition[] = [];
  let isLater = false;
  let node = value;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const around = tree.parent(node);
    const type = around === -1 ? "" : tree.typeName(around);
    const boundary = around === -1 ? "end" : boundaryAt(around, type);
    if (boundary === "end") break;
    isLater ||= boundary === "later";
    const read = Object.hasOwn(facts, type) ? facts[type] : undefined;
    const conditions = (read?.(around, node, tree) ?? []).flatMap(conditionsIn);
    // To find out whether it is constant takes longer.
    if (isLater && conditions.length > 0 && !isConstant()) break;
    found.push(...conditions);
    if (around === until || found.length >= MAX_CONDITIONS) break;
    node = around;
  }
  return found.slice(0, MAX_CONDITIONS);
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
