// What the parts of the evaluation ask each other for. Nodes are numbers in the syntax tree of the file; -1 is not a node.
// Expressions have the format of `Use.receiver`.
import type { ExpectedValue, ValueRule } from "../languages/reference-rules.ts";
import type { FileScopes } from "./file-scopes.ts";
import type { LocalVariable, Origin } from "./scopes.ts";
import type { CollectionMembers } from "./steps.ts";

/**
 * What type parameters stand for: their bounds; nothing, because who calls the function may know more; or themselves, those of the
 * function of a node and of types around it.
 */
export type TypeParameterReading =
  | "bounds"
  | "nothing"
  | { readonly callable: number; readonly hasBounds: boolean };

/** Evaluates the expressions of one file. */
export interface ExpressionEvaluator {
  readonly file: FileScopes;
  readonly collectionMembers: CollectionMembers;
  /** What type parameters stand for. */
  readonly typeParameters: TypeParameterReading;
  /** Returns the local that a name refers to. `isType`: only types are allowed at this position. */
  localAt(leaf: number, isType?: boolean): LocalVariable | undefined;
  /** Returns the local that the name of a supertype refers to: members of the type itself are not visible there. */
  localInHead(leaf: number): LocalVariable | undefined;
  /** Returns whether a local is a type parameter, in languages in which only the node around its name shows that. */
  isTypeParameter(local: LocalVariable): boolean;
  /** Returns the receiver that the leaf's own rule gives it, if it is not a sibling; -1 if there is none. */
  objectOf(leaf: number): number;
  /** Returns the expression of a value; "?" if unknown. */
  valueOf(node: number): string;
  /** Returns the expression of the object of a member that is expected; "?" if nothing is. */
  objectExpectedAt(value: ExpectedValue | undefined): string;
  /** Returns the expression of what the conditions around a local say about its type; "?" if nothing. */
  narrowedOf(leaf: number): string;
  /** Returns the expression of an instance of a type; "" if unknown. */
  typeOf(node: number): string;
  /** Reads types with another meaning of type parameters, in languages with shapes. */
  withTypeParameters<T>(reading: TypeParameterReading, read: () => T): T;
  /** Returns the expression of the type that a value is expected to have; "?" if nothing is expected. */
  expectedOf(value: number): string;
  /** The same of a parameter of a function that is expected to have a type. */
  expectedParameterOf(callable: number, index: number): string;
  /** Returns the expression of an origin; "?" if unknown. */
  originOf(origin: Origin): string;
  /**
   * Returns the value after the first of some steps from a local whose type has no name, and the number of these steps;
   * undefined for other locals.
   */
  followOrigin(
    origin: Origin,
    steps: readonly string[],
  ): { readonly expression: string; readonly taken: number } | undefined;
  /** Returns the expression of a function's result; "" if unknown. */
  resultOf(node: number): string;
  /** Returns the function node of a value; -1 if it is not a function. */
  functionOf(node: number): number;
  valueRule(node: number): ValueRule | undefined;
  /** Returns whether the node is a leaf that is a name. */
  isName(node: number): boolean;
  /** Returns the expression of `self` at a node. */
  selfAt(node: number): string;
  /** Returns the expression of `super` at a node: an instance of the first supertype. */
  baseAt(node: number): string;
  /** Returns whether a node is `super`. In Ruby that is the result of a call. */
  isBase(node: number): boolean;
  /** Returns the expression of an instance of the type that a node defines. */
  instanceOf(node: number): string;
}
