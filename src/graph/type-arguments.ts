// What the type parameters of generic types and functions are: the type arguments of a type, and what a call passes.

import { callShapeOf } from "./evaluate-shape.ts";
import {
  isCallable,
  isSameSymbol,
  isType,
  ownerName,
  type Entity,
  type SymbolRef,
  type TypeArguments,
} from "./entity.ts";
import type { Evaluate, EvaluationPlace } from "./evaluate-base.ts";
import { parseExpression } from "./expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import { isSwift } from "./swift-types.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import { shapeText, type TypeShape } from "../base/type-shape.ts";
import { FUNCTION_ARGUMENT, OR_ELSE, TYPE_ARGUMENT } from "../base/receiver-marks.ts";

/** Deeper types are not what a type inherits from. */
const MAX_DEPTH = 6;

type Found = Promise<Entity | undefined>;
type Instance = Extract<Entity, { kind: "instance" }>;

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly evaluate: Evaluate;
  readonly valueOf: (names: NameResolver, symbols: readonly SymbolRef[], steps: number) => Found;
  readonly resultOf: (names: NameResolver, entity: Entity, count: number, steps: number) => Found;
  readonly valueOfMember: (
    names: NameResolver,
    entity: Entity,
    name: string,
    steps: number,
  ) => Found;
}

/** The type arguments of a place, if any are known. */
export interface GivenTypes {
  readonly arguments?: TypeArguments;
}

/** Returns the type arguments of a value or a definition. */
export function typesIn(entity: Entity): GivenTypes {
  return "arguments" in entity && entity.arguments !== undefined
    ? { arguments: entity.arguments }
    : {};
}

/** Returns whether an expression or a shape depends on type parameters. */
export function isGeneric(text: string): boolean {
  return text.includes("'");
}

/** Finds type arguments. */
export class TypeArgumentReader {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns a type or a function with what is passed to it. `passed`: as in a step of an expression. */
  applied(
    names: NameResolver,
    place: EvaluationPlace,
    { entity, passed }: { readonly entity: Entity; readonly passed: readonly string[] },
    steps: number,
  ): Entity {
    if (entity.kind !== "instance" && entity.kind !== "symbols" && entity.kind !== "shape") {
      return entity;
    }
    const { arguments: before } = entity;
    const level = entity.kind === "instance" || isTypeItself(entity) ? "c" : "f";
    const isDeclared = passed[0]?.startsWith(TYPE_ARGUMENT) === true;
    // What is passed does not depend on the place where it is needed.
    const find = async (parameter: string): Found => {
      if (!parameter.startsWith(level)) return before?.find(parameter);
      if (!isDeclared) return this.#infer(names, place, { entity, passed, parameter }, steps);
      const text = passed[Number(parameter.slice(1))]?.slice(TYPE_ARGUMENT.length) ?? "";
      return text === "" ? undefined : this.#value(names, place, text, steps);
    };
    const around = place.arguments === undefined ? "" : ` in ${place.arguments.key}`;
    const key = `${entityKey(entity)}<${place.file.id}:${place.owner} ${passed.join(",")}${around}>`;
    return { ...entity, arguments: { key, find } };
  }

