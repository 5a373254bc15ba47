// Members that only Kotlin has: extensions, functions and properties that are declared outside of the type that they belong to,
// and arguments with the names of properties.

import type { Use } from "../parse/references/references.ts";
import {
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateReceiverType } from "./receiver-type.ts";
import { ANY, namesAbove, nearestExtensions, extensionsNamed } from "./extension-members.ts";
import type { NameResolver } from "./name-resolver.ts";

/** The mark of a property in the head of its class; see the rules of Kotlin. */
const IN_HEAD = "constructor";

/** Returns the extensions of the type of a receiver that a use refers to; none if they are not known. */
export async function extensionsOfType(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver, owner }: Pick<Use, "name" | "receiver" | "owner">,
): Promise<readonly SymbolRef[]> {
  const visible = await extensionsNamed(names, file, name);
  if (visible.length === 0) return [];
  return nearestExtensions(visible, await typeNames(names, file, { receiver, owner }));
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
  const above = type === undefined ? [] : await namesAbove(names, type);
  const found = written === undefined || above.includes(written) ? above : [written, ...above];
  return found.length === 0 ? [] : [...found, ANY];
}

/**
 * Returns the property that `Person(name = "Ada")` sets: one in the head of the class, which has no second constructor with
 * parameters of its own.
 */
export async function constructorProperty(
  names: NameResolver,
  { file, owner }: { readonly file: ScopedFile; readonly owner: number },
  { receiver, name }: Pick<Use, "name" | "receiver">,
): Promise<Entity | undefined> {
  const type = await evaluateReceiverType(names, { file, owner }, receiver);
  if (type === undefined) return undefined;
  const { qualifiedName } = type.facts;
  if (symbolsIn(type.file, `${qualifiedName}.constructor`).length > 0) return undefined;
  const all = symbolsIn(type.file, `${qualifiedName}.${name}`);
  return symbolsEntity(all.filter((ref) => ref.file.signatures?.[ref.number] === IN_HEAD));
}
