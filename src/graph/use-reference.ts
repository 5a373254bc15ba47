// Uses of a definition, as they are found.

import type { SymbolHit } from "../index/port.ts";
import type { Use, UseRole } from "../parse/references/references.ts";
import { symbolRef, type ScopedFile } from "./entity.ts";

/** "exact": resolved through imports, scopes and types. "name": only the names are equal. */
export type Certainty = "exact" | "name";

/** A place where a definition is used. */
export interface Reference {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly role: UseRole;
  readonly certainty: Certainty;
  /** The innermost enclosing definition; undefined at the top level of the file. */
  readonly owner: SymbolHit | undefined;
  /** How the definition's version differs from the one that is used, if it is in another project. */
  readonly version?: string;
}

/**
 * A use in a file. There are tens of thousands of a common name, of which twenty are shown: the definitions of a file are read
 * when somebody asks for the owner.
 */
export class UseReference implements Reference {
  readonly path: string;
  readonly line: number;
  readonly role: UseRole;
  readonly certainty: Certainty;
  readonly #file: ScopedFile;
  readonly #owner: number;

  constructor(file: ScopedFile, { line, role, owner }: Use, certainty: Certainty) {
    this.path = file.path;
    this.line = line;
    this.role = role;
    this.certainty = certainty;
    this.#file = file;
    this.#owner = owner;
  }

  get owner(): SymbolHit | undefined {
    const owner = symbolRef(this.#file, this.#owner);
    return owner && { ...owner.facts, path: this.path };
  }
}

/** Returns one reference per line and role, the exact one if there are both. Sorted by path and line. */
export function deduplicated(references: readonly Reference[]): readonly Reference[] {
  const found: Reference[] = [];
  for (const [, ofFile] of [...Map.groupBy(references, ({ path }) => path)].toSorted(byPath)) {
    const best = new Map<string, Reference>();
    for (const one of ofFile) {
      const key = `${one.line} ${one.role}`;
      if (best.get(key)?.certainty !== "exact") best.set(key, one);
    }
    for (const one of [...best.values()].toSorted(byLine)) found.push(one);
  }
  return found;
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function byLine(one: Reference, other: Reference): number {
  return one.line - other.line;
}
