// Compares the parameters of definitions of one name.

import { isOfCpp } from "./cpp-namespaces.ts";
import { isSameVariant } from "./distinctions.ts";
import { isSameSymbol, symbolsIn, type SymbolRef } from "./entity.ts";
import { parameterTexts, typeTextOf } from "./signature.ts";
import { isSwift, swiftLabels } from "./swift-types.ts";

/** Returns whether two symbols are the same definition, with overloads apart if their parameters are known. */
export function isSameOverload(one: SymbolRef, other: SymbolRef): boolean {
  if (!isSameSymbol(one, other) || !isSameVariant(one, other)) return false;
  if (isSwift(one.file)) return swiftLabels(one) === swiftLabels(other);
  if (one.number === other.number || !hasParameters(one) || !hasParameters(other)) return true;
  // A file of C++ may declare a function and define it.
  return isOfCpp(one.file) && haveSameParameters(one, other);
}

function hasParameters({ file, number }: SymbolRef): boolean {
  return parameterTexts(file.signatures?.[number]) !== undefined;
}

/** Returns whether a method with the parameters of one can override the other; true if parameters are not known. */
export function haveSameParameters(one: SymbolRef, other: SymbolRef): boolean {
  if (!isSameVariant(one, other)) return false;
  if (isSwift(one.file)) return swiftLabels(one) === swiftLabels(other);
  const ofOne = parameterTexts(one.file.signatures?.[one.number]);
  const ofOther = parameterTexts(other.file.signatures?.[other.number]);
  if (ofOne === undefined || ofOther === undefined) return true;
  if (ofOne.length !== ofOther.length) return false;
  const isSame = ofOne.every((text, at) =>
    isSameType(typeTextOf(text), typeTextOf(ofOther[at] ?? "")),
  );
  // In C++, a type has other names elsewhere.
  return isSame || (isOfCpp(one.file) && isOnlyOne(one) && isOnlyOne(other));
}

/** Returns whether all functions of its name in the file with as many parameters have the same. */
function isOnlyOne({ file, number, facts }: SymbolRef): boolean {
  const plain = (one: number): string => (file.signatures?.[one] ?? "").replaceAll("=", "");
  const count = parameterTexts(plain(number))?.length;
  return symbolsIn(file, facts.qualifiedName).every(
    (one) =>
      plain(one.number) === plain(number) || parameterTexts(plain(one.number))?.length !== count,
  );
}

/** A type parameter may be any type. */
function isSameType(one: string, other: string): boolean {
  if (one.startsWith("?") || other.startsWith("?")) return true;
  return one.slice(one.lastIndexOf(".") + 1) === other.slice(other.lastIndexOf(".") + 1);
}
