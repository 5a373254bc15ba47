// Fields that keyword arguments of Python set: `Store(path="a")` of a data class.

import type { Use } from "../parse/references/references.ts";
import { isCallable, symbolsEntity, type Entity, type SymbolRef } from "./entity.ts";
import type { EvaluationPlace } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";
import { evaluateReceiverType } from "./receiver-type.ts";

/** With one of these, the keywords are parameters. */
const CONSTRUCTORS = ["__init__", "__new__"];

/** Returns the field that a keyword argument sets; undefined if the class, or one that it inherits from, has a constructor. */
export async function constructedField(
  names: NameResolver,
  place: EvaluationPlace,
  { receiver, name }: Pick<Use, "name" | "receiver">,
): Promise<Entity | undefined> {
  const { file, owner } = place;
  // `cls` is an object of the class; a function of such a name is not a class.
  const type = receiver.startsWith("#")
    ? await evaluateReceiverType(names, place, receiver)
    : await names.typeNamed(file, receiver, 0, owner);
  if (type === undefined || (await hasConstructor(names, type))) return undefined;
  const { found } = await names.types.members(type, name);
  return symbolsEntity(found.filter((ref) => !isCallable(ref)));
}

async function hasConstructor(names: NameResolver, type: SymbolRef): Promise<boolean> {
  const all = await Promise.all(CONSTRUCTORS.map((name) => names.types.members(type, name)));
  return all.some(({ found }) => found.length > 0);
}
