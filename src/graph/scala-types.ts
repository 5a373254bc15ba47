// What only types of Scala have: companion objects, parameters of case classes, and members of a self type.

import { isDartExtension } from "./dart-definitions.ts";
import { isType, ownerName, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";

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

/** Returns the definition around a symbol: of a class and its object, the one that contains it. */
export function definitionAround(file: ScopedFile, inner: SymbolRef): SymbolRef | undefined {
  const all = symbolsIn(file, ownerName(inner));
  const hasSeveral = file.language === "scala" || file.language === "swift";
  if (!hasSeveral || all.length < 2) return all[0];
  const { startLine, endLine } = inner.facts;
  return (
    all.find(
      ({ facts }) =>
        isType({ facts, file, number: 0 }) &&
        facts.startLine <= startLine &&
        endLine <= facts.endLine,
    ) ?? all[0]
  );
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

/** Returns the names of the self types of a type: `self: A with B =>`. An extension of Dart has the type that it is on. */
export function selfTypesOf(type: SymbolRef): readonly string[] {
  const { file, number, facts } = type;
  const isScala = file.language === "scala" && /^(?:class|type)$/.test(facts.kind);
  if (!isScala && !isDartExtension(type)) return [];
  const self = file.types[number] ?? "";
  return [...self.matchAll(/@([\w$.]+)/g)].map(([, name = ""]) => name);
}
