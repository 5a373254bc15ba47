// What only types of Scala have: companion objects, and parameters of case classes.

import { isType, type SymbolRef } from "./entity.ts";

/** The marks of definitions; see the rules of Scala. */
const OBJECT = "object";
const CASE_PARAMETER = "case";
const TYPE_MEMBER = "type";

/** Returns whether a definition is one of Scala. */
export function isOfScala({ file }: SymbolRef): boolean {
  return file.language === "scala";
}

/** Returns whether a definition is an object of Scala. */
export function isScalaObject({ file, number }: SymbolRef): boolean {
  return file.language === "scala" && file.signatures?.[number] === OBJECT;
}

/** Returns whether a definition is a type with instances, in any language: no object of Scala. */
export function isClass(ref: SymbolRef): boolean {
  return isType(ref) && !isScalaObject(ref);
}

/** Returns whether a definition is `type Name` of Scala. */
export function isTypeMember({ file, number }: SymbolRef): boolean {
  return file.language === "scala" && file.signatures?.[number] === TYPE_MEMBER;
}

/** Returns definitions of one name with the objects first, whose members a path names, or last. */
export function withObjects(
  symbols: readonly SymbolRef[],
  at: "first" | "last",
): readonly SymbolRef[] {
  if (symbols.length < 2 || !symbols.some(isScalaObject)) return symbols;
  const objects = symbols.filter(isScalaObject);
  const others = symbols.filter((one) => !isScalaObject(one));
  return at === "first" ? [...objects, ...others] : [...others, ...objects];
}

/** Returns the parameter of a case class at a place; undefined if there is none. */
export function caseParameter(type: SymbolRef, index: number): SymbolRef | undefined {
  return caseParameters(type)[index];
}

/** Returns the parameters of a case class in their order. */
export function caseParameters({ file, facts }: SymbolRef): readonly SymbolRef[] {
  return file.symbols.flatMap((one, number) =>
    file.signatures?.[number] === CASE_PARAMETER &&
    one.qualifiedName === `${facts.qualifiedName}.${one.name}`
      ? [{ file, number, facts: one }]
      : [],
  );
}
