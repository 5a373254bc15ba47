// Extensions of Kotlin: functions and properties that are declared outside of the type that they belong to.

import type { Use } from "../parse/references/references.ts";
import { isExtension, ownerName, type ScopedFile, type SymbolRef } from "./entity.ts";
import { evaluateReceiverType } from "./evaluate-expression.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Every object is one. */
const ANY = "Any";
const MAX_DEPTH = 10;

/** Returns the extensions of the type of a receiver that a use refers to; none if they are not known. */
export async function extensionsOfType(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver, owner }: Pick<Use, "name" | "receiver" | "owner">,
): Promise<readonly SymbolRef[]> {
  const all = await names.context.symbols.definitionsThat(
    name,
    (hit) => /\.kts?$/.test(hit.path) && ownerName({ facts: hit }) !== "",
  );
  const visible = all.filter((ref) => isExtension(ref) && isVisible(file, ref));
  if (visible.length === 0) return [];
  for (const type of await typeNames(names, file, { receiver, owner })) {
    const found = visible.filter((ref) => extendedType(ref) === type);
    if (found.length > 0) return found;
  }
  return [];
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

/** The names of the type of a receiver and of its supertypes, the nearest first. */
async function typeNames(
  names: NameResolver,
  file: ScopedFile,
  { receiver, owner }: Pick<Use, "receiver" | "owner">,
): Promise<readonly string[]> {
  if (receiver.endsWith(".class")) return ["KClass", ANY];
  if (receiver.endsWith(".class.java")) return ["Class", ANY];
  const [, written] = /^@(?:[\w$]+\.)*([\w$]+)$/.exec(receiver) ?? [];
  const type = await evaluateReceiverType(names, { file, owner }, receiver);
  const found = written === undefined ? [] : [written];
  const queue = type === undefined ? [] : [type];
  for (let left = MAX_DEPTH; left > 0; left -= 1) {
    const next = queue.shift();
    if (next === undefined) break;
    if (!found.includes(next.facts.name)) found.push(next.facts.name);
    // oxlint-disable-next-line no-await-in-loop -- the nearest first
    const above = await names.types.supertypes(next);
    queue.push(...above.filter((one) => one !== undefined));
  }
  return found.length === 0 ? [] : [...found, ANY];
}
