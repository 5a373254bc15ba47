// What names of Scala mean outside of types: in packages, package objects and imports. A package is a clause in a file, and
// its folder may be any.

import {
  OUTSIDE,
  ownerName,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { canUse } from "./name-rules.ts";
import { MAX_STEPS, type ResolutionContext } from "./resolution-context.ts";
import { isOfScala, isTypeMember } from "./scala-types.ts";
import type { TypeMembers } from "./type-members.ts";

const ROOT = "_root_";
/** Maximum depth at which wildcard imports of objects are followed: each may depend on all before it. */
const MAX_IMPORT_STEPS = 3;

/** What resolves members and types. */
interface ScalaResolver {
  readonly context: ResolutionContext;
  readonly types: TypeMembers;
  readonly within: (entity: Entity, name: string, steps: number) => Promise<Entity | undefined>;
  readonly typeNamed: (
    file: ScopedFile,
    path: string,
    steps: number,
    owner: number,
  ) => Promise<SymbolRef | undefined>;
}

interface NameLookup {
  readonly name: string;
  /** Number of the definition around the name. An import in another definition does not count. */
  readonly owner: number;
  /** Imports from this one on are not asked: an import can only use a name that is imported before it. Default: all are asked. */
  readonly before?: number;
  readonly steps: number;
}

/** Returns what a name means in a file, apart from members of the types around it; `OUTSIDE` if the project cannot define it. */
export async function scalaName(
  names: ScalaResolver,
  file: ScopedFile,
  { name, owner, before = file.imports.length, steps }: NameLookup,
): Promise<Entity | undefined> {
  if (steps > MAX_STEPS) return undefined;
  const here = symbolsEntity(symbolsIn(file, name));
  if (here !== undefined) return here;
  const visible = importsAround(file, owner).filter((number) => number < before);
  const bound = visible.findLast(
    (number) => file.imports[number]?.bindings.some((one) => one.local === name) === true,
  );
  const module = file.imports[bound ?? -1]?.module;
  if (bound !== undefined && module !== undefined)
    return boundBy(names, file, { number: bound, module, owner, steps: steps + 1 });
  const numbers = visible.toReversed();
  const found = await fromWildcards(names, file, { name, owner, numbers, steps });
  if (found !== undefined) return found;
  for (const around of packagesAround(file)) {
    // oxlint-disable-next-line no-await-in-loop -- innermost first
    const member = symbolsEntity(await membersOfPackage(names, around, name, steps));
    if (member !== undefined) return member;
  }
  const hits = await names.context.symbols.hits(name);
  return hits.length === 0 ? OUTSIDE : undefined;
}

/** Returns what the first of some imports makes visible under a name. */
async function fromWildcards(
  names: ScalaResolver,
  file: ScopedFile,
  { numbers, ...lookup }: Omit<NameLookup, "before"> & { readonly numbers: readonly number[] },
): Promise<Entity | undefined> {
  for (const number of numbers) {
    if (file.imports[number]?.isWildcard !== true) continue;
    // oxlint-disable-next-line no-await-in-loop -- the first match wins
    const found = await fromWildcard(names, file, { ...lookup, before: number });
    if (found === undefined) continue;
    // The compiler takes the class of the package itself, not its other name.
    const isAlias = found.kind === "symbols" && found.symbols.every(isTypeMember);
    const { name, steps } = lookup;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const own = isAlias ? await membersOfPackage(names, file.package, name, steps) : [];
    return symbolsEntity(own) ?? found;
  }
  return undefined;
}

/** Returns what an import of a file binds; `OUTSIDE` if it is of a library. */
export function importedInScala(
  names: ScalaResolver,
  file: ScopedFile,
  module: string,
  steps: number,
): Promise<Entity | undefined> {
  const number = file.imports.findLastIndex((one) => one.module === module);
  const owner = innermost(file, file.imports[number]?.line ?? 0);
  return boundBy(names, file, { number, module, owner, steps });
}

async function boundBy(
  names: ScalaResolver,
  file: ScopedFile,
  {
    number,
    module,
    owner,
    steps,
  }: { number: number; module: string; owner: number; steps: number },
): Promise<Entity | undefined> {
  const found = await scalaPath(names, file, { name: module, owner, before: number, steps });
  if (found !== undefined) return found;
  return names.context.target(file, module).isExternal ? OUTSIDE : undefined;
}

/** Returns a member of the package or of the object whose members an import makes visible. */
async function fromWildcard(
  names: ScalaResolver,
  file: ScopedFile,
  { name, owner, before, steps }: Required<NameLookup>,
): Promise<Entity | undefined> {
  const path = (file.imports[before]?.module ?? "").replace(/\.\*$/, "");
  for (const around of ["", ...packagesAround(file)]) {
    const inFull = joined(around, path.replace(`${ROOT}.`, ""));
    // oxlint-disable-next-line no-await-in-loop -- the first match wins
    const found = symbolsEntity(await membersOfPackage(names, inFull, name, steps));
    if (found !== undefined) return found;
  }
  // What an import further up makes visible may depend on others before it.
  if (steps > MAX_IMPORT_STEPS) return undefined;
  const object = await scalaPath(names, file, { name: path, owner, before, steps: steps + 1 });
  const member =
    object?.kind === "symbols" ? await names.within(object, name, steps + 1) : undefined;
  return member?.kind === "symbols" ? member : undefined;
}

/** Resolves a path: a package, then objects in it; or from a name on that the file knows. */
export async function scalaPath(
  names: ScalaResolver,
  file: ScopedFile,
  { name: path, owner, before = file.imports.length, steps }: NameLookup,
): Promise<Entity | undefined> {
  const parts = path.split(".");
  const isInFull = parts[0] === ROOT;
  if (isInFull) parts.shift();
  for (const around of isInFull ? [""] : ["", ...packagesAround(file)]) {
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const inFull = joined(around, parts.slice(0, depth).join("."));
      // oxlint-disable-next-line no-await-in-loop -- the longest package wins
      const found = await membersOfPackage(names, inFull, parts[depth] ?? "", steps);
      const rest = parts.slice(depth + 1);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const inner = await memberPath(names, symbolsEntity(found), rest, steps);
      if (inner !== undefined) return inner;
    }
  }
  const [first = "", ...rest] = parts;
  if (rest.length === 0 && file.imports[before]?.bindings.some(({ local }) => local === first)) {
    return undefined;
  }
  const start = await scalaName(names, file, { name: first, owner, before, steps: steps + 1 });
  return memberPath(names, start, rest, steps);
}

