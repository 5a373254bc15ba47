// Evaluates what only expressions of Zig have: types that are values, files that are types, and the types of parameters.

import {
  isType,
  ownerName,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import type { Evaluate } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";
import { MAX_STEPS } from "./resolution-context.ts";

type Found = Promise<Entity | undefined>;

/** Returns whether a file is one of Zig. */
export function isZig({ language }: Pick<ScopedFile, "language">): boolean {
  return language === "zig";
}

/** Returns the expression of the type of an object: in Zig, a type has the members of its objects. */
export function withoutInstance(file: ScopedFile, text: string): string {
  return isZig(file) && text.startsWith("@") ? text.slice(1) : text;
}

/** Returns whether an entity is a file of Zig, which is a structure: lists of it are not told apart from it. */
export function isFileOfZig(entity: Entity): boolean {
  return entity.kind === "module" && entity.files.some((path) => path.endsWith(".zig"));
}

/** The evaluation of expressions. `steps` is the depth in a chain, at most `MAX_STEPS`. */
interface Evaluation {
  readonly evaluate: Evaluate;
  readonly valueOf: (names: NameResolver, symbols: readonly SymbolRef[], steps: number) => Found;
}

/** Evaluates the types of parameters. Unknown ones are undefined. */
export class ZigEvaluator {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns a list of a type, which an alias may name, or of a file; undefined for what is no type of Zig. */
  async listOf(names: NameResolver, entity: Entity, steps: number): Found {
    if (entity.kind === "module") return isFileOfZig(entity) ? entity : undefined;
    const [named] = entity.kind === "symbols" ? entity.symbols : [];
    if (entity.kind !== "symbols" || named === undefined || !isZig(named.file)) return undefined;
    if (isType(named)) return { kind: "instance", type: named, layers: 1 };
    const value = await this.#evaluation.valueOf(names, entity.symbols, steps);
    if (value?.kind === "instance") return { ...value, layers: value.layers + 1 };
    return value === undefined || steps > MAX_STEPS
      ? undefined
      : this.listOf(names, value, steps + 1);
  }

  /** Returns the type of a parameter of a function, for a key `0/2`: the first of two arguments. Undefined for other languages. */
  parameterStep(
    names: NameResolver,
    entity: Entity,
    key: string,
    steps: number,
  ): Found | undefined {
    // `list.append(x)` of a list of the library.
    if (entity.kind === "instance" && isZig(entity.type.file)) return Promise.resolve(entity);
    const [first] = entity.kind === "symbols" ? entity.symbols : [];
    const [, at, count] = /^(\d+)\/(\d+)$/.exec(key) ?? [];
    if (first === undefined || at === undefined || !isZig(first.file)) return undefined;
    return this.#parameter(names, first, { at: Number(at), count: Number(count) }, steps);
  }

  async #parameter(
    names: NameResolver,
    called: SymbolRef,
    { at, count }: { readonly at: number; readonly count: number },
    steps: number,
  ): Found {
    const { file, number } = called;
    const mark = file.signatures?.[number] ?? "";
    if (!mark.startsWith("(")) return undefined;
    const types = mark.slice(1, -1).split(",");
    // A method is called with one argument less than it has parameters.
    const type = types[at + types.length - count];
    if (type === undefined || type === "" || types.length - count > 1) return undefined;
    return this.#evaluation.evaluate(names, { file, owner: -1 }, pathFrom(called, type), steps + 1);
  }
}

/** Returns the name of a type as the file sees it, which a type around a function may have as a member. */
function pathFrom(called: SymbolRef, type: string): string {
  const { file } = called;
  const [first = ""] = /^\w+/.exec(type) ?? [];
  const own = ownerName(called);
  if (first === "Self") return (own === "" ? "struct" : own) + type.slice(first.length);
  for (let owner = own; owner !== ""; owner = owner.replace(/\.?[^.]*$/, "")) {
    if (symbolsIn(file, `${owner}.${first}`).length > 0) return `${owner}.${type}`;
  }
  return type;
}
