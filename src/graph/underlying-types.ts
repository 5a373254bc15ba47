// Finds the types behind names of types: the target of an alias, and what a wrapper type wraps.

import { isDartClass } from "./dart-definitions.ts";
import { isOfRuby, type Entity, type SymbolRef } from "./entity.ts";
import { instanceOf, type Evaluate } from "./evaluate-base.ts";
import { callShapeOf } from "./evaluate-shape.ts";
import { luaObject } from "./lua-classes.ts";
import type { NameResolver } from "./name-resolver.ts";
import { constantAmong, knownValue } from "./script-objects.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import { typesIn } from "./type-arguments.ts";

type Found = Promise<Entity | undefined>;
type Instance = Extract<Entity, { kind: "instance" }>;

/** `steps` is the depth in a chain, at most `MAX_STEPS`. Unknown types are undefined. */
export class UnderlyingTypes {
  readonly #evaluate: Evaluate;

  constructor(evaluate: Evaluate) {
    this.#evaluate = evaluate;
  }

  /** Returns the underlying type of a value. */
  of(names: NameResolver, value: Entity, steps: number): Found | undefined {
    const constant = value.kind === "symbols" ? constantAmong(value) : undefined;
    if (constant !== undefined) return this.#ofConstant(names, constant, steps);
    const entity = luaObject(value) ?? value;
    if (entity.kind !== "instance" || steps > MAX_STEPS || isDartClass(entity.type))
      return undefined;
    return this.#ofObject(names, entity, steps);
  }

  async #ofObject(names: NameResolver, entity: Instance, steps: number): Found {
    const { file, number } = entity.type;
    const types = typesIn(entity);
    const alias = file.types[number] ?? "";
    if (alias === "") {
      const own = entity.layers === 0 ? callShapeOf(entity.type, types) : undefined;
      return own?.shape.kind === "all" ? own : undefined;
    }
    const place = { file, owner: number, ...types };
    const found = knownValue(entity.type, await this.#evaluate(names, place, alias, steps + 1));
    // An object of `List = Rake::FileList`.
    if (found?.kind === "symbols" && isOfRuby(entity.type)) return instanceOf(found, entity.layers);
    return found?.kind === "instance" ? { ...found, layers: found.layers + entity.layers } : found;
  }

  /** Returns what a constant of a script holds: `Base.extend({…})` has the members of `Base`. */
  async #ofConstant(names: NameResolver, constant: SymbolRef, steps: number): Found {
    const { file, number } = constant;
    const text = file.types[number] ?? "";
    if (text === "" || steps > MAX_STEPS) return undefined;
    const value = await this.#evaluate(names, { file, owner: number }, text, steps + 1);
    return knownValue(constant, value);
  }

  /** Returns an object of `Rake::FileList` for one of `List = Rake::FileList`. */
  async withoutOtherName(names: NameResolver, entity: Entity | undefined, steps: number): Found {
    const isOther = entity?.kind === "instance" && entity.type.facts.kind === "constant";
    if (!isOther || !isOfRuby(entity.type)) return entity;
    return (await this.of(names, entity, steps)) ?? entity;
  }
}
