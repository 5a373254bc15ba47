// Completes what uses of Swift mean: by the labels of calls, and by what extensions add to the types of libraries.

import { isRelation } from "../base/compiler-target.ts";
import type { Use } from "../parse/references/references.ts";
import {
  definitionAround,
  isCallable,
  isType,
  ownerName,
  symbolRef,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateReceiver } from "./evaluate-expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import { isVisible, swiftMemberAround, swiftType } from "./swift-names.ts";
import {
  fitOfLabels,
  isSwift,
  isSwiftExtension,
  swiftLabels,
  swiftMembers,
} from "./swift-types.ts";
import type { UseResolution } from "./use-resolution.ts";

/** If more definitions have a name, and no labels tell them apart, a use by name counts as unknown. */
const MAX_BY_NAME = 10;

/** The mark of an associated type. */
const ASSOCIATED = "associatedtype";

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
    return toConstructors ? constructorMeant(names, use, found) : found;
  }
  if (resolution.kind === "module") return resolution;
  if (use.receiver === "") {
    if (resolution.kind !== "outside") return byOuterName(names, file, use);
    const isOfType = use.role === "type" || use.role === "inherit";
    return isOfType ? resolution : byName(names, file, use, "added");
  }
  const isKnown =
    resolution.kind === "outside" ||
    (use.receiver !== "?" && (await isKnownReceiver(names, file, use)));
  return byName(names, file, use, isKnown ? "added" : "any");
}

/** Returns the constructors that a call of a type means. */
async function constructorMeant(
  names: NameResolver,
  use: Use,
  found: UseResolution,
): Promise<UseResolution> {
  const type = found.kind === "exact" ? found.symbols.find(isType) : undefined;
  if (type === undefined || use.role !== "call") return found;
  const called = await swiftConstructors(names, type, use.arguments);
  return called.length === 0 ? { kind: "outside" } : oneOf(called);
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
  const around = await swiftMemberAround(names, file, { name, owner, steps: 0 });
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
  const around = definitionAround(member.file, member);
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
async function swiftConstructors(
  names: NameResolver,
  type: SymbolRef,
  passed: string | undefined,
): Promise<readonly SymbolRef[]> {
  const all = await swiftMembers(names.context, type, "init");
  const fits = all.map((ref) => (passed === undefined ? 0 : fitOfLabels(ref, passed)));
  const best = Math.max(0, ...fits);
  return best === 0 ? [] : all.filter((_, at) => fits[at] === best);
}