  /** Returns what the arguments of a call show of a type parameter. */
  async #infer(
    names: NameResolver,
    place: EvaluationPlace,
    {
      entity,
      passed,
      parameter: wanted,
    }: { readonly entity: Entity; readonly passed: readonly string[]; readonly parameter: string },
    steps: number,
  ): Found {
    const called = await calledShape(names, entity, steps);
    if (called?.shape.kind !== "function") return undefined;
    const { parameters } = called.shape;
    for (const [at, text] of passed.entries()) {
      const parameter = parameters[at];
      if (text === "" || parameter === undefined) continue;
      if (!shapeText(parameter).includes(`'${wanted}`)) continue;
      const to = { place: called, from: place, wanted };
      // oxlint-disable-next-line no-await-in-loop -- the first that shows it
      const found = await this.#match(names, to, { parameter, text }, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Matches the type of a parameter with an argument. Returns the wanted type. */
  async #match(
    names: NameResolver,
    to: Match,
    { parameter, text }: { readonly parameter: TypeShape; readonly text: string },
    steps: number,
  ): Found {
    if (parameter.kind === "function") {
      const isResult = shapeText(parameter.result).includes(`'${to.wanted}`);
      const result = isResult
        ? await this.#resultOfArgument(names, to.from, text, steps)
        : undefined;
      const of = { parameter: parameter.result, value: result };
      return this.#matchType(names, to, of, steps);
    }
    if (text.startsWith(FUNCTION_ARGUMENT)) return undefined;
    const value = await this.#value(names, to.from, text, steps);
    return this.#matchType(names, to, { parameter, value }, steps);
  }

  /** Returns the result of a function that is an argument. */
  async #resultOfArgument(
    names: NameResolver,
    place: EvaluationPlace,
    text: string,
    steps: number,
  ): Found {
    const { resultOf } = this.#evaluation;
    if (text.startsWith(FUNCTION_ARGUMENT)) {
      return this.#value(names, place, text.slice(FUNCTION_ARGUMENT.length), steps);
    }
    const called = await this.#evaluation.evaluate(names, place, text, steps + 1);
    const isFunction = called?.kind === "symbols" && called.symbols.every(isCallable);
    return isFunction && !called.symbols.some(isType)
      ? resultOf(names, called, 0, steps + 1)
      : undefined;
  }

  async #matchType(
    names: NameResolver,
    to: Match,
    { parameter, value }: { readonly parameter: TypeShape; readonly value: Entity | undefined },
    steps: number,
  ): Found {
    if (value?.kind !== "instance" || steps > MAX_STEPS) return undefined;
    if (parameter.kind === "value") {
      return this.#matchExpression(names, to, { expression: parameter.expression, value }, steps);
    }
    if (parameter.kind !== "object") return undefined;
    for (const [name, member] of parameter.members) {
      if (!shapeText(member).includes(`'${to.wanted}`)) continue;
      // oxlint-disable-next-line no-await-in-loop -- few
      const inner = await this.#evaluation.valueOfMember(names, value, name, steps + 1);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await this.#matchType(names, to, { parameter: member, value: inner }, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #matchExpression(
    names: NameResolver,
    to: Match,
    { expression, value }: { readonly expression: string; readonly value: Instance },
    steps: number,
  ): Found {
    const parts = expression.split(OR_ELSE).filter((part) => part.includes(`'${to.wanted}`));
    const bare = parts.flatMap((part) => layersOf(part, to.wanted) ?? []);
    const fitting = bare.filter((layers) => layers <= value.layers);
    if (fitting.length > 0) return { ...value, layers: value.layers - Math.max(...fitting) };
    const [part = "", ...others] = parts;
    if (others.length > 0 || bare.length > 0) return undefined;
    return this.#matchArguments(names, to, { expression: part, value }, steps);
  }

  /** Matches `Box<T>` with a `Box<Foo>`. */
  async #matchArguments(
    names: NameResolver,
    to: Match,
    { expression, value }: { readonly expression: string; readonly value: Instance },
    steps: number,
  ): Found {
    const last = parseExpression(expression, true)?.steps.at(-1);
    if (last?.kind !== "applied") return undefined;
    const type = await this.#evaluation.evaluate(names, to.place, expression, steps + 1);
    if (type?.kind !== "instance" || type.layers !== value.layers) return undefined;
    const known = await this.argumentsIn(names, value, type.type, steps);
    for (const [at, text] of last.passed.entries()) {
      if (known === undefined || !text.includes(`'${to.wanted}`)) continue;
      const parameter = { kind: "value", expression: text.slice(TYPE_ARGUMENT.length) } as const;
      // oxlint-disable-next-line no-await-in-loop -- one or two
      const inner = await known.find(`c${at}`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await this.#matchType(names, to, { parameter, value: inner }, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the value of an argument or a type argument. */
  async #value(names: NameResolver, place: EvaluationPlace, text: string, steps: number): Found {
    const whole = text.replaceAll("|", OR_ELSE);
    const value = await this.#evaluation.evaluate(names, place, whole, steps + 1);
    if (value?.kind !== "symbols") return value;
    const isValue = value.symbols.every((ref) => !isCallable(ref));
    return isValue ? this.#evaluation.valueOf(names, value.symbols, steps + 1) : undefined;
  }

  /** Returns the type arguments that a type inherits from, for an object of a type that inherits from it, or is it. */
  async argumentsIn(
    names: NameResolver,
    object: GenericType,
    wanted: SymbolRef,
    steps: number,
  ): Promise<TypeArguments | undefined> {
    let level: readonly GenericType[] = [object];
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
      const same = level.find((one) => isSameSymbol(one.type, wanted));
      if (same !== undefined) return same.arguments;
      // oxlint-disable-next-line no-await-in-loop -- level by level
      const above = await Promise.all(level.map((one) => this.#basesOf(names, one, steps)));
      level = above.flat();
    }
    return undefined;
  }

  async #basesOf(
    names: NameResolver,
    { type, arguments: own }: GenericType,
    steps: number,
  ): Promise<readonly GenericType[]> {
    if (steps > MAX_STEPS) return [];
    const uses = (await names.context.symbols.inheritsOf(type.file.path)).get(type.number) ?? [];
    const place = { file: type.file, owner: -1, ...(own && { arguments: own }) };
    const found: GenericType[] = [];
    for (const { arguments: text } of uses) {
      if (text === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- one or two
      const base = await this.#evaluation.evaluate(names, place, text, steps + 1);
      if (base?.kind === "instance" && base.layers === 0) found.push(base);
    }
    for (const base of await names.types.supertypes(type)) {
      const isKnown = base === undefined || found.some((one) => isSameSymbol(one.type, base));
      if (!isKnown) found.push({ type: base });
    }
    return found;
  }

  /** Returns the definitions of a member with the type arguments of its object. */
  async ofMember(
    names: NameResolver,
    object: Entity,
    member: Entity | undefined,
    steps: number,
  ): Found {
    if (object.kind !== "instance" || member?.kind !== "symbols") return member;
    const [first] = member.symbols;
    if (first !== undefined && isSwift(first.file)) return withOwnArguments(object, member, first);
    const text =
      first === undefined
        ? ""
        : `${first.file.types[first.number] ?? ""}${first.file.signatures?.[first.number] ?? ""}`;
    if (first === undefined || !isGeneric(text)) return member;
    const [owner] = first.file.symbols.flatMap((facts, number) =>
      facts.qualifiedName === ownerName(first) && facts.kind !== "constant"
        ? [{ file: first.file, number, facts }]
        : [],
    );
    const known = owner && (await this.argumentsIn(names, object, owner, steps + 1));
    return known === undefined ? member : { ...member, arguments: known };
  }
}

/** Returns the members of an object of Swift with its type arguments, unless it inherits them from another type. */
function withOwnArguments(
  object: Instance,
  member: Extract<Entity, { kind: "symbols" }>,
  first: SymbolRef,
): Entity {
  const isOwn = ownerName(first) === object.type.facts.qualifiedName;
  return isOwn && object.arguments ? { ...member, arguments: object.arguments } : member;
}

/** A type with its arguments. */
type GenericType = Pick<Instance, "type" | "arguments">;

/** Where the types of a match are. */
interface Match {
  /** That of the called function. */
  readonly place: EvaluationPlace;
  /** That of the call. */
  readonly from: EvaluationPlace;
  /** The key of the type parameter. */
  readonly wanted: string;
}

/** Returns a text that only the same type or function has. */
function entityKey(entity: Entity): string {
  const refs =
    entity.kind === "instance" ? [entity.type] : entity.kind === "symbols" ? entity.symbols : [];
  const before = "arguments" in entity ? (entity.arguments?.key ?? "") : "";
  if (entity.kind === "shape") {
    return `${entity.file.id}:${entity.owner} ${shapeText(entity.shape)}${before}`;
  }
  return refs.map(({ file, number }) => `${file.id}:${number}`).join("&") + before;
}

function isTypeItself(entity: Entity): boolean {
  return entity.kind === "symbols" && entity.symbols.every(isType);
}

/** Returns the number of containers of a type parameter that an expression is; undefined for others. */
function layersOf(text: string, wanted: string): number | undefined {
  const [, key, layers = ""] = /^'([cf]\d)(?:=[^']*)?'(\**)$/.exec(text) ?? [];
  return key === wanted ? layers.length : undefined;
}

/** Returns the shape of the only function that is called; that of the constructor for an object. */
async function calledShape(
  names: NameResolver,
  entity: Entity,
  steps: number,
): Promise<Extract<Entity, { kind: "shape" }> | undefined> {
  if (entity.kind === "shape") return entity;
  const called =
    entity.kind === "instance" ? await names.within(entity, "constructor", steps + 1) : entity;
  const [first] = called?.kind === "symbols" ? called.symbols : [];
  const own = first && callShapeOf(first);
  return own;
}
