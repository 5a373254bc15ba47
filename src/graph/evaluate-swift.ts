// Evaluates what calls of Swift expect: the types of parameters, and those of the parameters of functions that are passed.

import { collectionMethodResult } from "./container-methods.ts";
import { isCallable, isType, symbolsIn, type Entity, type SymbolRef } from "./entity.ts";
import { instance, type Evaluate, type EvaluationPlace } from "./evaluate-base.ts";
import { argumentParts, type Expression } from "./expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import { parameterAround } from "./swift-names.ts";
import { typesIn, type GivenTypes } from "./type-arguments.ts";
import {
  fitOfLabels,
  isSwift,
  swiftMembers,
  swiftParameters,
  type SwiftParameter,
} from "./swift-types.ts";

type Found = Promise<Entity | undefined>;
type Symbols = Extract<Entity, { kind: "symbols" }>;

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly evaluate: Evaluate;
  readonly valueOf: (
    names: NameResolver,
    symbols: readonly SymbolRef[],
    steps: number,
    types?: GivenTypes,
  ) => Found;
  readonly resultOf: (names: NameResolver, entity: Entity, count: number, steps: number) => Found;
}

/** What an expression begins with, and the steps from the one with the index `first`. */
interface Start {
  readonly start: Entity | undefined;
  readonly path: Expression["steps"];
  readonly first: number;
}

/** The type of `self` in results. */
const SELF = "@Self";

/** What a function type in a signature begins with. */
const FUNCTION = "^";

/** A parameter, and the definition whose type parameters and names it uses. */
interface Place {
  readonly ref: SymbolRef;
  /** An expression. */
  readonly type: string;
}

/** Returns members of Swift with the type that has them; undefined in other languages. */
export function withSelf(object: Entity, members: Symbols): Symbols | undefined {
  const [first] = members.symbols;
  if (first === undefined || !isSwift(first.file)) return undefined;
  const type = object.kind === "symbols" ? object.symbols.find(isType) : undefined;
  const self = object.kind === "instance" && object.layers === 0 ? object.type : type;
  return self && { ...members, self };
}

/** Returns the functions of Swift that take the labels of a call; undefined in other languages, and for types and values. */
export function calledInSwift(entity: Entity, labels: readonly string[]): Symbols | undefined {
  if (entity.kind !== "symbols") return undefined;
  const [first] = entity.symbols;
  if (first === undefined || !isSwift(first.file) || entity.symbols.some(isType)) return undefined;
  const functions = entity.symbols.filter(isCallable);
  if (functions.length === 0) return undefined;
  const passed = labels.join(",").replaceAll(":", "&");
  return { ...entity, symbols: withLabels(functions, passed) };
}

/** Returns the functions that fit labels best; all of them if none does. */
function withLabels(
  functions: readonly SymbolRef[],
  passed: string | undefined,
): readonly SymbolRef[] {
  if (passed === undefined) return functions;
  const fits = functions.map((ref) => fitOfLabels(ref, passed));
  const best = Math.max(0, ...fits);
  return best === 0 ? functions : functions.filter((_, at) => fits[at] === best);
}

/** Returns what a member of a `Result` gives: `case .success(let value)`, `get()`; undefined for other members. */
export function memberOfResult(
  entity: Entity,
  name: string,
  isCalled: boolean,
): { readonly value: Entity | undefined } | undefined {
  const success = entity.kind === "instance" ? entity.success : undefined;
  if (success === undefined) return undefined;
  if (name === "success") return { value: isCalled ? entity : success };
  if (name === "get") return { value: success };
  return isPlainResult(entity) ? { value: undefined } : undefined;
}

/** Returns what a member of a collection of Swift gives, which is the value of a field; undefined for other values. */
export function elementsOfField(value: Entity, member: string): Entity | undefined {
  if (value.kind !== "instance" || value.layers === 0 || !isSwift(value.type.file))
    return undefined;
  return collectionMethodResult(value, member);
}

/** Returns whether the project adds no members to a `Result`. */
export function isPlainResult(entity: Entity): boolean {
  return entity.kind === "instance" && entity.success?.type === entity.type;
}

