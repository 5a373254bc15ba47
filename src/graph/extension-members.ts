// Members of an object that are defined outside of its type, in languages with extensions: the next step of an expression.

import { dartExtensions } from "./dart-extensions.ts";
import { calledExtensions } from "./csharp-extensions.ts";
import {
  isExtension,
  ownerName,
  symbolsEntity,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Every object of Kotlin is one. */
export const ANY = "Any";
const MAX_DEPTH = 10;

/** Returns the extensions of an object of a type that a file can call by a name; undefined if there are none. */
export async function extensionMember(
  names: NameResolver,
  file: ScopedFile,
  entity: Entity,
  name: string,
): Promise<Entity | undefined> {
  if (entity.kind !== "instance") return undefined;
  if (file.language === "dart") return symbolsEntity(await ofDart(names, file, entity, name));
  if (entity.layers > 0) return undefined;
  if (file.language === "csharp") {
    const receiver = `@${entity.type.facts.name}`;
    const found = await calledExtensions(names, file, { name, receiver });
    return symbolsEntity(found);
  }
  if (file.language !== "kotlin") return undefined;
  const visible = await extensionsNamed(names, file, name);
  if (visible.length === 0) return undefined;
  const types = [...(await namesAbove(names, entity.type)), ANY];
  return symbolsEntity(nearestExtensions(visible, types));
}

async function ofDart(
  names: NameResolver,
  file: ScopedFile,
  { type, layers }: Extract<Entity, { kind: "instance" }>,
  name: string,
): Promise<readonly SymbolRef[]> {
  const above = await namesAbove(names, type);
  const types = above.map((one) => one + "*".repeat(layers));
  return dartExtensions(names, file, name, types);
}

/** Returns the extensions of Kotlin of a name that a file can use: those of its package, and those that it imports. */
export async function extensionsNamed(
  names: NameResolver,
  file: ScopedFile,
  name: string,
): Promise<readonly SymbolRef[]> {
  const all = await names.context.symbols.definitionsThat(
    name,
    (hit) => /\.kts?$/.test(hit.path) && ownerName({ facts: hit }) !== "",
  );
  return all.filter((ref) => isExtension(ref) && isVisible(file, ref));
}

/** Returns the extensions of the first type that has some. `types`: names, the nearest type first. */
export function nearestExtensions(
  extensions: readonly SymbolRef[],
  types: readonly string[],
): readonly SymbolRef[] {
  for (const type of types) {
    const found = extensions.filter((ref) => extendedType(ref) === type);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the names of a type and of its supertypes, the nearest first. */
export async function namesAbove(names: NameResolver, type: SymbolRef): Promise<readonly string[]> {
  const found: string[] = [];
  const queue = [type];
  for (let left = MAX_DEPTH; left > 0; left -= 1) {
    const next = queue.shift();
    if (next === undefined) break;
    if (!found.includes(next.facts.name)) found.push(next.facts.name);
    // oxlint-disable-next-line no-await-in-loop -- the nearest first
    const above = await names.types.supertypes(next);
    queue.push(...above.filter((one) => one !== undefined));
  }
  return found;
}

/** In the package of the file, or imported by it. */
function isVisible(file: ScopedFile, { file: { package: name }, facts }: SymbolRef): boolean {
  if (name === file.package) return true;
  return file.imports.some(
    ({ module }) => module === `${name}.${facts.name}` || module === `${name}.*`,
  );
}

function extendedType(ref: SymbolRef): string {
  const owner = ownerName(ref);
  return owner.slice(owner.lastIndexOf(".") + 1);
}
