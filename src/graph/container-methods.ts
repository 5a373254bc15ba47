// The types that methods of containers return.

import { OUTSIDE, type Entity, type SymbolRef } from "./entity.ts";
import { nameRules } from "./name-rules.ts";

/** Methods of containers that return one element. */
const ELEMENT_METHODS = new Set(
  "send asend get at find findLast pop shift first last next peek poll getFirst getLast remove elementAt single firstOrNull lastOrNull orElse orElseThrow orElseGet unwrap expect unwrap_or_default as_ref as_mut clone iter_next get_mut pop_front pop_back front back first_mut last_mut nth min max next_back swap_remove".split(
    " ",
  ),
);
/**
 * Methods that return an element of a collection. `transparentMembers` contains them too, because wrappers of
 * one value have them.
 */
const COLLECTION_ELEMENT_METHODS = new Set(["get_mut", "remove", "pop"]);
/** Methods that return a container of the same elements. */
const COLLECTION_METHODS = new Set(
  "filter slice sort toSorted reverse toReversed values concat iter iter_mut into_iter stream sorted reversed distinct limit skip take drop toList collect copy items elements splice with cloned copied rev enumerate chain peekable by_ref values_mut into_values drain step_by take_while skip_while inspect to_vec as_slice as_mut_slice fuse cycle".split(
    " ",
  ),
);

/** Returns the entity that a method of a container returns. A call step after it does not change it. */
export function collectionMethodResult(
  entity: Extract<Entity, { kind: "instance" }>,
  method: string,
): Entity {
  if (isTransparentMember(entity.type, method) && !COLLECTION_ELEMENT_METHODS.has(method))
    return entity;
  if (ELEMENT_METHODS.has(method)) return { ...entity, layers: entity.layers - 1 };
  return COLLECTION_METHODS.has(method) ? entity : OUTSIDE;
}

/** Returns whether the method returns its receiver's value, as `unwrap` does. */
export function isTransparentMember({ file }: SymbolRef, method: string): boolean {
  const { transparentMembers, selfMembers } = nameRules(file.language);
  return transparentMembers?.has(method) === true || selfMembers?.has(method) === true;
}
