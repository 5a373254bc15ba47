// Names of Swift: the files of a module see each other without imports, and extensions add members to types of any module.

import { isRelation } from "../base/compiler-target.ts";
import type { Use } from "../parse/references/references.ts";
import {
  isCallable,
  isType,
  OUTSIDE,
  ownerName,
  symbolRef,
  symbolsEntity,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateReceiver } from "./evaluate-expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { UseResolution } from "./resolve-use.ts";
import {
  fitOfLabels,
  isSwift,
  isSwiftExtension,
  swiftAround,
  swiftLabels,
  swiftMembers,
  typeParametersOf,
} from "./swift-types.ts";

/** If more definitions have a name, and no labels tell them apart, a use by name counts as unknown. */
const MAX_BY_NAME = 10;

/** The mark of an associated type. */
const ASSOCIATED = "associatedtype";

interface Sought {
  readonly name: string;
  readonly owner: number;
  readonly steps: number;
}

/** Resolves an unqualified name. */
export async function swiftName(
  names: NameResolver,
  file: ScopedFile,
  { name, owner, steps }: Sought,
): Promise<Entity | undefined> {
  if (name === "Self") return symbolsEntity(await typesAround(names, file, owner, steps));
  const around = await memberAround(names, file, { name, owner, steps });
  if (around === "parameter") return undefined;
  if (around !== undefined) return around;
  const all = (
    await names.context.symbols.definitionsThat(name, (hit) => hit.qualifiedName === name)
  ).filter((ref) => isSwift(ref.file) && isVisible(file, ref));
  const definitions = all.filter((ref) => !isSwiftExtension(ref));
  const own = definitions.filter(
    (ref) => ref.file.path === file.path && ref.facts.access === "private",
  );
  if (own.length > 0) return symbolsEntity(own);
  const siblings = names.context.siblingsOf(file);
  const nearby = definitions.filter(
    (ref) => ref.file.path === file.path || siblings.has(ref.file.path),
  );
  if (nearby.length > 0) return nearestEntity(file, nearby);
  const imported = importedFrom(names, file, definitions);
  if (imported.length > 0) return nearestEntity(file, imported);
  if (definitions.length > 0) return isOne(definitions) ? symbolsEntity(definitions) : undefined;
  // A module before a name, or a type of a library that the project extends.
  const module = file.imports.some((one) => one.module === name)
    ? names.context.target(file, name)
    : undefined;
  if (module !== undefined && module.files.length > 0)
    return { kind: "module", files: module.files, isPackage: true };
  return symbolsEntity(all.slice(0, 1)) ?? OUTSIDE;
}

function isVisible(file: ScopedFile, { file: { path }, facts }: SymbolRef): boolean {
  return facts.access !== "private" || path === file.path;
}

/** Returns the definitions of a name in a module. Folders of several programs count as one module: the nearest file is meant. */
function nearestEntity(file: ScopedFile, symbols: readonly SymbolRef[]): Entity | undefined {
  if (isOne(symbols) || symbols.every(isFunction)) return symbolsEntity(symbols);
  const common = symbols.map((ref) => commonFolders(file.path, ref.file.path));
  const most = Math.max(...common);
  const nearest = symbols.filter((_, at) => common[at] === most);
  return isOne(nearest) ? symbolsEntity(nearest) : undefined;
}

function isFunction({ facts: { kind } }: SymbolRef): boolean {
  return kind === "function";
}

/** Returns how many folders two paths have in common; more than any for the same path. */
function commonFolders(one: string, other: string): number {
  if (one === other) return Number.POSITIVE_INFINITY;
  const [parts, others] = [one.split("/"), other.split("/")];
  const end = parts.findIndex((part, at) => part !== others[at]);
  return end === -1 ? parts.length : end;
}

function isOne(symbols: readonly SymbolRef[]): boolean {
  return new Set(symbols.map((ref) => ref.file.path)).size === 1;
}

/** Returns the definitions in the modules that a file imports. */
function importedFrom(
  names: NameResolver,
  file: ScopedFile,
  definitions: readonly SymbolRef[],
): readonly SymbolRef[] {
  if (definitions.length === 0) return [];
  const files = new Set(
    file.imports.flatMap(({ module }) => names.context.target(file, module).files),
  );
  return definitions.filter((ref) => files.has(ref.file.path));
}

