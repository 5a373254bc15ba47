// The rules by which a language declares what distinguishes its overloads: parameters, arguments and the types of values.
// parse/references/signatures.ts applies them.
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** A parameter of a definition. */
export interface ParameterNode {
  /** The node of its type; -1 if it has none. */
  readonly type: number;
  /** Its type, if the language writes types in its own way. */
  readonly text?: string;
  /** Written after the type, as in `int a[]`. */
  readonly suffix?: string;
  /** It takes any number of arguments. */
  readonly isVariadic?: boolean;
  /** It has a default value. */
  readonly isOptional?: boolean;
}

/**
 * Returns the text of the type of a value without type arguments, see `FileReferences.signatures`; "?" if unknown.
 */
export type ValueTypeReader = (node: number) => string;

/** What distinguishes the overloads of a language. */
export interface OverloadRules {
  /** Returns the parameters of a definition; undefined if it is not called with arguments. */
  readonly parametersOf: (
    definition: number,
    tree: FlatSyntaxTree,
  ) => readonly ParameterNode[] | undefined;
  /** The field with the type of what a definition returns or holds. */
  readonly result: string;
  /** Results that are not values. */
  readonly noResult: string;
  /**
   * Returns the list of the arguments that are passed to a name; -1 if it is not called, "reference" if it is only
   * referred to: `Foo::bar`.
   */
  readonly argumentsOf: (leaf: number, tree: FlatSyntaxTree) => number | "reference";
  /** Receivers that no project defines: the arguments of their calls are not needed. */
  readonly outside?: RegExp;
  /** Names of calls that hardly any project defines: only the number of their arguments is needed. */
  readonly counted?: RegExp;
  /**
   * Returns the type of a local from the leaf that declares it, "" if its value shows the type. With it, only values in
   * `valueTypes` and locals have a type.
   */
  readonly ofLocal?: (leaf: number, tree: FlatSyntaxTree) => string;
  /** Returns the value of a child of a list of arguments; the child itself by default. */
  readonly argument?: string | number;
  /** By node type: returns the type of a value that its `ValueRule` does not give. */
  readonly valueTypes: Readonly<
    Record<string, (node: number, tree: FlatSyntaxTree, typeOf: ValueTypeReader) => string>
  >;
}

/** The type of `null`. */
export const NULL_TYPE = "!";
/** A function that a name refers to, as in `Foo::bar`. */
export const FUNCTION_REFERENCE = "^";

/**
 * Returns the type of a function literal: its number of parameters, and "r" if it must return a value or "v" if it
 * returns none.
 */
export function lambdaType(parameters: number, returns: "r" | "v" | ""): string {
  return `${FUNCTION_REFERENCE}${parameters}${returns}`;
}
