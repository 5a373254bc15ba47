// What the parts of the arrangement of a tree of Dart need from each other: see arrange.ts.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { TreeWriter } from "../../flat-tree/tree-writer.ts";

/** Node types that the grammar does not have. */
export const ADDED = [
  "generic_type",
  "type_path",
  "access",
  "call",
  "element",
  "instantiation",
  "cascade",
  "function",
  "constructor",
  "pattern_field",
  "handler",
] as const;
type AddedType = (typeof ADDED)[number];

/** Those of the grammar that are put around other nodes. */
type UsedType =
  | "arguments"
  | "declaration"
  | "interfaces"
  | "named_argument"
  | "type_arguments"
  | "type_identifier"
  | "variable_pattern";

/** Writes one tree again. */
export interface Arranging {
  readonly tree: FlatSyntaxTree;
  readonly out: TreeWriter;
  readonly typeId: (name: AddedType | UsedType) => number;
  readonly fieldId: (name: string) => number;
  /** Returns the field of a node in the original tree. */
  readonly fieldOf: (node: number) => number;
  /** Writes a node and what is in it. */
  readonly node: (node: number, field: number) => void;
  /** The same without its own way of writing. */
  readonly plain: (node: number, field: number) => void;
  /** Writes siblings. `around`: the type of the node that they are in. */
  readonly group: (siblings: readonly number[], around: string) => void;
  /** Writes the type that begins with a sibling: `a.Name<B>?`. Returns the number of its nodes. */
  readonly type: (siblings: readonly number[], at: number, field: number) => number;
}
