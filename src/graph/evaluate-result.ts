// Evaluates the values of constants and fields, and the results of calls.

import { resultTypeOf } from "./dart-definitions.ts";
import { isAccessor } from "./distinctions.ts";
import {
  isCallable,
  isOfRuby,
  isType,
  ownerName,
  symbolsIn,
  variantOf,
  type Entity,
  type SymbolRef,
} from "./entity.ts";
import { instance, instanceOf, type Evaluate, type EvaluationPlace } from "./evaluate-base.ts";
import { callShapeOf, isFunctionValue } from "./evaluate-shape.ts";
import { isFileOfZig, isZig, objectInZig } from "./evaluate-zig.ts";
import type { Base } from "./expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import { holdsObject, knownValue, objectCalled, objectMeant } from "./script-objects.ts";
import { isSwift } from "./swift-types.ts";
import { takesArguments } from "./signature.ts";
import { typesIn, type GivenTypes } from "./type-arguments.ts";

type Found = Promise<Entity | undefined>;
type ShapeEntity = Extract<Entity, { kind: "shape" }>;

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly evaluate: Evaluate;
  readonly underlying: (names: NameResolver, entity: Entity, steps: number) => Found;
  /** Returns the result of a call, in any language. */
  readonly resultOf: (names: NameResolver, entity: Entity, count: number, steps: number) => Found;
  readonly resultOfShape: (names: NameResolver, own: ShapeEntity, steps: number) => Found;
  /** Returns what is assigned to an instance variable of Ruby. */
  readonly assigned: (names: NameResolver, holder: SymbolRef, name: string) => Found;
}

/** Returns whether overloads of Swift return different types: which one is called is not known here. */
function areOfDifferentTypes(symbols: readonly SymbolRef[]): boolean {
  const [first, ...others] = symbols.filter(
    (ref) => isSwift(ref.file) && isCallable(ref) && !isType(ref),
  );
  if (first === undefined) return false;
  const type = first.file.types[first.number];
  return others.some(({ file, number }) => file.types[number] !== type);
}

/** Returns the object that a definition holds, or that its value is. */
function objectIn(
  entity: Entity,
  value: Entity | undefined,
): Extract<Entity, { kind: "instance" }> | undefined {
  if (value?.kind === "instance") return value;
  const own = value === undefined ? objectMeant(entity) : undefined;
  return own?.kind === "instance" ? own : objectInZig(value ?? entity);
}

