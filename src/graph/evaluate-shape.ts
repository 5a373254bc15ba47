// Evaluates the types of unnamed functions and objects: parameters, results and members.

import {
  CLASS_OF_ARGUMENT,
  isOpenExpression,
  parseShape,
  passedClass,
  testedType,
  type PassedClass,
  type TypeShape,
} from "../base/type-shape.ts";
import {
  isCallable,
  isType,
  OUTSIDE,
  type Entity,
  type ScopedFile,
  type SymbolRef,
  type TypeArguments,
} from "./entity.ts";
import { selectorOf } from "./script-objects.ts";
import type { NameResolver } from "./name-resolver.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import { valueAmong, typesOfUnion } from "./union-types.ts";

type Found = Promise<Entity | undefined>;
type ShapeEntity = Extract<Entity, { kind: "shape" }>;
interface Place {
  readonly file: ScopedFile;
  readonly owner: number;
  readonly arguments?: TypeArguments;
}

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
export interface Evaluation {
  readonly evaluate: (names: NameResolver, place: Place, text: string, steps: number) => Found;
  /** Returns the definition of a member. */
  readonly memberOf: (names: NameResolver, entity: Entity, name: string, steps: number) => Found;
  /** Returns the value of a member. */
  readonly valueOfMember: (
    names: NameResolver,
    entity: Entity,
    name: string,
    steps: number,
  ) => Found;
  readonly valueOf: (
    names: NameResolver,
    symbols: readonly SymbolRef[],
    steps: number,
    types?: Pick<Place, "arguments">,
  ) => Found;
  readonly elementOf: (names: NameResolver, entity: Entity, steps: number) => Found;
  readonly underlying: (names: NameResolver, entity: Entity, steps: number) => Found;
}

