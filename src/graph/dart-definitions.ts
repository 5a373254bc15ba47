// What the index says of definitions and imports of Dart; see the rules of Dart.

import type { Import } from "../parse/references/references.ts";
import { isType, symbolsEntity, symbolsIn, type Entity, type SymbolRef } from "./entity.ts";

/** Before the name of a binding: the import hides that name. */
const HIDDEN = "-";
/** The mark of an extension. */
const EXTENSION = "extension";

/** Returns whether an import of Dart hides a name. */
export function isHidden({ bindings }: Pick<Import, "bindings">, name: string): boolean {
  return bindings.some((one) => one.name === HIDDEN + name);
}

/** Returns whether a definition is an extension of Dart. */
export function isDartExtension({ file, number }: SymbolRef): boolean {
  return file.language === "dart" && file.signatures?.[number] === EXTENSION;
}

/** Returns whether a type is a class of Dart: its type in the index is the type argument, not another name of it. */
export function isDartClass({ file, facts }: SymbolRef): boolean {
  return file.language === "dart" && facts.kind === "class";
}

/** Returns the type of what a definition returns when it is called, or of its value; "" if it is unknown. */
export function resultTypeOf(ref: SymbolRef): string {
  return isDartClass(ref) ? "" : (ref.file.types[ref.number] ?? "");
}

/** Returns the constructors of a type of Dart without a name of their own, which a call of its name calls; others as they are. */
export function withConstructors(entity: Entity): Entity {
  if (entity.kind !== "symbols") return entity;
  const [type] = entity.symbols;
  if (type?.file.language !== "dart" || !isType(type)) return entity;
  const { name, qualifiedName } = type.facts;
  return symbolsEntity(symbolsIn(type.file, `${qualifiedName}.${name}`)) ?? entity;
}