/** Returns the innermost type around a definition, or none. */
async function typesAround(
  names: NameResolver,
  file: ScopedFile,
  owner: number,
  steps: number,
): Promise<readonly SymbolRef[]> {
  let around = symbolRef(file, owner);
  while (around !== undefined && !isType(around)) around = swiftAround(file, around);
  const type = around && (await swiftType(names, around, steps + 1));
  return type === undefined ? [] : [type];
}

/** Returns the index of the parameter with a name of the innermost type around; -1 if it has none. */
export async function parameterAround(
  names: NameResolver,
  { file, owner }: { readonly file: ScopedFile; readonly owner: number },
  name: string,
  steps: number,
): Promise<number> {
  const [type] = await typesAround(names, file, owner, steps);
  return type === undefined ? -1 : typeParametersOf(type).indexOf(name);
}

/** Returns the member of a type around that a name means, or whether it is a type parameter, which is no definition. */
async function memberAround(
  names: NameResolver,
  file: ScopedFile,
  { name, owner, steps }: Sought,
): Promise<Entity | "parameter" | undefined> {
  for (let around = symbolRef(file, owner); around !== undefined;) {
    if (isType(around)) {
      // oxlint-disable-next-line no-await-in-loop -- innermost first
      const type = (await swiftType(names, around, steps + 1)) ?? around;
      if (type.facts.name === name && !isSwiftExtension(type)) return symbolsEntity([type]);
      if (typeParametersOf(type).includes(name)) return "parameter";
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { found } = await names.types.members(type, name, steps + 1);
      const visible = found.filter((ref) => isVisible(file, ref));
      if (visible.length > 0) return symbolsEntity(visible);
    }
    const next = swiftAround(file, around);
    const outer = ownerName(around);
    if (next === undefined && outer !== "") {
      // An extension of a type in another one.
      // oxlint-disable-next-line no-await-in-loop -- as above
      return memberOfOuter(names, file, { outer, name, steps });
    }
    around = next;
  }
  return undefined;
}

async function memberOfOuter(
  names: NameResolver,
  file: ScopedFile,
  { outer, name, steps }: { readonly outer: string; readonly name: string; readonly steps: number },
): Promise<Entity | undefined> {
  const type = await names.typeNamed(file, outer, steps + 1);
  if (type === undefined) return undefined;
  const { found } = await names.types.members(type, name, steps + 1);
  const visible = found.filter((ref) => isVisible(file, ref));
  if (visible.length > 0) return symbolsEntity(visible);
  const further = ownerName(type);
  return further === ""
    ? undefined
    : memberOfOuter(names, file, { outer: further, name, steps: steps + 1 });
}

/** Returns the definition of a type, for one of its extensions; the extension itself if the project does not define the type. */
async function swiftType(
  names: NameResolver,
  part: SymbolRef,
  steps: number,
): Promise<SymbolRef | undefined> {
  if (!isSwiftExtension(part)) return part;
  const key = `swift type ${part.file.id} ${part.facts.qualifiedName}`;
  return names.context.memo.getOrResolve(key, steps, async () => {
    const { qualifiedName, name } = part.facts;
    const all = await names.context.symbols.definitionsThat(
      name,
      (hit) => hit.qualifiedName === qualifiedName && hit.kind !== "method",
    );
    const definitions = all.filter(
      (ref) => isSwift(ref.file) && isType(ref) && !isSwiftExtension(ref),
    );
    const siblings = names.context.siblingsOf(part.file);
    const isNear = ({ file }: SymbolRef): boolean =>
      file.path === part.file.path || siblings.has(file.path);
    const found =
      definitions.find(isNear) ?? importedFrom(names, part.file, definitions)[0] ?? definitions[0];
    if (found !== undefined) return found;
    // `extension Alias.Inner`
    const path = qualifiedName.split(".");
    const entity =
      path.length > 1
        ? await byPath(names, part.file, { path, owner: -1, steps: steps + 1 })
        : undefined;
    return entity ?? part;
  });
}

