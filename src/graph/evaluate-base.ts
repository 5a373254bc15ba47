// Evaluates the beginnings of expressions: names, types, and symbols of the file.

import { sideIn, variantsAmong } from "./distinctions.ts";
import {
  isOfRuby,
  isType,
  OUTSIDE,
  symbolRef,
  type Entity,
  type ScopedFile,
  type SymbolRef,
  type TypeArguments,
} from "./entity.ts";
import type { Expression, Step } from "./expression.ts";
import { nameRules } from "./name-rules.ts";
import type { NameResolver } from "./name-resolver.ts";
import { longestBoundPrefix } from "./own-names.ts";
import { ownModule } from "./script-exports.ts";

/** Where an expression is. */
export interface EvaluationPlace {
  readonly file: ScopedFile;
  /** Number of the enclosing definition; -1 at the top level. */
  readonly owner: number;
  /** What its type parameters are. */
  readonly arguments?: TypeArguments;
}

/** Evaluates an expression. `steps` is the depth in a chain, at most `MAX_STEPS`. Unknown values are undefined. */
export type Evaluate = (
  names: NameResolver,
  place: EvaluationPlace,
  text: string,
  steps: number,
) => Promise<Entity | undefined>;

/** An expression that begins in a file. */
interface NamedExpression {
  readonly base: Exclude<Expression["base"], { kind: "parameter" }>;
  readonly steps: Expression["steps"];
}

/** Moves steps into the name as long as an import binds it, because imports can bind names with dots. */
export function withLongestName(
  file: ScopedFile,
  { base, steps }: NamedExpression,
): NamedExpression {
  if (base.kind === "own" || (base.kind === "instance" && base.layers > 0)) return { base, steps };
  const end = steps.findIndex(({ kind }) => kind !== "member");
  const members = steps.slice(0, end === -1 ? steps.length : end);
  const path = [base.name, ...members.map((step) => (step.kind === "member" ? step.name : ""))];
  const name = longestBoundPrefix(file, path.join("."));
  return { base: { ...base, name }, steps: steps.slice(name.split(".").length - 1) };
}

interface EvaluationStart {
  readonly entity: Entity | undefined;
  /** The number of steps that are part of the name. */
  readonly taken: number;
}

/** Returns what the base of an expression refers to. */
export async function evaluateBase(
  names: NameResolver,
  { file, owner }: EvaluationPlace,
  { base, steps: path }: NamedExpression,
  steps: number,
): Promise<EvaluationStart> {
  if (base.kind === "own") return { entity: ownEntity(file, base.symbol, owner), taken: 0 };
  const start = await startOf(names, { file, owner }, { base, steps: path }, steps);
  if (base.kind === "name") return start;
  const named = base.layers > 0 ? start : await withQualifiedName(names, start, path, steps);
  const { entity, taken } = named;
  return {
    entity: instanceOf(entity, base.layers) ?? constructedBy(entity, base.layers),
    taken,
  };
}

/** Returns the meaning of the name in the file or, if there is none, the module that the path begins with. */
async function startOf(
  names: NameResolver,
  { file, owner }: EvaluationPlace,
  { base, steps: path }: NamedExpression,
  steps: number,
): Promise<EvaluationStart> {
  const name = base.kind === "own" ? "" : base.name;
  const entity =
    base.kind === "instance"
      ? await names.typePath(file, name, steps, owner)
      : await names.path(file, name, steps, owner);
  // In PHP the beginning of a name in full may also be a folder of the project.
  const isUnknown = entity === undefined || entity.kind === "outside";
  if (!isUnknown && (entity.kind !== "module" || file.language !== "php")) {
    return { entity, taken: 0 };
  }
  const end = path.findIndex(({ kind }) => kind !== "member");
  const members = path.slice(0, end === -1 ? path.length : end);
  const parts = members.map((step) => (step.kind === "member" ? step.name : ""));
  const own = ownModule(file, name, parts[0]);
  if (own !== undefined) return own;
  const rooted = isUnknown ? names.rooted(file, [name, ...parts]) : undefined;
  if (rooted !== undefined) return { ...rooted, taken: rooted.taken - 1 };
  for (let taken = longestInFull(file, parts); taken > 0; taken -= 1) {
    const inFull = [name, ...parts.slice(0, taken)].join(".");
    // oxlint-disable-next-line no-await-in-loop -- the longest name wins
    const named = await names.path(file, inFull, steps, owner);
    if (named?.kind === "symbols") return { entity: named, taken };
  }
  return { entity, taken: 0 };
}

function longestInFull({ language }: ScopedFile, parts: readonly string[]): number {
  return nameRules(language).hasNamesInFull === true ? parts.length : 0;
}