/** Returns the shape of a function or a type; undefined if it has none. `types`: its type arguments. */
export function callShapeOf(
  { file, number }: SymbolRef,
  types: Pick<Place, "arguments"> = {},
): ShapeEntity | undefined {
  const text = file.signatures?.[number] ?? "";
  if (!/^[{[]/.test(text)) return undefined;
  return { kind: "shape", file, owner: number, shape: parseShape(text), ...types };
}

function argumentsOf({ arguments: types }: Pick<Place, "arguments">): Pick<Place, "arguments"> {
  return types === undefined ? {} : { arguments: types };
}

/** Returns whether a value is a function, as that of `const open = store.open`, or an object of a type that is called like one. */
export function isFunctionValue(value: Entity): boolean {
  if (value.kind === "symbols") return !value.symbols.some(isType);
  return value.kind === "instance" && value.layers === 0 && callShapeOf(value.type) !== undefined;
}

/** Evaluates shapes. Unknown values are undefined. */
export class ShapeEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns a value of the type of a function's parameter. */
  async parameterOf(names: NameResolver, entity: Entity, index: number, steps: number): Found {
    if (steps > MAX_STEPS) return undefined;
    if (entity.kind === "shape") return this.#parameter(names, entity, index, steps);
    const types = typesOfUnion(entity);
    if (types !== undefined) {
      const each = types.map((type) => this.parameterOf(names, type, index, steps + 1));
      return valueAmong(await Promise.all(each));
    }
    if (entity.kind === "instance") {
      const own = entity.layers === 0 ? callShapeOf(entity.type, argumentsOf(entity)) : undefined;
      if (own !== undefined) return this.#parameter(names, own, index, steps);
    }
    if (entity.kind === "symbols") {
      const given = argumentsOf(entity);
      const shapes = firstOfEach(entity.symbols).flatMap((ref) => callShapeOf(ref, given) ?? []);
      const [own, ...others] = shapes;
      if (others.length > 0) {
        const each = shapes.map((one) => this.#parameter(names, one, index, steps));
        return valueAmong(await Promise.all(each));
      }
      if (own !== undefined && mayTake(own.shape, index)) {
        return this.#parameter(names, own, index, steps);
      }
    }
    const value = await this.#valueBehind(names, entity, steps);
    const selector = value && index === 0 ? selectorOf(entity, value) : undefined;
    return selector ?? (value && this.parameterOf(names, value, index, steps + 1));
  }

  #valueBehind(names: NameResolver, entity: Entity, steps: number): Found | undefined {
    const { underlying, valueOf } = this.#evaluation;
    if (entity.kind === "instance" && entity.layers === 0) return underlying(names, entity, steps);
    const isValue = entity.kind === "symbols" && !entity.symbols.some(takesArguments);
    return isValue ? valueOf(names, entity.symbols, steps, argumentsOf(entity)) : undefined;
  }

  /** Of overloads, one may take a function where another takes a value. */
  async #parameterOfAny(
    names: NameResolver,
    entity: ShapeEntity,
    index: number,
    steps: number,
  ): Found {
    const parts = await Promise.all(
      partsOf(entity.shape, steps).map(async (part) => {
        const value = await this.#valueOf(names, entity, part, steps);
        return value && this.parameterOf(names, value, index, steps + 1);
      }),
    );
    return valueAmong(parts);
  }

  async #parameter(names: NameResolver, entity: ShapeEntity, index: number, steps: number): Found {
    if (entity.shape.kind === "all") return this.#parameterOfAny(names, entity, index, steps);
    if (entity.shape.kind !== "function") return undefined;
    const { parameters, hasRest } = entity.shape;
    const isRest = hasRest && index >= parameters.length - 1;
    const parameter = parameters[isRest ? parameters.length - 1 : index];
    const value = parameter && (await this.#valueOf(names, entity, parameter, steps));
    return isRest && value !== undefined
      ? this.#evaluation.elementOf(names, value, steps + 1)
      : value;
  }

  /** Returns the definition of a member; a member of a type without a name is none. */
  async memberOf(names: NameResolver, entity: ShapeEntity, name: string, steps: number): Found {
    const { shape } = entity;
    if (shape.kind === "object") return shape.members.has(name) ? OUTSIDE : undefined;
    if (shape.kind === "some" && shape.names.includes(name) === shape.isWithout) return OUTSIDE;
    const found: SymbolRef[] = [];
    for (const part of partsOf(shape, steps)) {
      // oxlint-disable-next-line no-await-in-loop -- few
      const whole = await this.#valueOf(names, entity, part, steps);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const member = whole && (await this.#evaluation.memberOf(names, whole, name, steps + 1));
      if (member?.kind === "symbols") found.push(...member.symbols);
    }
    return found.length === 0 ? undefined : { kind: "symbols", symbols: found };
  }

  /** Returns the value of a member. */
  async valueOfMember(
    names: NameResolver,
    entity: ShapeEntity,
    name: string,
    steps: number,
  ): Found {
    const { shape } = entity;
    if (shape.kind === "object") {
      const member = shape.members.get(name);
      return member && this.#valueOf(names, entity, member, steps);
    }
    if (shape.kind === "some" && shape.names.includes(name) === shape.isWithout) return undefined;
    for (const part of partsOf(shape, steps)) {
      // oxlint-disable-next-line no-await-in-loop -- few
      const whole = await this.#valueOf(names, entity, part, steps);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const value = whole && (await this.#evaluation.valueOfMember(names, whole, name, steps + 1));
      if (value !== undefined && value.kind !== "outside") return value;
    }
    return undefined;
  }

  /** Returns the result of a call. */
  async resultOf(names: NameResolver, entity: ShapeEntity, steps: number): Found {
    if (entity.shape.kind !== "function") return undefined;
    return this.#valueOf(names, entity, entity.shape.result, steps);
  }

  /**
   * Returns an object of the class or the type argument that a call passes, if the function returns one. `passed`: as in
   * `Step`.
   */
  async passedObject(
    names: NameResolver,
    place: Place,
    { called, passed }: { readonly called: Entity; readonly passed: readonly string[] },
    steps: number,
  ): Found {
    const types = called.kind === "symbols" ? called.arguments : undefined;
    if (types === undefined && passed.length === 0) return undefined;
    const own = onlyShape(called);
    const result = own && resultExpression(own);
    const of = result === undefined ? undefined : passedClass(result);
    if (own === undefined || of === undefined) return undefined;
    const given = await types?.find("f0");
    if (given !== undefined) return given;
    const name = passed[of.argument] ?? "";
    const isProved = await this.#isOfClass(names, own, of, steps);
    const found =
      isProved && name !== ""
        ? await names.typeNamed(place.file, name, steps, place.owner)
        : undefined;
    return found && { kind: "instance", type: found, layers: 0 };
  }

  /** Returns whether the type of a parameter is that of a class. */
  async #isOfClass(
    names: NameResolver,
    { file, owner }: Place,
    { type }: PassedClass,
    steps: number,
  ): Promise<boolean> {
    if (type === "") return true;
    const alias = await names.typeNamed(file, type, steps, owner);
    return alias?.file.signatures?.[alias.number] === CLASS_OF_ARGUMENT;
  }

  /** Returns a value of the type for which a function tests its argument. */
  async testedBy(names: NameResolver, entity: Entity, steps: number): Found {
    // A method that overrides another may test for the same type.
    const shapes = entity.kind === "symbols" ? entity.symbols.map((ref) => callShapeOf(ref)) : [];
    const types = shapes.map(async (own) => {
      const result = own && resultExpression(own);
      const type = result === undefined ? undefined : testedType(result);
      if (own === undefined || type === undefined) return undefined;
      return this.#evaluation.evaluate(names, own, type, steps + 1);
    });
    return types.length === 0 ? undefined : valueAmong(await Promise.all(types));
  }

  async #valueOf(
    names: NameResolver,
    { file, owner, arguments: types }: Place,
    shape: TypeShape,
    steps: number,
  ): Found {
    const place = types === undefined ? { file, owner } : { file, owner, arguments: types };
    if (shape.kind !== "value") return { kind: "shape", shape, ...place };
    return isOpenExpression(shape.expression)
      ? undefined
      : this.#evaluation.evaluate(names, place, shape.expression, steps + 1);
  }
}

