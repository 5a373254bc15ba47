// The types that methods of containers return.

import { FUNCTION_ARGUMENT } from "../base/receiver-marks.ts";
import { OUTSIDE, type Entity, type SymbolRef } from "./entity.ts";
import type { Step } from "./expression.ts";
import { nameRules } from "./name-rules.ts";

/** Methods of containers that return one element, an iterator of C++, or the value of a reference of React. */
const ELEMENT_METHODS = new Set(
  "begin send asend current get at find findLast pop shift first last next peek poll getFirst getLast remove elementAt single firstOrNull lastOrNull orElse orElseThrow orElseGet unwrap expect unwrap_or_default as_ref as_mut clone iter_next get_mut pop_front pop_back front back first_mut last_mut nth min max next_back swap_remove".split(
    " ",
  ),
);
/**
 * Methods that return an element of a collection. `transparentMembers` contains them too, because wrappers of
 * one value have them.
 */
const COLLECTION_ELEMENT_METHODS = new Set(["get_mut", "remove", "pop"]);
/** Methods that strings and other values of the standard library do not have, or rarely. */
const FROM_UNKNOWN = new Set(
  "first last pop shift find detect sample min_by max_by select reject sort_by map flat_map collect".split(
    " ",
  ),
);
/** What the members of collections return in a language. Others return what is unknown, such as the result of a block. */
interface CollectionMembers {
  readonly element: ReadonlySet<string>;
  readonly sameElements: ReadonlySet<string>;
  /** No object of the project. */
  readonly plain: ReadonlySet<string>;
}

/** Languages in which members of collections return something else than members of the same name in other languages. */
const OWN_COLLECTIONS = {
  ruby: {
    element: wordsOf(
      "[] at dig fetch find detect first last sample pop shift delete delete_at min max min_by max_by sum inject reduce",
    ),
    sameElements: wordsOf(
      "each select filter reject sort sort_by reverse rotate shuffle uniq compact flatten take take_while drop drop_while values to_a to_set entries lazy dup clone freeze concat each_entry reverse_each",
    ),
    plain: wordsOf(
      "size length count empty? any? all? none? one? include? member? key? has_key? join inspect hash index keys",
    ),
  },
  swift: {
    element: wordsOf(
      "first last randomElement popLast popFirst removeFirst removeLast remove max min next",
    ),
    sameElements: wordsOf(
      "filter sorted reversed shuffled dropFirst dropLast prefix suffix drop lazy union intersection subtracting values makeIterator",
    ),
    plain: wordsOf(
      "count isEmpty contains firstIndex lastIndex indices startIndex endIndex append insert removeAll joined keys allSatisfy",
    ),
  },
  zig: {
    element: wordsOf(
      "get getPtr getOrPut getOrPutValue getOrPutAssumeCapacity fetchPut fetchRemove pop popOrNull getLast getLastOrNull orderedRemove swapRemove remove removeOrNull addOne addOneAssumeCapacity next first at peek append appendAssumeCapacity prepend insert insertAssumeCapacity put putNoClobber putAssumeCapacity putAssumeCapacityNoClobber set push",
    ),
    sameElements: wordsOf(
      "items entries init initCapacity initFull empty clone iterator valueIterator values slice constSlice toOwnedSlice toOwnedSliceSentinel unmanaged",
    ),
    plain: wordsOf(
      "len ptr capacity appendSlice deinit ensureTotalCapacity ensureUnusedCapacity contains count keys resize clearRetainingCapacity clearAndFree shrinkAndFree shrinkRetainingCapacity writer",
    ),
  },
} satisfies Readonly<Record<string, CollectionMembers>>;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Methods that return a container of the same elements. */
const COLLECTION_METHODS = new Set(
  "filter slice sort toSorted reverse toReversed values concat iter iter_mut into_iter stream sorted reversed distinct limit skip take drop toList collect copy items elements splice with cloned copied rev enumerate chain peekable by_ref values_mut into_values drain step_by take_while skip_while inspect to_vec as_slice as_mut_slice fuse cycle".split(
    " ",
  ),
);

/** Methods that return a collection of what a function returns. */
const MAPPING_METHODS = new Set(["map", "flatMap"]);

/** Returns the expression of the elements of what such a method of a collection returns; undefined for other steps. */
export function mappingResult(
  entity: Entity,
  step: Step,
  [passed = ""]: readonly string[],
): string | undefined {
  const isCollection = entity.kind === "instance" && entity.layers > 0;
  const isMapping =
    isCollection && step.kind === "member" && MAPPING_METHODS.has(step.name) && passed !== "";
  return isMapping && passed.startsWith(FUNCTION_ARGUMENT)
    ? passed.slice(FUNCTION_ARGUMENT.length)
    : undefined;
}

/** Returns what such a method returns. `result`: what the function returns for an element. */
export function mappedBy(step: Step, result: Entity | undefined): Entity | undefined {
  if (result?.kind !== "instance") return undefined;
  const isFlat = step.kind === "member" && step.name === "flatMap" && result.layers > 0;
  return isFlat ? result : { ...result, layers: result.layers + 1 };
}

/** Returns the entity that a method of a container returns. A call step after it does not change it. */
export function collectionMethodResult(
  entity: Extract<Entity, { kind: "instance" }>,
  method: string,
): Entity | undefined {
  const { language } = entity.type.file;
  if (language === "ruby" || language === "swift" || language === "zig") {
    const own = OWN_COLLECTIONS[language];
    if (own.element.has(method)) return { ...entity, layers: entity.layers - 1 };
    if (own.sameElements.has(method)) return entity;
    return own.plain.has(method) ? OUTSIDE : undefined;
  }
  if (isTransparentMember(entity.type, method) && !COLLECTION_ELEMENT_METHODS.has(method))
    return entity;
  if (ELEMENT_METHODS.has(method)) return { ...entity, layers: entity.layers - 1 };
  return COLLECTION_METHODS.has(method) ? entity : OUTSIDE;
}

/** Returns what a hash of Ruby passes to the second parameter of a block: a value. The keys are unknown. */
export function valueInPair(
  entity: Extract<Entity, { kind: "instance" }>,
  key: string,
): Entity | undefined {
  return key === "&1" ? { ...entity, layers: entity.layers - 1 } : undefined;
}

/** Returns whether a method of Ruby's collections is one that Enumerable gives to every class with `each`. */
export function isOfEnumerable(method: string): boolean {
  const { element, sameElements } = OWN_COLLECTIONS.ruby;
  return method !== "each" && (element.has(method) || sameElements.has(method));
}

/** Returns whether a step from outside of the project may lead back: to what a library passes, or to an element of a collection. */
export function mayLeadBack(step: Step, language: string): boolean {
  if (step.kind === "parameter") return true;
  if (language !== "ruby") return false;
  return step.kind === "element" || (step.kind === "member" && FROM_UNKNOWN.has(step.name));
}

/** Returns whether the method returns its receiver's value, as `unwrap` does. */
export function isTransparentMember({ file }: SymbolRef, method: string): boolean {
  const { transparentMembers, selfMembers } = nameRules(file.language);
  return transparentMembers?.has(method) === true || selfMembers?.has(method) === true;
}
