import { compilerTarget, isRelation } from "../base/compiler-target.ts";
import type { Use } from "../parse/references/references.ts";
import { symbolsAt } from "./compiled-relations.ts";
import {
  OUTSIDE,
  isCallable,
  isExtension,
  isType,
  symbolRef,
  symbolsEntity,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateMember } from "./evaluate-expression.ts";
import { hasBareMembers, nameRules } from "./name-rules.ts";
import { isCore } from "./open-types.ts";
import type { NameResolver } from "./name-resolver.ts";

/** The result of resolving a use. */
export type UseResolution =
  /** Resolved through scopes, imports and types. */
  | { readonly kind: "exact"; readonly symbols: readonly SymbolRef[] }
  /** The use refers to a module. */
  | { readonly kind: "module"; readonly files: readonly string[] }
  | { readonly kind: "outside" }
  /** Only the name is known. `isMember`: whether it is a member's name, undefined if unknown. */
  | { readonly kind: "name"; readonly isMember: boolean | undefined };

/** Resolves a use in a file. */
export async function resolveUse(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<UseResolution> {
  const own = symbolRef(file, use.target);
  if (own !== undefined) return { kind: "exact", symbols: [own] };
  if (isRelation(use.receiver)) return { kind: "outside" };
  const compiled = compilerTarget(use.receiver);
  if (compiled !== undefined) {
    const symbols = await symbolsAt(names.context.symbols, compiled);
    // The definition may be gone since.
    return symbols.length > 0 ? { kind: "exact", symbols } : { kind: "name", isMember: undefined };
  }
  if (use.receiver === "?") {
    return useResolutionOf(await extensionOf(names, file, use.name, { isOutside: false }), true);
  }
  return useResolutionOf(
    symbolsForRole(await entityOf(names, file, use), use),
    isMemberUse(file, use),
  );
}

/** Returns the extension that a member name refers to if the type of its receiver is unknown. */
async function extensionOf(
  names: NameResolver,
  file: ScopedFile,
  name: string,
  { isOutside }: { isOutside: boolean },
): Promise<Entity | undefined> {
  if (nameRules(file.language).hasExtensions !== true) return undefined;
  const isBound = file.imports.some(({ bindings }) => bindings.some(({ local }) => local === name));
  // A name that is not imported may be a member of the receiver's type.
  if (!isBound && (isOutside || !(await names.isOnlyExtension(name)))) return undefined;
  const entity = await names.name(file, name, -1);
  return entity?.kind === "symbols" ? symbolsEntity(entity.symbols.filter(isExtension)) : undefined;
}

/** Returns whether the use is of a member; undefined if unknown. */
function isMemberUse({ language }: ScopedFile, { role, receiver }: Use): boolean | undefined {
  if (receiver !== "") return true;
  return role !== "type" && hasBareMembers(language) ? undefined : false;
}

/** If a type, a value and a function have the same name, keeps those that fit the role of the use. */
function symbolsForRole(entity: Entity | undefined, { role }: Use): Entity | undefined {
  if (entity?.kind !== "symbols" || entity.symbols.length < 2) return entity;
  const fitsRole = role === "type" || role === "inherit" ? isType : isCallable;
  if (role === "value" || role === "import") return entity;
  const matching = entity.symbols.filter(fitsRole);
  return matching.length === 0 ? entity : { kind: "symbols", symbols: matching };
}

async function entityOf(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver, binding, owner }: Use,
): Promise<Entity | undefined> {
  if (receiver !== "") {
    const member = await evaluateMember(names, { file, owner }, { receiver, name });
    if (member?.kind === "symbols") return member;
    return (
      (await extensionOf(names, file, name, { isOutside: member?.kind === "outside" })) ?? member
    );
  }
  const one = file.imports[binding];
  if (one === undefined && isCore(file.language, name)) return OUTSIDE;
  if (one === undefined) return names.name(file, name, owner);
  const bound =
    one.bindings.find((each) => each.name === name) ??
    one.bindings.find((each) => each.local === name);
  // A wildcard import: `import *`.
  return names.exports.bound(file, { import: one, binding: bound ?? { name, local: name } });
}

function useResolutionOf(entity: Entity | undefined, isMember: boolean | undefined): UseResolution {
  if (entity?.kind === "symbols") return { kind: "exact", symbols: entity.symbols };
  if (entity?.kind === "module") return { kind: "module", files: entity.files };
  if (entity?.kind === "namespace") return { kind: "module", files: [] };
  return entity?.kind === "outside" ? { kind: "outside" } : { kind: "name", isMember };
}
