// What the methods of containers give.

import { OUTSIDE, type Entity, type SymbolRef } from "./entity.ts";
import { nameRules } from "./languages.ts";

/** Methods of containers that give one of what they hold … */
const GIVES_ONE = new Set(
  "get at find findLast pop shift first last next peek poll getFirst getLast remove elementAt single firstOrNull lastOrNull orElse orElseThrow orElseGet unwrap expect unwrap_or_default as_ref as_mut clone iter_next get_mut pop_front pop_back front back first_mut last_mut nth min max next_back swap_remove".split(
    " ",
  ),
);
/** Those that give the value itself of what holds one alone. */
const GIVES_ONE_OF_MANY = new Set(["get_mut", "remove", "pop"]);
/** … and those that give such a container again. */
const GIVES_MANY = new Set(
  "filter slice sort toSorted reverse toReversed values concat iter iter_mut into_iter stream sorted reversed distinct limit skip take drop toList collect copy items elements splice with cloned copied rev enumerate chain peekable by_ref values_mut into_values drain step_by take_while skip_while inspect to_vec as_slice as_mut_slice fuse cycle".split(
    " ",
  ),
);

/** What a method of a container gives; called, that changes nothing any more. */
export function fromMany(entity: Extract<Entity, { kind: "instance" }>, method: string): Entity {
  if (isLookedThrough(entity.type, method) && !GIVES_ONE_OF_MANY.has(method)) return entity;
  if (GIVES_ONE.has(method)) return { ...entity, layers: entity.layers - 1 };
  return GIVES_MANY.has(method) ? entity : OUTSIDE;
}

/** Whether the method gives what it is called on, as `unwrap` does. */
export function isLookedThrough({ file }: SymbolRef, method: string): boolean {
  return nameRules(file.language).looksThrough?.has(method) === true;
}