/** Returns the types whose members a type without a name has. */
function partsOf(shape: TypeShape, steps: number): readonly TypeShape[] {
  if (steps > MAX_STEPS) return [];
  if (shape.kind === "some") return [shape.of];
  return shape.kind === "all" ? shape.parts : [];
}

/** Returns the first of the overloads in each type. */
function firstOfEach(symbols: readonly SymbolRef[]): readonly SymbolRef[] {
  const byOwner = new Map<string, SymbolRef>();
  for (const ref of symbols) {
    const key = `${ref.file.path} ${ref.facts.qualifiedName}`;
    if (!byOwner.has(key)) byOwner.set(key, ref);
  }
  return [...byOwner.values()];
}

/** Returns whether a shape may have a parameter of that index: a getter has none, but may return a function. */
function mayTake(shape: TypeShape, index: number): boolean {
  return shape.kind !== "function" || shape.hasRest || index < shape.parameters.length;
}

/** A getter takes none, nor does a field, which counts as a method if its value is a function. */
function takesArguments(ref: SymbolRef): boolean {
  if (!isCallable(ref)) return false;
  const { shape } = callShapeOf(ref) ?? {};
  return ref.facts.kind !== "method" || (shape !== undefined && mayTake(shape, 0));
}

function onlyShape(entity: Entity): ShapeEntity | undefined {
  if (entity.kind !== "symbols") return undefined;
  const [own, ...others] = entity.symbols
    .filter((ref) => !isType(ref))
    .flatMap((ref) => callShapeOf(ref) ?? []);
  return others.length === 0 ? own : undefined;
}

function resultExpression({ shape }: ShapeEntity): string | undefined {
  const result = shape.kind === "function" ? shape.result : undefined;
  return result?.kind === "value" ? result.expression : undefined;
}