async function memberPath(
  names: ScalaResolver,
  start: Entity | undefined,
  parts: readonly string[],
  steps: number,
): Promise<Entity | undefined> {
  let entity = start?.kind === "symbols" ? start : undefined;
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- each part depends on the previous one
    const next: Entity | undefined = entity && (await names.within(entity, part, steps + 1));
    entity = next?.kind === "symbols" ? next : undefined;
  }
  return entity;
}

/** Returns the packages whose members a file sees: its own, those around it, and those of its package objects. */
function packagesAround({ package: own, symbols }: ScopedFile): readonly string[] {
  const parts = own.split(".");
  const objects = symbols.filter(({ kind }) => kind === "module");
  return [
    ...objects.map(({ name }) => joined(own, name)),
    ...parts.map((_, at) => parts.slice(0, parts.length - at).join(".")),
  ];
}

/** By file: the range of lines of the definition around each import; undefined at the top level. */
const IMPORT_RANGES = new WeakMap<ScopedFile, readonly (LineRange | undefined)[]>();

type LineRange = Pick<SymbolRef["facts"], "startLine" | "endLine">;

/** Returns the number of the innermost definition that contains a line; -1 if there is none. */
function innermost({ symbols }: ScopedFile, line: number): number {
  return symbols.findLastIndex(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/** Returns the numbers of the imports that a definition sees. */
function importsAround(file: ScopedFile, owner: number): readonly number[] {
  const ranges = IMPORT_RANGES.get(file) ?? importRanges(file);
  IMPORT_RANGES.set(file, ranges);
  const inner = file.symbols[owner];
  return [...ranges.keys()].filter((number) => {
    const around = ranges[number];
    return around === undefined || (inner !== undefined && contains(around, inner));
  });
}

function importRanges({ imports, symbols }: ScopedFile): readonly (LineRange | undefined)[] {
  return imports.map(({ line }) =>
    symbols.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine),
  );
}

function contains(outer: LineRange, { startLine, endLine }: LineRange): boolean {
  return outer.startLine <= startLine && endLine <= outer.endLine;
}

/** Returns the definitions of a package with a name, and those of its package object. */
async function membersOfPackage(
  names: ScalaResolver,
  inPackage: string,
  name: string,
  steps: number,
): Promise<readonly SymbolRef[]> {
  const { memo, symbols } = names.context;
  return memo.getOrResolve(`scala ${inPackage} ${name}`, steps, async () => {
    const object = inPackage.slice(inPackage.lastIndexOf(".") + 1);
    const all = await symbols.definitionsThat(
      name,
      (hit) => hit.qualifiedName === name || hit.qualifiedName === `${object}.${name}`,
    );
    const found = all.filter((ref) => isMemberOf(ref, inPackage));
    return found.length > 0 || object === ""
      ? found
      : inheritedByPackage(names, { inPackage, object }, name, steps);
  });
}

async function inheritedByPackage(
  names: ScalaResolver,
  { inPackage, object }: { inPackage: string; object: string },
  name: string,
  steps: number,
): Promise<readonly SymbolRef[]> {
  const objects = await names.context.symbols.definitionsThat(
    object,
    (hit) => hit.kind === "module" && hit.qualifiedName === object,
  );
  for (const one of objects) {
    if (!isOfScala(one) || joined(one.file.package, object) !== inPackage) continue;
    // oxlint-disable-next-line no-await-in-loop -- mostly one
    const { found } = await names.types.members(one, name, steps + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function isMemberOf(ref: SymbolRef, inPackage: string): boolean {
  if (!canUse("scala", ref.file.language)) return false;
  const owner = ownerName(ref);
  if (owner === "") return ref.file.package === inPackage;
  const isObject = symbolsIn(ref.file, owner).some(({ facts }) => facts.kind === "module");
  return isObject && isOfScala(ref) && joined(ref.file.package, owner) === inPackage;
}

function joined(around: string, path: string): string {
  return around === "" || path === "" ? around + path : `${around}.${path}`;
}