/** Evaluates parameters, values and results. Unknown values are undefined. */
export class SwiftEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns the value of members, or the result if they are called. `Self` is the type of the object that has them. */
  async ofSelf(names: NameResolver, members: Symbols, steps: number): Found {
    const { symbols, self } = members;
    const [first] = symbols;
    const type = first?.file.types[first.number];
    if (self !== undefined && (type === SELF || type === `${SELF}*`)) {
      const isSame = symbols.every(({ file, number }) => file.types[number] === type);
      return isSame ? instance(self, type === SELF ? 0 : 1) : undefined;
    }
    const isFunction = symbols.some(isCallable);
    if (isFunction) return this.#evaluation.resultOf(names, members, 0, steps);
    return this.#evaluation.valueOf(names, symbols, steps, typesIn(members));
  }

  /** Evaluates what an expression begins with: a type parameter of the type around, or a `Result`; undefined for others. */
  async start(
    names: NameResolver,
    place: EvaluationPlace,
    { base, steps: path }: Expression,
    steps: number,
  ): Promise<Start | undefined> {
    if (base.kind !== "instance") return undefined;
    const [first] = path;
    if (base.name === "Result" && base.layers === 0 && first?.kind === "applied") {
      return { start: await this.#result(names, place, first.passed, steps), path, first: 1 };
    }
    const { arguments: given } = place;
    if (given === undefined || place.owner === -1) return undefined;
    const index = await parameterAround(names, place, base.name, steps);
    if (index === -1) return undefined;
    const value = await given.find(`c${index}`);
    if (value?.kind !== "instance") {
      return { start: value?.kind === "outside" ? value : undefined, path, first: 0 };
    }
    return { start: { ...value, layers: value.layers + base.layers }, path, first: 0 };
  }

  async #result(
    names: NameResolver,
    place: EvaluationPlace,
    [passed = ""]: readonly string[],
    steps: number,
  ): Found {
    const { evaluate } = this.#evaluation;
    const value = await evaluate(names, place, passed.slice(1), steps + 1);
    const success = value?.kind === "instance" ? value : undefined;
    // The project may extend the type.
    const own = await evaluate(names, { file: place.file, owner: -1 }, "@Result", steps + 1);
    if (own?.kind === "instance") return success ? { ...own, success } : own;
    return success && { ...success, success };
  }

  /** Returns the type of a parameter, for a step of an expression; no promise in other languages. */
  parameterStep(
    names: NameResolver,
    entity: Entity,
    key: string,
    steps: number,
  ): Found | undefined {
    const success = entity.kind === "instance" ? entity.success : undefined;
    if (success !== undefined) return Promise.resolve(success);
    const type = entity.kind === "instance" && entity.layers === 0 ? [entity.type] : [];
    const called = entity.kind === "symbols" ? entity.symbols : type;
    if (called[0] === undefined || !isSwift(called[0].file)) return undefined;
    return this.parameterOf(names, { called, key, given: typesIn(entity) }, steps);
  }

  /**
   * Returns the type of the argument with a label, or with an index among those without one, of a function or of a type that is
   * constructed. "label/0": the type of the first parameter of the function that is passed; "_" is the block after the
   * brackets. Undefined if overloads differ.
   */
  async parameterOf(
    names: NameResolver,
    {
      called,
      key: whole,
      given,
    }: { readonly called: readonly SymbolRef[]; readonly key: string; readonly given: GivenTypes },
    steps: number,
  ): Found {
    const [key = "", labels] = whole.split("@");
    const [label = "", inner] = key.split("/");
    const types = called.filter(isType);
    const [type] = types;
    const functions = type === undefined ? called : await swiftMembers(names.context, type, "init");
    const fitting = withLabels(functions, labels?.replaceAll(":", "&"));
    const places = fitting.flatMap((ref) => placesOf(ref, label, inner));
    if (type !== undefined && functions.length === 0 && inner === undefined) {
      const fields = symbolsIn(type.file, `${type.facts.qualifiedName}.${label}`);
      for (const ref of fields) places.push({ ref, type: ref.file.types[ref.number] ?? "" });
    }
    const [first, ...others] = places;
    if (first === undefined || first.type === "") return undefined;
    if (others.some((other) => other.type !== first.type)) return undefined;
    const { file, number } = first.ref;
    return this.#evaluation.evaluate(
      names,
      { file, owner: number, ...given },
      first.type,
      steps + 1,
    );
  }
}

/** Returns the types that the parameter has in an overload: none if it has no such parameter. */
function placesOf(ref: SymbolRef, label: string, inner: string | undefined): Place[] {
  const parameters = swiftParameters(ref);
  if (parameters === undefined) return [];
  const parameter = parameterWith(ref, parameters, label);
  if (parameter === undefined) return [];
  const isFunction = parameter.type.startsWith(FUNCTION);
  if (inner === undefined) return [{ ref, type: isFunction ? "" : parameter.type }];
  if (!isFunction) return [];
  const [list = ""] = parameter.type.slice(1).split("!");
  return [{ ref, type: argumentParts(list)[Number(inner)] ?? "" }];
}

function parameterWith(
  ref: SymbolRef,
  parameters: readonly SwiftParameter[],
  label: string,
): SwiftParameter | undefined {
  if (/^\d+$/.test(label)) {
    // A pattern may leave out the labels of a case.
    const plain = isCallable(ref) ? parameters.filter((one) => one.label === "_") : parameters;
    return plain[Number(label)];
  }
  if (label !== "_") return parameters.find((one) => one.label === label);
  return parameters.findLast((one) => one.type.startsWith(FUNCTION));
}