/** Returns the type of a name in a file, which may be in other types. */
export async function swiftTypeNamed(
  names: NameResolver,
  file: ScopedFile,
  { path, owner, steps }: { readonly path: string; readonly owner: number; readonly steps: number },
): Promise<SymbolRef | undefined> {
  const found = await byPath(names, file, { path: path.split("."), owner, steps });
  return found && swiftType(names, found, steps + 1);
}

async function byPath(
  names: NameResolver,
  file: ScopedFile,
  {
    path,
    owner,
    steps,
  }: { readonly path: readonly string[]; readonly owner: number; readonly steps: number },
): Promise<SymbolRef | undefined> {
  const [first = "", ...rest] = path;
  let entity = await names.name(file, first, owner, steps + 1);
  for (const part of rest) {
    // oxlint-disable-next-line no-await-in-loop -- each part is in the one before
    entity = entity && (await names.within(entity, part, steps + 1));
  }
  return entity?.kind === "symbols" ? entity.symbols.find(isType) : undefined;
}

/**
 * Completes what is known of a use: of overloads, those remain that fit its labels, and of a member that the type of its receiver
 * does not have, those that extensions of a library's types add.
 */
export async function swiftResolution(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
  {
    resolution,
    toConstructors,
  }: { readonly resolution: UseResolution; readonly toConstructors: boolean },
): Promise<UseResolution> {
  if (isRelation(use.receiver)) return resolution;
  if (resolution.kind === "exact") {
    const found = await amongOverloads(names, file, use, resolution.symbols);
    const type = found.kind === "exact" ? found.symbols.find(isType) : undefined;
    if (!toConstructors || type === undefined || use.role !== "call") return found;
    const called = await swiftConstructors(names, type, use.arguments);
    return called.length === 0 ? { kind: "outside" } : oneOf(called);
  }
  if (resolution.kind === "module") return resolution;
  if (use.receiver === "") {
    if (resolution.kind !== "outside") return byOuterName(names, file, use);
    const isType = use.role === "type" || use.role === "inherit";
    return isType ? resolution : byName(names, file, use, "added");
  }
  const isKnown =
    resolution.kind === "outside" ||
    (use.receiver !== "?" && (await isKnownReceiver(names, file, use)));
  return byName(names, file, use, isKnown ? "added" : "any");
}

async function isKnownReceiver(
  names: NameResolver,
  file: ScopedFile,
  { owner, receiver }: Use,
): Promise<boolean> {
  const entity = await evaluateReceiver(names, { file, owner }, receiver.replace(/\^$/, ""));
  if (entity === undefined) return false;
  if (entity.kind === "instance") return !isAbstract(entity.type);
  return entity.kind === "outside" || (entity.kind === "symbols" && entity.symbols.some(isType));
}

/** An associated type may be any type. */
function isAbstract({ file, number, facts }: SymbolRef): boolean {
  return facts.kind === "type" && file.signatures?.[number] === ASSOCIATED;
}

/** Of definitions, returns those that a use means. */
function amongOverloads(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
  symbols: readonly SymbolRef[],
): UseResolution | Promise<UseResolution> {
  const defined = symbols.filter((ref) => !isSwiftExtension(ref));
  if (defined.length === 0) return { kind: "outside" };
  const visible = defined.filter((ref) => isVisible(file, ref));
  const { arguments: passed } = use;
  if (visible.length === 0) return byName(names, file, use, "any");
  if (use.role === "call" && visible.some(isType))
    return { kind: "exact", symbols: visible.filter(isType) };
  const callable = visible.filter(isCallable);
  if (passed === undefined || callable.length === 0) {
    const values = visible.filter((ref) => !isCallable(ref));
    return oneOf(values.length > 0 ? values : visible);
  }
  const fits = callable.map((ref) =>
    use.role === "call" ? fitOfLabels(ref, passed) : named(ref, passed),
  );
  const best = Math.max(...fits);
  if (best === 0) {
    const values = visible.filter((ref) => !isCallable(ref));
    return values.length > 0 ? oneOf(values) : byName(names, file, use, "any");
  }
  return oneOf(callable.filter((_, at) => fits[at] === best));
}

