// Evaluates what only expressions of Scala have: `Type(…)`, which calls `apply` of an object or constructs a case class, and
// arguments and patterns of case classes.

import { collectionMethodResult } from "./container-methods.ts";
import { isType, OUTSIDE, type Entity, type SymbolRef } from "./entity.ts";
import { instance } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import { caseParameter, isScalaObject, isOfScala } from "./scala-types.ts";

type Found = Promise<Entity | undefined>;
type Symbols = Extract<Entity, { kind: "symbols" }>;
type Instance = Extract<Entity, { kind: "instance" }>;

/** Methods of collections that return one element. */
const ELEMENT = new Set("apply get getOrElse head last next min max maxBy minBy reduce".split(" "));
/** Methods of collections that return a collection of the same elements. */
const SAME = new Set(
  "filter filterNot withFilter sortBy sorted sortWith reverse distinct take drop takeRight dropRight takeWhile dropWhile tail init toList toSeq toSet toVector toArray toIndexedSeq toStream toIterator iterator toOption orElse recover par view values headOption lastOption find".split(
    " ",
  ),
);

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly valueOf: (names: NameResolver, symbols: readonly SymbolRef[], steps: number) => Found;
  readonly resultOfSymbols: (
    names: NameResolver,
    entity: Symbols,
    count: number,
    steps: number,
  ) => Found;
}

/** Returns an entity that is a value or a definition of Scala; undefined for others. */
export function asScala(entity: Entity): Symbols | Instance | undefined {
  if (entity.kind === "instance") return isOfScala(entity.type) ? entity : undefined;
  return entity.kind === "symbols" && entity.symbols.slice(0, 1).some(isOfScala)
    ? entity
    : undefined;
}

/**
 * Returns what a method of a collection returns. A call step after it returns an element of that in Scala, as `list(index)`
 * does, and does not change it in other languages. `isCalled`: whether there is one.
 */
export function collectionResultOf(
  entity: Instance,
  method: string,
  isCalled: boolean,
): Entity | undefined {
  if (!isOfScala(entity.type)) return collectionMethodResult(entity, method);
  const layers = entity.layers + Number(isCalled);
  if (ELEMENT.has(method)) return { ...entity, layers: layers - 1 };
  return SAME.has(method) ? { ...entity, layers } : OUTSIDE;
}

/** Evaluates calls and patterns. Unknown values are undefined. */
export class ScalaEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns what a call of a method, an object, a case class or a value returns. */
  async resultOf(names: NameResolver, entity: Symbols | Instance, steps: number): Found {
    if (steps > MAX_STEPS) return undefined;
    if (entity.kind === "instance") {
      const { layers } = entity;
      return layers > 0 ? { ...entity, layers: layers - 1 } : this.#applied(names, entity, steps);
    }
    const types = entity.symbols.filter(isType);
    if (types.length === 0) return this.#evaluation.resultOfSymbols(names, entity, 0, steps);
    const object = types.find(isScalaObject);
    const applied =
      object && (await this.#applied(names, { kind: "symbols", symbols: [object] }, steps));
    if (applied !== undefined && applied.kind !== "outside") return applied;
    const type = types.find((one) => !isScalaObject(one));
    return applied === undefined && object !== undefined && type === undefined
      ? undefined
      : instance(type, 0);
  }

  /** Returns what `apply` of an object returns; `OUTSIDE` if it has none. */
  async #applied(names: NameResolver, object: Symbols | Instance, steps: number): Found {
    const apply = await names.within(object, "apply", steps + 1);
    if (apply?.kind !== "symbols") return apply === undefined ? undefined : OUTSIDE;
    return this.#evaluation.resultOfSymbols(names, apply, 0, steps + 1);
  }

  /** Returns the value of a parameter of a case class, which its pattern names; no promise for other entities. */
  caseParameterOf(
    names: NameResolver,
    entity: Entity,
    index: number,
    steps: number,
  ): Found | undefined {
    if (entity.kind !== "symbols" || asScala(entity) === undefined) return undefined;
    const types = entity.symbols.filter(isType);
    if (types.length === 0) return undefined;
    const found = types.flatMap((type) => caseParameter(type, index) ?? []).slice(0, 1);
    return this.#evaluation.valueOf(names, found, steps + 1);
  }
}
