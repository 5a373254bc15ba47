// Classes of Dart that extend a generic class of a library: members and elements that have the type of the type argument.

import { isDartClass } from "./dart-definitions.ts";
import type { Entity, SymbolRef } from "./entity.ts";
import type { Evaluate } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Members of such a class: `widget` of a `State<Page>`, `state` of a `Cubit<Count>`. */
const MEMBERS = new Set(["widget", "state", "value"]);
/** A class may inherit from one that extends such a class, up to here. */
const MAX_ABOVE = 5;

type Instance = Extract<Entity, { kind: "instance" }>;

/** Returns whether a value is an object of a class of Dart, or a collection of such objects. */
export function isOfDart(entity: Entity): entity is Instance {
  return entity.kind === "instance" && isDartClass(entity.type);
}

/** Evaluates type arguments of classes of libraries. */
export class BaseArguments {
  readonly #evaluate: Evaluate;

  constructor(evaluate: Evaluate) {
    this.#evaluate = evaluate;
  }

  /** Returns the value of a member that has the type of the type argument; undefined for other members. */
  ofMember(
    names: NameResolver,
    entity: Entity,
    name: string,
    steps: number,
  ): Promise<Entity | undefined> | undefined {
    const isPossible = MEMBERS.has(name) && isOfDart(entity) && entity.layers === 0;
    return isPossible ? this.of(names, entity.type, steps) : undefined;
  }

  /** Returns an object of the type argument that a class, or one above it, passes to its base; undefined if there is none. */
  async of(names: NameResolver, type: SymbolRef, steps: number): Promise<Entity | undefined> {
    let own: SymbolRef | undefined = type;
    for (let left = MAX_ABOVE; left > 0 && own !== undefined && isDartClass(own); left -= 1) {
      const { file, number }: SymbolRef = own;
      const argument = file.types[number] ?? "";
      if (argument !== "")
        return this.#evaluate(names, { file, owner: number }, argument, steps + 1);
      // oxlint-disable-next-line no-await-in-loop -- up the inheritance chain
      const above: readonly (SymbolRef | undefined)[] = await names.types.supertypes(
        own,
        steps + 1,
      );
      own = above.find((one) => one !== undefined);
    }
    return undefined;
  }
}
