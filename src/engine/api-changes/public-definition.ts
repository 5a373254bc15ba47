// A definition that users of a project may name.

import type { ScopedFile } from "../../graph/entity.ts";
import type { SymbolFacts } from "../../index/types.ts";

export interface PublicDefinition {
  readonly path: string;
  readonly facts: SymbolFacts;
  readonly language: string;
}

/** Public names with their definitions: several for overloads, and for a type and a value of one name. */
export type PublicNames = Map<string, PublicDefinition[]>;

/** Adds a definition under a name. */
export type AddName = (name: string, file: ScopedFile, facts: SymbolFacts) => void;

export interface NamesOptions {
  /** Files whose content the other version has too: what depends on their text need not be read. */
  readonly isSame: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export function isDefinition({ kind, name }: SymbolFacts): boolean {
  return kind !== "section" && kind !== "text" && kind !== "module" && name !== "";
}
