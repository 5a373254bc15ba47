// A definition that users of a project may name.

import { ownerName, type ScopedFile } from "../../graph/entity.ts";
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
  return kind !== "section" && kind !== "text" && kind !== "module" && /^[^[\]]+$/.test(name);
}

/** Yields the public members of a type in its file, with their names in it. */
export function* membersOf(
  file: ScopedFile,
  owner: string,
): Generator<readonly [string, ScopedFile["symbols"][number]]> {
  const prefix = `${owner}.`;
  for (const facts of file.symbols) {
    if (!facts.qualifiedName.startsWith(prefix) || facts.access !== "exported") continue;
    if (!isDefinition(facts) || !isWithinPublic(file, facts.qualifiedName, owner)) continue;
    yield [facts.qualifiedName.slice(prefix.length), facts];
  }
}

/** Whether all definitions between a member and the type are public types. */
function isWithinPublic(file: ScopedFile, name: string, owner: string): boolean {
  const all = (file.byQualifiedName.get(name) ?? []).flatMap((at) => file.symbols[at] ?? []);
  const [facts] = all;
  const outer = facts === undefined ? "" : ownerName({ facts });
  if (outer === owner) return true;
  if (outer === "" || !outer.startsWith(owner)) return false;
  const around = (file.byQualifiedName.get(outer) ?? []).flatMap((at) => file.symbols[at] ?? []);
  const isPublic = around.some(
    ({ access, kind }) => access === "exported" && kind !== "function" && kind !== "method",
  );
  return isPublic && isWithinPublic(file, outer, owner);
}
