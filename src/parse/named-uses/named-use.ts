// A name that a file without a grammar uses.

import type { UseRole } from "../references/references.ts";

export interface NamedUse {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  readonly role: UseRole;
  /** True if only a definition of the same file can be meant. */
  readonly isOwn?: true;
}
