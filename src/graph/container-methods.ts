// What the methods of containers give.

import { OUTSIDE, type Entity, type SymbolRef } from "./entity.ts";
import { nameRules } from "./name-rules.ts";

/** Methods of containers that give one of what they hold … */
const ELEMENT_METHODS = new Set(
  "get at find findLast pop shift first last next peek poll getFirst getLast remove elementAt single firstOrNull lastOrNull orElse orElseThrow orElseGet unwrap expect unwrap_or_default as_ref as_mut clone iter_next get_mut pop_front pop_back front back first_mut last_mut nth min max next_back swap_remove".split(
    " ",
  ),
);
/** Those that give the value itself of what holds one alone. */
const COLLECTION_ELEMENT_METHODS = new Set(["get_mut", "remove", "pop"]);
/** … and those that give such a container again. */
const COLLECTION_METHODS = new Set(
  "filter slice sort toSorted reverse toReversed values concat iter iter_mut into_iter stream sorted reversed distinct limit skip take drop toList collect copy items elements splice with cloned copied rev enumerate chain peekable by_ref values_mut into_values drain step_by take_while skip_while inspect to_vec as_slice as_mut_slice fuse cycle".split(
    " ",
  ),
);

/** What a method of a container gives; called, that changes nothing any more. */
export function collectionMethodResult(
  entity: Extract<Entity, { kind: "instance" }>,
  method: string,
): Entity {
  if (isTransparentMember(entity.type, method) && !COLLECTION_ELEMENT_METHODS.has(method))
    return entity;
  if (ELEMENT_METHODS.has(method)) return { ...entity, layers: entity.layers - 1 };
  return COLLECTION_METHODS.has(method) ? entity : OUTSIDE;
}

/** Whether the method gives what it is called on, as `unwrap` does. */
export function isTransparentMember({ file }: SymbolRef, method: string): boolean {
  return nameRules(file.language).transparentMembers?.has(method) === true;
}
