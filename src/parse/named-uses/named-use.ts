// A name that a file without a grammar uses.

import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import type { UseRole } from "../references/references.ts";

export interface NamedUse {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  readonly role: UseRole;
  /** True if only a definition of the same file can be meant. */
  readonly isOwn?: true;
  /** True if no member of a type can be meant. */
  readonly isOuter?: true;
  /**
   * What the name is a member of, as in `Use.receiver`; "" for a bare name. Undefined in languages of which no rules are known: the
   * name is then one by name unless the file defines it.
   */
  readonly receiver?: string;
}

/** The definitions of a file, and which of them is around a line. */
export interface DefinitionsOfFile {
  readonly symbols: readonly SymbolDefinition[];
  /** Returns the number of the innermost definition around a line; -1 if there is none. */
  readonly ownerAt: (line: number) => number;
  /** Returns the same for types. */
  readonly typeAt: (line: number) => number;
}
