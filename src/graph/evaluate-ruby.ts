// Evaluates what only expressions of Ruby have: instance variables, and methods of Enumerable.

import { collectionMethodResult, isOfEnumerable, valueInPair } from "./container-methods.ts";
import { isOfRuby, isType, type Entity, type SymbolRef } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";

type Found = Promise<Entity | undefined>;

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly valueOf: (names: NameResolver, symbols: readonly SymbolRef[], steps: number) => Found;
  readonly passedTo: (names: NameResolver, own: SymbolRef, key: string) => Found;
  /** Returns what is assigned to an instance variable. */
  readonly assigned: (names: NameResolver, holder: SymbolRef, name: string) => Found;
  /** Returns what `each` of an object passes to its block. */
  readonly yieldedBy: (
    names: NameResolver,
    object: Extract<Entity, { kind: "instance" }>,
    steps: number,
  ) => Found;
}

/** Evaluates values and members. Unknown ones are undefined. */
export class RubyEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns what is passed to a parameter, for a step of an expression; no promise in other languages. */
  parameterStep(names: NameResolver, entity: Entity, key: string): Found | undefined {
    if (entity.kind === "instance" && entity.layers > 0 && isOfRuby(entity.type)) {
      return Promise.resolve(valueInPair(entity, key));
    }
    const [own] = entity.kind === "symbols" ? entity.symbols : [];
    if (own === undefined || !isOfRuby(own)) return undefined;
    return this.#evaluation.passedTo(names, own, key);
  }

  /** Returns the value of `@name` of Ruby: what `attr_reader :name` returns, or what is assigned. */
  async fieldOf(names: NameResolver, entity: Entity, name: string, steps: number): Found {
    const accessor = await names.within(entity, name.replace(/^@+/, ""), steps);
    const value =
      accessor?.kind === "symbols"
        ? await this.#evaluation.valueOf(names, accessor.symbols, steps)
        : undefined;
    if (value !== undefined && value.kind !== "outside") return value;
    const type = entity.kind === "symbols" ? entity.symbols.find(isType) : undefined;
    const holder = entity.kind === "instance" ? entity.type : type;
    return (holder && (await this.#evaluation.assigned(names, holder, name))) ?? value;
  }

  /** Returns what a method of Enumerable returns for an object of Ruby that yields elements. */
  async memberOfElements(names: NameResolver, entity: Entity, name: string, steps: number): Found {
    if (entity.kind !== "instance" || !isOfRuby(entity.type) || !isOfEnumerable(name))
      return undefined;
    const element = await this.#evaluation.yieldedBy(names, entity, steps);
    if (element?.kind !== "instance") return undefined;
    return collectionMethodResult({ ...element, layers: element.layers + 1 }, name);
  }
}
