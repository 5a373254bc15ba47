// What the rules of a language say of an import.
import type { Import } from "./references.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

export interface FoundBinding {
  /** See `Binding`. */
  readonly name: string;
  readonly local: string;
  /** Node of the name as the other module has it; -1 where the binding is no use of a name. */
  readonly node: number;
}

export interface FoundImport {
  /** The import begins on the line of this node. */
  readonly node: number;
  readonly module: string;
  readonly bindings: readonly FoundBinding[];
  readonly isWildcard?: boolean;
  readonly isReexport?: boolean;
  /** True when the file itself can use what it passes on: `pub use`. */
  readonly isBound?: true;
}

export interface ImportReader {
  readonly tree: FlatSyntaxTree;
  readonly add: (found: FoundImport) => void;
}

/** A name in an import, as a use of what the other module defines. */
export interface ImportedName {
  readonly name: string;
  readonly binding: number;
}

/** What bare uses of what is bound are called. */
export function nameOfBinding({ name, local }: Import["bindings"][number]): string {
  return (name === "default" || name === "*") && local !== "" ? local : name;
}
