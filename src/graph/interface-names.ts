// Definitions in interface descriptions (Protocol Buffers, Thrift, GraphQL) are used in other languages, often through
// generated code and in that language's naming style. Such uses are known only by name.

import { FileFlag } from "../index/types.ts";
import type { Use } from "../parse/references/references.ts";
import type { ScopedFile, SymbolRef } from "./entity.ts";
import type { UseResolution } from "./use-resolution.ts";

const INTERFACE_LANGUAGES = new Set(["protobuf", "thrift", "graphql"]);

/** Returns whether a definition is of an interface description and has uses in other languages: not for fields. */
export function isInterface({ file, facts: { kind } }: SymbolRef): boolean {
  const isNamed = kind === "method" || kind === "class" || kind === "type" || kind === "function";
  return isNamed && INTERFACE_LANGUAGES.has(file.language);
}

/** Returns the forms of a name in other languages: `GetUser` is also `getUser` and `get_user`. */
export function writtenNamesOf(name: string): readonly string[] {
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  const upper = name.charAt(0).toUpperCase() + name.slice(1);
  const snake = lower.replaceAll(/(?<=[a-z\d])[A-Z]/g, "_$&").toLowerCase();
  return [...new Set([name, lower, upper, snake])];
}

/**
 * Returns whether a use may mean a definition of an interface: a call for a method; and no definition of the project is
 * meant, unless it was generated.
 */
export function mayCallInterface(
  { facts: { kind } }: SymbolRef,
  { role }: Use,
  resolution: UseResolution,
): boolean {
  const isMethod = kind === "method" || kind === "function";
  if (isMethod && role !== "call") return false;
  if (resolution.kind === "exact") {
    return resolution.symbols.every(({ file }) => isGenerated(file));
  }
  return resolution.kind !== "module";
}

/** Returns whether a program wrote the file, such as the client of an interface. */
export function isGenerated({ flags }: Pick<ScopedFile, "flags">): boolean {
  return (flags & FileFlag.generated) !== 0;
}
