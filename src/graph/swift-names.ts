// Names of Swift: the files of a module see each other without imports, and extensions add members to types of any module.

import {
  definitionAround,
  isType,
  OUTSIDE,
  ownerName,
  symbolRef,
  symbolsEntity,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import type { ResolutionContext } from "./resolution-context.ts";
import { isSwift, isSwiftExtension, typeParametersOf } from "./swift-types.ts";
import type { TypeMembers } from "./type-members.ts";

/** What resolves names, as far as it is needed here. */
export interface SwiftResolver {
  readonly context: ResolutionContext;
  readonly types: Pick<TypeMembers, "members">;
  readonly name: (
    file: ScopedFile,
    name: string,
    owner: number,
    steps: number,
  ) => Promise<Entity | undefined>;
  readonly within: (entity: Entity, name: string, steps: number) => Promise<Entity | undefined>;
  readonly typeNamed: (
    file: ScopedFile,
    path: string,
    steps: number,
  ) => Promise<SymbolRef | undefined>;
}

interface Sought {
  readonly name: string;
  readonly owner: number;
  readonly steps: number;
}

/** Resolves an unqualified name. */
export async function swiftName(
  names: SwiftResolver,
  file: ScopedFile,
  { name, owner, steps }: Sought,
): Promise<Entity | undefined> {
  if (name === "Self") return symbolsEntity(await typesAround(names, file, owner, steps));
  const around = await swiftMemberAround(names, file, { name, owner, steps });
  if (around === "parameter") return undefined;
  if (around !== undefined) return around;
  return outerName(names, file, name);
}

/** Resolves a name outside of types: in the module, in those that the file imports, and in the whole project. */
async function outerName(
  names: SwiftResolver,
  file: ScopedFile,
  name: string,
): Promise<Entity | undefined> {
  const named = await names.context.symbols.definitionsThat(
    name,
    (hit) => hit.qualifiedName === name,
  );
  const all = named.filter((ref) => isSwift(ref.file) && isVisible(file, ref));
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

export function isVisible(file: ScopedFile, { file: { path }, facts }: SymbolRef): boolean {
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
  names: SwiftResolver,
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
  names: SwiftResolver,
  file: ScopedFile,
  owner: number,
  steps: number,
): Promise<readonly SymbolRef[]> {
  let around = symbolRef(file, owner);
  while (around !== undefined && !isType(around)) around = definitionAround(file, around);
  const type = around && (await swiftType(names, around, steps + 1));
  return type === undefined ? [] : [type];
}

/** Returns the index of the parameter with a name of the innermost type around; -1 if it has none. */
export async function parameterAround(
  names: SwiftResolver,
  { file, owner }: { readonly file: ScopedFile; readonly owner: number },
  name: string,
  steps: number,
): Promise<number> {
  const [type] = await typesAround(names, file, owner, steps);
  return type === undefined ? -1 : typeParametersOf(type).indexOf(name);
}

/** Returns the member of a type around that a name means, or whether it is a type parameter, which is no definition. */
export async function swiftMemberAround(
  names: SwiftResolver,
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
    const next = definitionAround(file, around);
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
  names: SwiftResolver,
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
export async function swiftType(
  names: SwiftResolver,
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
  names: SwiftResolver,
  file: ScopedFile,
  { path, owner, steps }: { readonly path: string; readonly owner: number; readonly steps: number },
): Promise<SymbolRef | undefined> {
  const found = await byPath(names, file, { path: path.split("."), owner, steps: steps + 1 });
  return found && swiftType(names, found, steps + 2);
}

async function byPath(
  names: SwiftResolver,
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
