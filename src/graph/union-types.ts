// Objects that may have several types, as `Store | Session` of TypeScript and Python declares.

import { OUTSIDE, symbolsEntity, type Entity, type SymbolRef } from "./entity.ts";
import { nameRules } from "./name-rules.ts";
import { Values } from "./passed-values.ts";

/** With more types, an object is unknown. */
const MAX_TYPES = 24;

/** Returns an object of each type that an object may have; undefined if it has one type, or if its variants are not a union. */
export function typesOfUnion(entity: Entity): readonly Entity[] | undefined {
  if (entity.kind !== "instance" || entity.layers > 0) return undefined;
  const { type, variants = [] } = entity;
  if (variants.length === 0 || nameRules(type.file.language).hasUnionTypes !== true)
    return undefined;
  return [type, ...variants].map((one) => ({ kind: "instance", type: one, layers: 0 }));
}

/** Returns a value that is one of some, of which at least one is given; those that are unknown are left out. */
export function valueAmong(values: readonly (Entity | undefined)[]): Entity | undefined {
  if (values.every((value) => value?.kind === "outside")) return OUTSIDE;
  const found = new Values();
  for (const value of values) found.add(value);
  return found.entity(MAX_TYPES);
}

/**
 * Returns the definitions of a member, of what it is in each type that an object may have. If some of them do not have it, a
 * condition says what the type is: then it is known only if the others have the same definition.
 */
export function memberOfAll(members: readonly (Entity | undefined)[]): Entity | undefined {
  if (members.every((member) => member?.kind === "outside")) return OUTSIDE;
  const found = members.flatMap((member) => (member?.kind === "symbols" ? [member.symbols] : []));
  const all = distinct(found.flat());
  const isCommon = found.length === members.length || all.length === found[0]?.length;
  return isCommon ? symbolsEntity(all) : undefined;
}

function distinct(symbols: readonly SymbolRef[]): readonly SymbolRef[] {
  return symbols.filter(
    ({ file, number }, at) =>
      symbols.findIndex((one) => one.file === file && one.number === number) === at,
  );
}
