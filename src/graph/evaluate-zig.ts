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

type Instance = Extract<Entity, { kind: "instance" }>;
type Found = Promise<Entity | undefined>;

/** Returns whether a file is one of Zig. */
export function isZig({ language }: Pick<ScopedFile, "language">): boolean {
  return language === "zig";
}

/** Returns the expression of the type of an object: in Zig, a type has the members of its objects. */
export function withoutInstance(file: ScopedFile, text: string): string {
  return isZig(file) && text.startsWith("@") ? text.slice(1) : text;
}

/** Returns whether an entity is a file of Zig, which is a structure: lists of it are the same here. */
export function isFileOfZig(entity: Entity): boolean {
  return entity.kind === "module" && entity.files.some((path) => path.endsWith(".zig"));
}

/** Returns an object of a type; undefined for what is no type of Zig. */
export function objectInZig(entity: Entity | undefined): Instance | undefined {
  const [type] = entity?.kind === "symbols" ? entity.symbols : [];
  return type !== undefined && isZig(type.file) && isType(type)
    ? { kind: "instance", type, layers: 0 }
    : undefined;
}

/** What evaluates an expression. */
interface Evaluation {
  readonly evaluate: Evaluate;
  readonly names: NameResolver;
}

/**
 * Returns the type of a parameter of a function, for a key `0/2`: the first of two arguments. Undefined for other languages.
 * `steps` is the depth in a chain, at most `MAX_STEPS`.
 */
export function parameterInZig(
  evaluation: Evaluation,
  entity: Entity,
  key: string,
  steps: number,
): Found | undefined {
  // `list.append(x)` of a list of the library.
  if (entity.kind === "instance" && isZig(entity.type.file)) return Promise.resolve(entity);
  const [called] = entity.kind === "symbols" ? entity.symbols : [];
  const [, at, count] = /^(\d+)\/(\d+)$/.exec(key) ?? [];
  if (called === undefined || at === undefined || !isZig(called.file)) return undefined;
  const mark = called.file.signatures?.[called.number] ?? "";
  const types = mark.startsWith("(") ? mark.slice(1, -1).split(",") : [];
  // A method is called with one argument less than it has parameters.
  const missing = types.length - Number(count);
  const type = missing > 1 ? undefined : types[Number(at) + missing];
  if (type === undefined || type === "") return undefined;
  const { evaluate, names } = evaluation;
  return evaluate(names, { file: called.file, owner: -1 }, pathFrom(called, type), steps + 1);
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
