// The result of the import rules of a language.
import type { Import } from "./references.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** A name that an import binds. */
export interface FoundBinding {
  /** See `Binding`. */
  readonly name: string;
  readonly local: string;
  /** The leaf with the imported name; -1 if it is not a use of a name. */
  readonly node: number;
}

/** An import as the rules of a language find it. See `Import` for the other members. */
export interface FoundImport {
  /** The import is on the line of this node. */
  readonly node: number;
  readonly module: string;
  readonly bindings: readonly FoundBinding[];
  readonly isWildcard?: boolean;
  readonly isReexport?: boolean;
  /** True if the file itself can use the names that it re-exports: `pub use`. */
  readonly isBound?: true;
  /** The leaf of a name. If it is that of a variable, members of its value become visible in the scope, and nothing is imported. */
  readonly from?: number;
  /** True if the value of the node is what the first binding names: `require("y")`. */
  readonly isValue?: true;
}

/** What an import rule works with: the tree, and a function that adds an import. */
export interface ImportReader {
  readonly tree: FlatSyntaxTree;
  readonly add: (found: FoundImport) => void;
}

/** A name in an import, as a use of a definition of the other module. `binding`: the number of the import. */
export interface ImportedName {
  readonly name: string;
  readonly binding: number;
}

/** Returns the name that bare uses of a binding have. */
export function nameOfBinding({ name, local }: Import["bindings"][number]): string {
  return (name === "default" || name === "*") && local !== "" ? local : name;
}