/** Evaluates values and results. Unknown ones are undefined. */
export class ResultEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /**
   * Returns the value of a constant, field or property; undefined if its type is unknown. Getters are indexed
   * as methods.
   */
  async valueOf(
    names: NameResolver,
    symbols: readonly SymbolRef[],
    steps: number,
    types?: GivenTypes,
  ): Promise<Entity | undefined> {
    const values = symbols.filter((ref) => !isCallable(ref));
    for (const { file, number, facts } of values.length === 0 ? symbols : values) {
      if (facts.kind === "class" || facts.kind === "module") continue;
      // A trait of Scala has its self type.
      if (file.language === "scala" && isType({ file, number, facts })) continue;
      const type = file.types[number] ?? "";
      if (isAccessor({ file, number, facts }))
        return this.#fieldValue(names, { file, number, facts }, steps);
      if (type === "") continue;
      const place = { file, owner: number, ...types };
      // oxlint-disable-next-line no-await-in-loop -- the first with a type
      const value = await this.#evaluation.evaluate(names, place, type, steps + 1);
      return knownValue({ file, number, facts }, value);
    }
    return undefined;
  }

  /** Returns the value of an accessor of Ruby: of its type if the file shows it, else what is assigned to the variable. */
  async #fieldValue(
    names: NameResolver,
    field: SymbolRef,
    steps: number,
  ): Promise<Entity | undefined> {
    const { file, number } = field;
    const type = file.types[number] ?? "";
    const known =
      type === ""
        ? undefined
        : await this.#evaluation.evaluate(names, { file, owner: number }, type, steps + 1);
    if (known !== undefined && known.kind !== "outside") return known;
    const holder = symbolsIn(file, ownerName(field)).find(isType);
    return (holder && (await this.#evaluation.assigned(names, holder, field.facts.name))) ?? known;
  }

  /** Returns the result of a call: what a function returns, or an object of a class. */
  async resultOf(
    names: NameResolver,
    entity: Entity,
    count: number,
    steps: number,
  ): Promise<Entity | undefined> {
    // The result of a container's method, or of a function type.
    if (entity.kind === "instance") {
      const own = entity.layers === 0 ? callShapeOf(entity.type, typesIn(entity)) : undefined;
      if (own !== undefined) return this.#evaluation.resultOfShape(names, own, steps);
      if (holdsObject(entity.type)) return entity;
      return (await this.#evaluation.underlying(names, entity, steps)) ?? entity;
    }
    if (entity.kind !== "symbols" || areOfDifferentTypes(entity.symbols)) return undefined;
    return this.#resultOfSymbols(names, entity, count, steps);
  }

  async #resultOfSymbols(
    names: NameResolver,
    entity: Extract<Entity, { kind: "symbols" }>,
    count: number,
    steps: number,
  ): Promise<Entity | undefined> {
    // `self.class` is called, which constructs nothing.
    if (entity.symbols.every((ref) => isType(ref) && isOfRuby(ref))) return entity;
    const variant = variantOf(entity.symbols);
    if (variant !== undefined) return instance(variant, 0);
    const accessor = entity.symbols.slice(0, 1).find(isAccessor);
    if (accessor !== undefined) return this.#fieldValue(names, accessor, steps);
    const called = objectCalled(entity);
    if (called !== undefined) return called;
    const all = entity.symbols.filter(isCallable);
    const fitting = all.filter((ref) => takesArguments(ref, count));
    const callable = fitting.length === 0 ? all : fitting;
    for (const ref of callable.length === 0 ? entity.symbols : callable) {
      const { file, number } = ref;
      const type = resultTypeOf(ref);
      if (type === "") continue;
      // oxlint-disable-next-line no-await-in-loop -- the first with a type
      const place = { file, owner: number, ...typesIn(entity) };
      const value = await this.#evaluation.evaluate(names, place, type, steps + 1);
      const isCalled = callable.length === 0 && value !== undefined && isFunctionValue(value);
      return isCalled && steps < MAX_STEPS
        ? this.#evaluation.resultOf(names, value, count, steps + 1)
        : value;
    }
    const [own] =
      callable.length === 0
        ? entity.symbols.flatMap((ref) => callShapeOf(ref, typesIn(entity)) ?? [])
        : [];
    return own === undefined
      ? instanceOf(entity, 0)
      : this.#evaluation.resultOfShape(names, own, steps);
  }

  /** Evaluates an expression. A constant or field is replaced by its value. */
  async valueIn(names: NameResolver, place: EvaluationPlace, text: string, steps: number): Found {
    const entity = await this.#evaluation.evaluate(names, place, text, steps);
    if (entity?.kind !== "symbols") return entity;
    return this.valueOf(names, entity.symbols, steps, typesIn(entity));
  }

  /** Returns a collection of a value, or of the values of a constant or a field. */
  async severalIn(names: NameResolver, entity: Entity, steps: number): Found {
    const isOfSymbols = entity.kind === "symbols";
    const one = isOfSymbols
      ? await this.valueOf(names, entity.symbols, steps, typesIn(entity))
      : entity;
    if (isFileOfZig(one ?? entity)) return one ?? entity;
    const isAlias = isOfSymbols && one?.kind === "symbols" && objectInZig(one) === undefined;
    if (isAlias && one.symbols.some(({ file }) => isZig(file)) && steps < MAX_STEPS) {
      return this.severalIn(names, one, steps + 1);
    }
    const object = objectIn(entity, one);
    return object && { ...object, layers: object.layers + 1 };
  }

  /** Returns a collection of the values of a member: of `@Tag.owner*`, if there is no type `Tag.owner`. */
  async membersIn(names: NameResolver, place: EvaluationPlace, base: Base, steps: number): Found {
    if (base.kind !== "instance" || base.layers === 0 || !base.name.includes(".")) return undefined;
    const one = await this.valueIn(names, place, `@${base.name}`, steps + 1);
    return one?.kind === "instance" ? { ...one, layers: one.layers + base.layers } : undefined;
  }
}
