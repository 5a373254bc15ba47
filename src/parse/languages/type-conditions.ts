// What conditions in code say of the type of a value. parse/references/narrowing-steps.ts makes steps of expressions of them.
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/**
 * What a condition says of the type of a variable: the node of its class, or of several classes of which it has one. In Kotlin
 * and Ruby, where a value has one type.
 */
export type NarrowedType = { readonly type: number } | { readonly types: readonly number[] };

/** What a condition says of a value. `isTrue`: false if it says the opposite. */
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