function named(ref: SymbolRef, passed: string): 0 | 2 {
  return swiftLabels(ref) === passed ? 2 : 0;
}

/** A requirement of a protocol and what its extensions implement are one. */
function oneOf(symbols: readonly SymbolRef[]): UseResolution {
  const kinds = new Set(
    symbols.map((ref) => `${ref.facts.qualifiedName} ${isCallable(ref)} ${swiftLabels(ref) ?? ""}`),
  );
  return kinds.size === 1 ? { kind: "exact", symbols } : { kind: "overloads", symbols };
}

/** Returns the definitions outside of types that may have the name of a use: one of several modules is meant. */
async function byOuterName(
  names: NameResolver,
  file: ScopedFile,
  { name, owner }: Use,
): Promise<UseResolution> {
  const around = await memberAround(names, file, { name, owner, steps: 0 });
  if (around !== undefined) return { kind: "outside" };
  const all = await names.context.symbols.definitionsThat(
    name,
    (hit) => hit.qualifiedName === name,
  );
  const symbols = all.filter(
    (ref) => isSwift(ref.file) && isVisible(file, ref) && !isSwiftExtension(ref),
  );
  if (symbols.length === 0 || symbols.length > MAX_BY_NAME) return { kind: "outside" };
  return { kind: "overloads", symbols, isByName: true };
}

/** Returns the members that only the name and the labels of a use name. "added": only those of extensions of a library's types. */
async function byName(
  names: NameResolver,
  file: ScopedFile,
  { name, role, arguments: passed }: Use,
  which: "added" | "any",
): Promise<UseResolution> {
  const all = await names.context.symbols.definitionsThat(
    name,
    (hit) => ownerName({ facts: hit }) !== "",
  );
  const possible: SymbolRef[] = [];
  for (const ref of all) {
    if (!isSwift(ref.file) || !isVisible(file, ref) || isSwiftExtension(ref)) continue;
    if (role === "call" && passed !== undefined && fitOfLabels(ref, passed) === 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    if (which === "any" || (await isAdded(names, ref))) possible.push(ref);
  }
  if (possible.length === 0 || possible.length > MAX_BY_NAME) return { kind: "outside" };
  return { kind: "overloads", symbols: possible, isByName: true };
}

/** Returns whether a member is in an extension of a type that the project does not define. */
async function isAdded(names: NameResolver, member: SymbolRef): Promise<boolean> {
  const around = swiftAround(member.file, member);
  const type = around && (await swiftType(names, around, 0));
  if (type === undefined) return false;
  const key = `swift added ${type.file.id} ${type.number}`;
  return names.context.memo.getOrResolve(key, 0, async () => {
    if (await isForeign(names, type)) return true;
    // A protocol that an extension adds to a type of a library.
    for (const { path, uses } of await names.context.reader.usesOf(type.facts.name)) {
      for (const { role, owner } of uses) {
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        const file = role === "inherit" ? await names.context.symbols.file(path) : undefined;
        const heir = file && symbolRef(file, owner);
        if (heir === undefined || !isSwiftExtension(heir)) continue;
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (await isForeign(names, heir)) return true;
      }
    }
    return false;
  });
}

/** Returns whether a type is one of a library that the project extends, perhaps by another name. */
async function isForeign(names: NameResolver, part: SymbolRef): Promise<boolean> {
  const type = await swiftType(names, part, 0);
  if (type === undefined || isSwiftExtension(type)) return true;
  const [, alias] = /^@([\w.]+)$/.exec(type.file.types[type.number] ?? "") ?? [];
  if (type.facts.kind !== "type" || alias === undefined) return false;
  const other = await names.typeNamed(type.file, alias, 1);
  return other === undefined || isSwiftExtension(other);
}

/** Returns the constructors that a call of a type's name means; all of them if none fits. */
export async function swiftConstructors(
  names: NameResolver,
  type: SymbolRef,
  passed: string | undefined,
): Promise<readonly SymbolRef[]> {
  const all = await swiftMembers(names.context, type, "init");
  const fits = all.map((ref) => (passed === undefined ? 0 : fitOfLabels(ref, passed)));
  const best = Math.max(0, ...fits);
  return best === 0 ? [] : all.filter((_, at) => fits[at] === best);
}
