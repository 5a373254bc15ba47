// Definitions of one name that are no overloads: types of C# with other numbers of type parameters, and methods of a class
// and of its objects in Ruby. See `DistinctionRules`.

import type { Use } from "../parse/references/references.ts";
import { isType, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";

/** Whose methods are meant: those of a class itself, or those of its objects. */
export type Side = "class" | "object";

const OF_CLASS = "self";

/** Returns the mark of a definition; "" if it has none. */
function markOf({ file, number }: SymbolRef): string {
  const isMarked = file.language === "csharp" || file.language === "ruby";
  return isMarked ? (file.signatures?.[number] ?? "") : "";
}

/** Returns whether two definitions of one name may be the same. */
export function isSameVariant(one: SymbolRef, other: SymbolRef): boolean {
  return markOf(one) === markOf(other);
}

/**
 * Of the types that a name of C# refers to, returns those with the number of type arguments of the use; all of them if none
 * has it. Other definitions are returned as they are.
 */
export function withTypeArguments(
  file: ScopedFile,
  { arguments: passed = "" }: Use,
  symbols: readonly SymbolRef[],
): readonly SymbolRef[] {
  if (file.language !== "csharp" || !symbols.some(isType)) return symbols;
  const all = symbols.flatMap((ref) => {
    const same = symbolsIn(ref.file, ref.facts.qualifiedName).filter(isType);
    return isType(ref) ? same : [ref];
  });
  const fitting = [...new Map(all.map((ref) => [`${ref.file.path}\0${ref.number}`, ref])).values()];
  const meant = fitting.filter((ref) => !isType(ref) || markOf(ref) === passed);
  return meant.length === 0 ? symbols : meant;
}

/** Returns the side whose methods a method calls without a receiver; undefined outside of methods, and in modules. */
export function sideIn(method: SymbolRef | undefined): Side | undefined {
  if (method?.file.language !== "ruby" || method.facts.kind !== "method") return undefined;
  return markOf(method) === OF_CLASS ? "class" : "object";
}

/** Of the members of a type of Ruby, returns those of a side. A module may be extended by itself or by a class. */
export function ofSide(
  type: SymbolRef,
  members: readonly SymbolRef[],
  side: Side | undefined,
): readonly SymbolRef[] {
  if (side === undefined || type.file.language !== "ruby" || type.facts.kind === "module") return members;
  return members.filter((ref) => {
    if (ref.facts.kind !== "method") return true;
    return (markOf(ref) === OF_CLASS) === (side === "class");
  });
}
