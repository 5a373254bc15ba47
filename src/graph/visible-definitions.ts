// Which of several definitions of one name a bare name can mean.

import { isValueKind } from "../base/definition-kinds.ts";
import {
  isExtension,
  isOuter,
  isType,
  OUTSIDE,
  ownerName,
  symbolsEntity,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { nameRules } from "./name-rules.ts";
import { inVisibleNamespaces } from "./csharp-namespaces.ts";
import { isTypeOrConstant, visibleFrom } from "./open-types.ts";

/** One definition, or one with its declarations. */
export function uniqueDefinition(all: readonly SymbolRef[]): Entity | undefined {
  const open = all.filter(isVisibleOutside);
  if (open.length === 0) return all.length === 0 ? OUTSIDE : undefined;
  const definitions = open.filter((ref) => !isHeader(ref));
  return definitions.length <= 1 ? symbolsEntity(open) : undefined;
}

export function isVisibleOutside({ facts }: SymbolRef): boolean {
  return facts.access !== "private";
}

export function isHeader({ file }: SymbolRef): boolean {
  return /\.(?:h|hh|hpp|hxx)$/i.test(file.path);
}

/**
 * What a file sees without importing it by the rules of its language: types that go on everywhere, what is in the
 * namespaces that it says; undefined where that settles nothing.
 */
export function visibleByRules(file: ScopedFile, all: readonly SymbolRef[]): Entity | undefined {
  const { hasOpenTypes = false, hasNamespaces = false } = nameRules(file.language);
  if (hasNamespaces) return symbolsEntity(inVisibleNamespaces(file, all));
  const types = hasOpenTypes ? all.filter(isTypeOrConstant) : [];
  return symbolsEntity(visibleFrom(file, types)) ?? symbolsEntity(types);
}

/**
 * Which extensions can be meant by a bare name: of one type only, and properties only where there are no members
 * of that name.
 */
export function visibleExtensions(all: readonly SymbolRef[]): (ref: SymbolRef) => boolean {
  const hasMembers = !all.every(isOuter);
  const owners = new Set(all.filter(isExtension).map(ownerName));
  return (ref) =>
    !isExtension(ref) || (owners.size === 1 && !(hasMembers && isValueKind(ref.facts.kind)));
}

/** A namespace, where the outline knows what is in it without it. */
export function asNamespace(file: ScopedFile, entity: Entity | undefined): Entity | undefined {
  if (entity?.kind !== "symbols" || nameRules(file.language).hasFlatNamespaces !== true) {
    return undefined;
  }
  const namespace = entity.symbols.find(({ facts }) => facts.kind === "module");
  // A function may be called like it, but no type.
  const isHidden = entity.symbols.some((ref) => isType(ref) && ref.facts.kind !== "module");
  if (namespace === undefined || isHidden) return undefined;
  return { kind: "namespace", name: namespace.facts.name, file };
}
