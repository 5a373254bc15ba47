// Constants of JavaScript and TypeScript that hold an object whose keys are members: literals, schemas, tables, routers, stores.

import { isValueKind } from "../base/definition-kinds.ts";
import { UNKNOWN_SHAPE, type TypeShape } from "../base/type-shape.ts";
import type { Entity, SymbolRef } from "./entity.ts";
import { canUse } from "./name-rules.ts";

type Symbols = Extract<Entity, { kind: "symbols" }>;
type ShapeEntity = Extract<Entity, { kind: "shape" }>;
type Instance = Extract<Entity, { kind: "instance" }>;

/** Members of such objects of libraries that have, or return, the same members: of Zod, Drizzle, tRPC and stores of state. */
const SAME_MEMBERS = new Set(
  (
    "parse parseAsync shape strict strip passthrough partial deepPartial required pick omit extend safeExtend merge readonly optional " +
    "nullable nullish default describe refine superRefine $inferSelect $inferInsert _type _input _output useUtils useContext useTRPC " +
    "createCaller createClient getState"
  ).split(" "),
);

/** Returns the value of a definition; undefined if a library made it of an object, whose members are known. */
export function knownValue(ref: SymbolRef, value: Entity | undefined): Entity | undefined {
  return value?.kind === "outside" && holdsObject(ref) ? undefined : value;
}

/** Returns the first of some definitions that holds an object with members. */
export function objectAmong({ symbols }: Symbols): SymbolRef | undefined {
  return symbols.find(holdsObject);
}

/** Returns whether a definition is the value of such an object. */
export function holdsObject({ file, number, facts }: SymbolRef): boolean {
  if (!isValueKind(facts.kind) || !canUse(file.language, "javascript")) return false;
  const next = file.symbols[number + 1];
  return next !== undefined && next.qualifiedName === `${facts.qualifiedName}.${next.name}`;
}

/** Returns the first of some definitions that is a constant of a script. */
export function constantAmong({ symbols }: Symbols): SymbolRef | undefined {
  return symbols.find(({ file, facts }) => isValueKind(facts.kind) && isOfScript({ file, facts }));
}

/** Returns what a call of such an object returns: an object with its members. */
export function objectCalled(entity: Symbols): Instance | undefined {
  const type = objectAmong(entity);
  return type && { kind: "instance", type, layers: 0 };
}

/** Returns the object that a value is, if it is the definition of one. */
export function objectMeant(value: Entity | undefined): Entity | undefined {
  return value?.kind === "symbols" ? (objectCalled(value) ?? value) : value;
}

/** Returns the value of a member of a library that has the same members; undefined for others. */
export function withSameMembers(entity: Entity, name: string): Entity | undefined {
  const isList = name === "array";
  if (!isList && !SAME_MEMBERS.has(name)) return undefined;
  const isObject = entity.kind === "instance" && isOfScript(entity.type);
  const own = entity.kind === "symbols" ? objectCalled(entity) : isObject ? entity : undefined;
  return own && isList ? { ...own, layers: own.layers + 1 } : own;
}

function isOfScript({ file, facts }: Pick<SymbolRef, "file" | "facts">): boolean {
  return canUse(file.language, "javascript") && facts.kind !== "class";
}

/** Returns the function that a hook of a store takes, which gets the state: `useCart((state) => state.items)`. `value`: the state. */
export function selectorOf(entity: Entity, value: Entity): ShapeEntity | undefined {
  const [hook] = entity.kind === "symbols" ? entity.symbols : [];
  if (hook === undefined || value.kind !== "instance" || !isOfScript(hook)) return undefined;
  if (!/^use[A-Z]/.test(hook.facts.name)) return undefined;
  const { file, number: owner } = hook;
  const state: TypeShape = { kind: "value", expression: file.types[owner] ?? "" };
  const shape: TypeShape = {
    kind: "function",
    parameters: [state],
    hasRest: false,
    result: UNKNOWN_SHAPE,
  };
  return { kind: "shape", file, owner, shape };
}
