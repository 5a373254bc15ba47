// Definitions of one name that are not overloads: types of C# with other numbers of type parameters, and methods of a class
// and of its objects in Ruby. See `DistinctionRules`.

import type { Use } from "../parse/references/references.ts";
import { isType, ownerName, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";
import { withObjects } from "./scala-types.ts";

/** Whose methods are meant: those of a class itself, or those of its objects. */
export type Side = "class" | "object";

const OF_CLASS = "self";

/** Returns the mark of a definition, in C# also of the type around it; "" if it has none. */
function markOf(ref: SymbolRef): string {
  const { file, number } = ref;
  if (file.signatures === undefined) return "";
  if (file.language === "ruby") return file.signatures[number] ?? "";
  if (file.language !== "csharp") return "";
  return isType(ref) ? (file.signatures[number] ?? "") : typesAround(ref).map(markOf).join(".");
}

function typesAround(member: SymbolRef): readonly SymbolRef[] {
  const owner = ownerName(member);
  const types = owner === "" ? [] : symbolsIn(member.file, owner).filter(isType);
  return types.filter((type) => isWithin(member, type));
}

function isWithin({ facts }: SymbolRef, { facts: { startLine, endLine } }: SymbolRef): boolean {
  return startLine <= facts.startLine && facts.endLine <= endLine;
}

/** Returns the first type among definitions of one name, and one of each other number of type parameters in C#. */
export function variantsAmong(symbols: readonly SymbolRef[]): readonly SymbolRef[] {
  const types = withObjects(symbols.filter(isType), "last");
  const [first] = types;
  if (first?.file.language !== "csharp") return types.slice(0, 1);
  return [...new Map(types.toReversed().map((type) => [markOf(type), type])).values()].toReversed();
}

/** Of the definitions with the name of a member in the file of a type, returns those in that type of C#. */
export function membersWithin(
  type: SymbolRef,
  members: readonly SymbolRef[],
): readonly SymbolRef[] {
  const { language } = type.file;
  // A class of Scala and its object have one name.
  if (language === "scala") {
    return members.filter((member) => member.file !== type.file || isWithin(member, type));
  }
  if (language !== "csharp" || members.length < 2) return members;
  return members.filter((member) => isWithin(member, type));
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

/** Returns whether a definition is `name` and `name=` of Ruby. */
export function isSetterToo(ref: SymbolRef): boolean {
  return ref.file.language === "ruby" && markOf(ref) === "=";
}

/** Returns whether a definition of Ruby may be `attr_reader :name`: a method in one line. */
export function isAccessor({ file, facts: { kind, startLine, endLine } }: SymbolRef): boolean {
  return (
    file.language === "ruby" && startLine === endLine && (kind === "field" || kind === "method")
  );
}

/** Returns the side whose methods a method calls without a receiver; undefined outside of methods, and in modules. */
export function sideIn(method: SymbolRef | undefined): Side | undefined {
  if (method?.file.language !== "ruby" || method.facts.kind !== "method") return undefined;
  return markOf(method) === OF_CLASS ? "class" : "object";
}

/** Returns the methods that a name means in a method: of two of one name in a file of Ruby, that of its own side. */
export function ofOwnSide(own: SymbolRef, user: SymbolRef | undefined): readonly SymbolRef[] {
  const side = sideIn(user);
  if (side === undefined || own.facts.kind !== "method") return [own];
  const same = symbolsIn(own.file, own.facts.qualifiedName);
  const found = same.filter((ref) => (markOf(ref) === OF_CLASS) === (side === "class"));
  return same.length > 1 && found.length > 0 ? found : [own];
}

/** Of the members of a type of Ruby, returns those of a side. A module may be extended by itself or by a class. */
export function ofSide(
  type: SymbolRef,
  members: readonly SymbolRef[],
  side: Side | undefined,
): readonly SymbolRef[] {
  if (side === undefined || type.file.language !== "ruby" || type.facts.kind === "module")
    return members;
  return members.filter((ref) => {
    if (ref.facts.kind !== "method") return true;
    return (markOf(ref) === OF_CLASS) === (side === "class");
  });
}
