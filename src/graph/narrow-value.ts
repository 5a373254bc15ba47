// Leaves out the types that a value cannot have where conditions hold.

import { literalsIn } from "../base/type-shape.ts";
import { isSameSymbol, isType, type Entity, type SymbolRef } from "./entity.ts";
import type { Evaluate, EvaluationPlace } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { Narrowing } from "./narrowing.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import { typesOfUnion, valueAmong } from "./union-types.ts";

/** Deeper types are not what a type inherits from. */
const MAX_DEPTH = 6;

type Found = Promise<Entity | undefined>;

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly evaluate: Evaluate;
  /** Returns the definition of a member. */
  readonly memberOf: (names: NameResolver, entity: Entity, name: string, steps: number) => Found;
  readonly underlying: (names: NameResolver, entity: Entity, steps: number) => Found;
}

/** Narrows values. */
export class ValueNarrowing {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns a value with the types that are left; undefined if it is unknown, or if its only type is left out. */
  async of(
    names: NameResolver,
    place: EvaluationPlace,
    { value, condition }: { readonly value: Entity | undefined; readonly condition: Narrowing },
    steps: number,
  ): Found {
    if (steps > MAX_STEPS) return value;
    if (condition.is === "instance" || condition.is === "tested") {
      const wanted = await this.#wanted(names, place, condition, steps);
      if (wanted.length === 0) return value;
      const all = value === undefined ? [] : await this.#typesOf(names, value, steps);
      const { isTrue } = condition;
      const left = await filtered(
        all,
        async (one) => (await inheritsAny(names, one, wanted)) === isTrue,
      );
      if (left.length > 0) return valueAmong(left);
      return isTrue ? valueAmong(wanted.map(instanceOf)) : ifSeveral(value, all);
    }
    if (value === undefined) return undefined;
    const all = await this.#typesOf(names, value, steps);
    const left = await filtered(all, async (one) => this.#mayBe(names, one, condition, steps));
    if (left.length === 0) return ifSeveral(value, all);
    return left.length === all.length ? value : valueAmong(left);
  }

  /** Returns the types for which a condition tests a value. */
  async #wanted(
    names: NameResolver,
    place: EvaluationPlace,
    condition: Extract<Narrowing, { is: "instance" | "tested" }>,
    steps: number,
  ): Promise<readonly SymbolRef[]> {
    const { evaluate } = this.#evaluation;
    const found: Entity[] = [];
    if (condition.is === "tested") {
      const tested = await evaluate(names, place, `${condition.guard}{is}`, steps + 1);
      if (tested !== undefined) found.push(tested);
    } else {
      for (const text of condition.types) {
        // oxlint-disable-next-line no-await-in-loop -- one or two
        const type = await evaluate(names, place, text, steps + 1);
        // If one is unknown, all are.
        if (type?.kind !== "instance") return [];
        found.push(type);
      }
    }
    const types = await Promise.all(found.map((one) => this.#typesOf(names, one, steps)));
    return types.flat().flatMap((one) => (one.kind === "instance" ? [one.type] : []));
  }

  /** Returns the types that a value may have, of unions with a name too. */
  async #typesOf(names: NameResolver, value: Entity, steps: number): Promise<readonly Entity[]> {
    if (value.kind !== "instance" || value.layers > 0) return [];
    const types = typesOfUnion(value);
    if (types !== undefined && steps < MAX_STEPS) {
      const inner = await Promise.all(types.map((one) => this.#typesOf(names, one, steps + 1)));
      return inner.flat();
    }
    const other =
      steps < MAX_STEPS ? await this.#evaluation.underlying(names, value, steps + 1) : undefined;
    return other?.kind === "instance" ? this.#typesOf(names, other, steps + 1) : [value];
  }

  /** Returns false if a type does not fit a condition. */
  async #mayBe(
    names: NameResolver,
    type: Entity,
    condition: Extract<Narrowing, { is: "equal" | "having" }>,
    steps: number,
  ): Promise<boolean> {
    const member = await this.#evaluation.memberOf(names, type, condition.member, steps + 1);
    if (condition.is === "having") return member?.kind === "symbols";
    const [first] = member?.kind === "symbols" ? member.symbols : [];
    const literals = first && literalsIn(first.file.signatures?.[first.number] ?? "");
    if (literals === undefined) return true;
    const { values, isTrue } = condition;
    return isTrue
      ? literals.some((one) => values.some((value) => one === value || !areComparable(one, value)))
      : literals.some((one) => !values.includes(one));
  }
}

/** Another name of an enum may lead to the same one. */
function areComparable(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => /^=(\w+):/.exec(text)?.[1]);
  return first === second;
}

/** If no type is left of several, not all that the condition says is known. Of one type, nothing is left. */
function ifSeveral(value: Entity | undefined, all: readonly Entity[]): Entity | undefined {
  return all.length === 1 ? undefined : value;
}

function instanceOf(type: SymbolRef): Entity {
  return { kind: "instance", type, layers: 0 };
}

async function filtered(
  all: readonly Entity[],
  isLeft: (one: Entity) => Promise<boolean>,
): Promise<readonly Entity[]> {
  const marks = await Promise.all(all.map(isLeft));
  return all.filter((_one, at) => marks[at]);
}

async function inheritsAny(
  names: NameResolver,
  one: Entity,
  wanted: readonly SymbolRef[],
): Promise<boolean> {
  if (one.kind !== "instance") return false;
  const queue: SymbolRef[] = [one.type];
  for (let depth = 0; depth < MAX_DEPTH && queue.length > 0; depth += 1) {
    const level = queue.splice(0);
    if (level.some((type) => wanted.some((other) => isSameSymbol(type, other)))) return true;
    const above = level
      .filter(isType)
      // oxlint-disable-next-line no-await-in-loop -- level by level
      .map((type) => names.types.supertypes(type));
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (const types of await Promise.all(above)) {
      queue.push(...types.filter((type) => type !== undefined));
    }
  }
  return false;
}
