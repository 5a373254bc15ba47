// Properties that a project adds to objects of the language or the platform: `window.app = …`, `console.error = …`.

import type { Use } from "../parse/references/references.ts";
import { symbolsEntity, type Entity, type ScopedFile, type SymbolRef } from "./entity.ts";
import { canUse } from "./name-rules.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Objects that are not the same in every file, and names that are not objects. */
const OF_ONE_FILE = new Set(["module", "exports", "require", "this", "super", "arguments"]);
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Returns the definitions of a property of a global object, which is the same object in all files of JavaScript and
 * TypeScript. Undefined if the receiver is none, or the project assigns no such property.
 */
export async function globalMember(
  names: NameResolver,
  { file, owner }: { readonly file: ScopedFile; readonly owner: number },
  { receiver, name }: Pick<Use, "receiver" | "name">,
): Promise<Entity | undefined> {
  if (!NAME.test(receiver) || OF_ONE_FILE.has(receiver)) return undefined;
  if (!canUse(file.language, "javascript")) return undefined;
  const { memo } = names.context;
  const found = await memo.getOrResolve(`global ${receiver} ${name}`, 0, () =>
    assignedTo(names, receiver, name),
  );
  if (found.length === 0) return undefined;
  const object = await names.name(file, receiver, owner);
  return object?.kind === "outside" ? symbolsEntity(found) : undefined;
}

async function assignedTo(
  names: NameResolver,
  object: string,
  name: string,
): Promise<readonly SymbolRef[]> {
  const { symbols } = names.context;
  const all = await symbols.definitionsThat(
    name,
    ({ qualifiedName }) => qualifiedName === `${object}.${name}`,
  );
  const found: SymbolRef[] = [];
  for (const ref of all) {
    // oxlint-disable-next-line no-await-in-loop -- few
    if (canUse(ref.file.language, "javascript") && (await isAssigned(names, ref, object))) {
      found.push(ref);
    }
  }
  return found;
}

/** Returns whether the definition assigns the property to the object itself: neither to a local nor to a prototype. */
async function isAssigned(
  names: NameResolver,
  { file, facts }: SymbolRef,
  object: string,
): Promise<boolean> {
  const { uses } = await names.context.reader.referencesOf(file.path);
  const here = uses.filter(({ line }) => line === facts.nameLine);
  const isGlobal = here.some(
    ({ name, receiver, target, binding }) =>
      name === object && receiver === "" && target === -1 && binding === -1,
  );
  if (!isGlobal || here.some(({ name }) => name === "prototype")) return false;
  return (await names.name(file, object, -1))?.kind === "outside";
}