/** Returns the definition that `A\B\open` of PHP names in full, or `a.b.open` of Scala, which may begin with a package. */
export async function namedInFull(
  names: NameResolver,
  { file, owner }: EvaluationPlace,
  { receiver, name }: { receiver: string; name: string },
): Promise<Entity | undefined> {
  if (nameRules(file.language).hasNamesInFull !== true || !/^[\w.]+$/.test(receiver)) {
    return undefined;
  }
  // Names of PHP mean the same in all of a file.
  const around = file.language === "php" ? -1 : owner;
  const named = await names.path(file, `${receiver}.${name}`, 0, around);
  return named?.kind === "symbols" ? named : undefined;
}

/** Follows members as long as they are modules or nested types. */
async function withQualifiedName(
  names: NameResolver,
  start: EvaluationStart,
  path: readonly Step[],
  steps: number,
): Promise<EvaluationStart> {
  let { entity, taken } = start;
  for (const step of path.slice(taken)) {
    if (entity === undefined || step.kind !== "member") break;
    // oxlint-disable-next-line no-await-in-loop -- each is looked up in the one before
    const inner = await names.within(entity, step.name, steps);
    const isInner = inner?.kind === "symbols" && inner.symbols.some(isType);
    const isModule = entity.kind === "module" || entity.kind === "namespace";
    if (!isModule && !isInner) break;
    entity = inner;
    taken += 1;
  }
  return { entity, taken };
}

/** Returns what `self` is: in a method of a class in Ruby the class, else an object of it. */
function ownEntity(file: ScopedFile, symbol: number, owner: number): Entity | undefined {
  const type = symbolRef(file, symbol);
  const isCallee = file.language === "ruby" && /^(?:function|method)$/.test(type?.facts.kind ?? "");
  const isClass = sideIn(symbolRef(file, owner)) === "class";
  // The method itself evaluates the values that calls pass to its parameters.
  return (isClass || isCallee) && type !== undefined
    ? { kind: "symbols", symbols: [type] }
    : instance(type, 0);
}

/** Returns an object of a type. `layers`: the number of containers around it. */
export function instance(type: SymbolRef | undefined, layers: number): Entity | undefined {
  return type && { kind: "instance", type, layers };
}

/** Returns a value of the type that the name refers to. */
export function instanceOf(entity: Entity | undefined, layers: number): Entity | undefined {
  if (entity?.kind === "symbols") {
    const [type, ...variants] = variantsAmong(entity.symbols);
    const found = instance(type, layers);
    return found?.kind === "instance" && variants.length > 0 ? { ...found, variants } : found;
  }
  return entity?.kind === "outside" ? OUTSIDE : undefined;
}

/** Returns an object that `new` creates with a function of a script, or with another name of a class in Ruby. */
function constructedBy(entity: Entity | undefined, layers: number): Entity | undefined {
  if (entity?.kind !== "symbols") return undefined;
  return instance(entity.symbols.find(isConstructing), layers);
}

/** Returns whether a type has constants that are objects of it. */
function isEnum({ file, number }: SymbolRef): boolean {
  if (!/^(?:java|kotlin|dart)$/.test(file.language)) return false;
  return file.symbols.some(
    ({ kind }, at) => kind === "constant" && file.types[at] === `#${number}`,
  );
}

function isConstructing({ file: { language }, facts: { kind } }: SymbolRef): boolean {
  if (language === "ruby") return kind === "constant";
  return language === "javascript" && (kind === "function" || kind === "method");
}

/** Returns what `new` of a class and `class` of an object are in Ruby, and `valueOf` of an enum in Java, where no symbols define them. */
function ownMember(entity: Entity, name: string): Entity | undefined {
  if (entity.kind === "symbols" && /^value(?:s|Of)$/.test(name) && entity.symbols.some(isEnum)) {
    return instanceOf(entity, name === "values" ? 1 : 0);
  }
  if (name === "new" && entity.kind === "symbols" && entity.symbols.some(isOfRuby)) {
    return instanceOf(entity, 0);
  }
  const isClass = name === "class" && entity.kind === "instance" && isOfRuby(entity.type);
  return isClass ? { kind: "symbols", symbols: [entity.type] } : undefined;
}

/** Returns what a name means after an object or a type that the language itself defines. */
export async function specialMember(
  names: NameResolver,
  entity: Entity,
  name: string,
  steps: number,
): Promise<Entity | undefined> {
  // `Outer.this`
  if (name === "this" && entity.kind === "symbols") return instanceOf(entity, 0);
  const isBase = name === "super" && entity.kind === "instance";
  return isBase ? basesOf(names, entity.type, steps) : ownMember(entity, name);
}

/** Returns a value that is one of each type that a type inherits from. */
async function basesOf(
  names: NameResolver,
  type: SymbolRef,
  steps: number,
): Promise<Entity | undefined> {
  const types = await names.types.supertypes(type, steps + 1);
  const [first, ...variants] = types.filter((one) => one !== undefined);
  return first && { kind: "instance", type: first, layers: 0, variants };
}
