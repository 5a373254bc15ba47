// Evaluates elements of collections.

import { isOfRuby, isType, symbolsEntity, type Entity, type SymbolRef } from "./entity.ts";
import { isFileOfZig } from "./evaluate-zig.ts";
import { nameRules } from "./name-rules.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { PassedValues } from "./passed-values.ts";
import { MAX_STEPS } from "./resolution-context.ts";

type Found = Promise<Entity | undefined>;
type Instance = Extract<Entity, { kind: "instance" }>;

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly resultOf: (names: NameResolver, called: Entity, count: number, steps: number) => Found;
  readonly valueOf: (names: NameResolver, symbols: readonly SymbolRef[], steps: number) => Found;
  readonly underlying: (names: NameResolver, entity: Entity, steps: number) => Found;
  readonly passed: PassedValues;
}

/** Evaluates elements. Unknown values are undefined. */
export class ElementEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns an element of a container. */
  async of(names: NameResolver, entity: Entity, steps: number): Found {
    if (entity.kind === "instance") return this.#ofObject(names, entity, steps);
    if (isFileOfZig(entity)) return entity;
    if (entity.kind !== "symbols") return undefined;
    if (entity.symbols.every((ref) => isType(ref) && isOfRuby(ref))) {
      // `List["a", "b"]` calls a method of the class.
      const called = await names.within(entity, "[]", steps);
      return called?.kind === "symbols"
        ? this.#evaluation.resultOf(names, called, 1, steps + 1)
        : undefined;
    }
    const value = await this.#evaluation.valueOf(names, entity.symbols, steps);
    // The elements of a field may be described as members of the field itself.
    if (value === undefined) return entity;
    return steps < MAX_STEPS ? this.of(names, value, steps + 1) : undefined;
  }

  /** Returns what `each` of an object passes to its block: the elements of a collection that a project defines. */
  async yieldedBy(names: NameResolver, { type }: Instance, steps: number): Found {
    if (!isOfRuby(type) || steps > MAX_STEPS) return undefined;
    const [each] = (await names.types.members(type, "each", steps + 1, "object")).found;
    return each && this.#evaluation.passed.of(names, each, "&0");
  }

  async #ofObject(names: NameResolver, entity: Instance, steps: number): Found {
    if (entity.layers > 0) return { ...entity, layers: entity.layers - 1 };
    const other = await this.#evaluation.underlying(names, entity, steps);
    if (other !== undefined) return this.of(names, other, steps + 1);
    const { transparentMembers, elementOperator } = nameRules(entity.type.file.language);
    if (elementOperator !== undefined) {
      const side = isOfRuby(entity.type) ? "object" : undefined;
      const indexed = await names.types.members(entity.type, elementOperator, steps + 1, side);
      const method = symbolsEntity(indexed.found);
      const found = method && (await this.#evaluation.resultOf(names, method, 1, steps + 1));
      if (found !== undefined || (method !== undefined && side === undefined)) return found;
      // Pointers and arrays of C have the type of what they point to.
      return elementOperator === "[]" ? this.yieldedBy(names, entity, steps) : entity;
    }
    // Iterating over a wrapper of one value, such as an Option, yields that value.
    return transparentMembers === undefined ? undefined : entity;
  }
}
