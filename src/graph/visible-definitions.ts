// Selects which of several definitions an unqualified name can refer to.

import { isCHeader } from "../base/c-header.ts";
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
import { canUse, nameRules } from "./name-rules.ts";
import { isTypeOrConstant, visibleFrom } from "./open-types.ts";

/**
 * Returns the definition that the name refers to in the whole project, with its declarations in headers.
 * Undefined if there are several, `OUTSIDE` if there are none.
 */
export function uniqueDefinition(
  all: readonly SymbolRef[],
  mayBeUndeclared = false,
): Entity | undefined {
  const open = all.filter(isVisibleOutside);
  if (open.length === 0) return all.length === 0 && !mayBeUndeclared ? OUTSIDE : undefined;
  const definitions = open.filter((ref) => !isHeader(ref));
  const [first] = definitions;
  const isOne =
    definitions.length <= 1 ||
    (first !== undefined &&
      nameRules(first.file.language).hasClauses === true &&
      definitions.every(({ file }) => file === first.file));
  return isOne ? symbolsEntity(open) : undefined;
}

/**
 * Returns the definition that a name refers to in a language in which all files see each other. A test may define a function only
 * for itself, so its definitions are known by name. In R, those of the package come first.
 */
export function globalDefinition(
  { language }: ScopedFile,
  all: readonly SymbolRef[],
): Entity | undefined {
  const { sharedFiles, hasClauses = false, hasUndeclaredNames } = nameRules(language);
  if (!hasClauses) return uniqueDefinition(all, hasUndeclaredNames);
  const packaged = sharedFiles && all.filter(({ file }) => sharedFiles.test(file.path));
  if (packaged !== undefined && packaged.length > 0) return uniqueDefinition(packaged);
  // A value of a script is one of that script.
  const usable = packaged === undefined ? all : all.filter(({ facts }) => !isValueKind(facts.kind));
  const forOthers = usable.filter(isForOthers);
  return forOthers.length === 0 && usable.length > 0 ? undefined : uniqueDefinition(forOthers);
}

/** A module of PowerShell in a test is for others too. */
function isForOthers({ file }: SymbolRef): boolean {
  return file.role !== "tests" || file.path.endsWith(".psm1");
}

/**
 * Returns the definitions that a bare name of PHP can refer to: those of the file's own namespace, and functions and
 * constants outside of namespaces. All of them in other languages.
 */
export function inOwnNamespace(file: ScopedFile, all: readonly SymbolRef[]): readonly SymbolRef[] {
  if (file.language !== "php") return all;
  return all.filter(
    (ref) => ref.file.package === file.package || (ref.file.package === "" && !isType(ref)),
  );
}

/** Returns whether other files can see the definition. */
export function isVisibleOutside({ facts }: SymbolRef): boolean {
  return facts.access !== "private";
}

export function isHeader({ file }: SymbolRef): boolean {
  return isCHeader(file.path);
}

/**
 * Returns the definitions that a file sees without an import: open types of the project, or definitions of
 * its namespaces. Undefined if these rules do not decide it. `shared`: as in `inVisibleNamespaces`.
 */
export function visibleByRules(
  file: ScopedFile,
  all: readonly SymbolRef[],
  shared: readonly string[],
): Entity | undefined {
  const { hasOpenTypes = false, hasNamespaces = false } = nameRules(file.language);
  if (hasNamespaces) return symbolsEntity(inVisibleNamespaces(file, all, shared));
  const types = hasOpenTypes ? all.filter(isTypeOrConstant) : [];
  return symbolsEntity(visibleFrom(file, types)) ?? symbolsEntity(types);
}

/**
 * Returns a filter for extensions. An unqualified name refers to an extension only if all extensions of that
 * name belong to one type, and to an extension property only if no member has that name.
 */
export function visibleExtensions(all: readonly SymbolRef[]): (ref: SymbolRef) => boolean {
  const hasMembers = !all.every(isOuter);
  const owners = new Set(all.filter(isExtension).map(ownerName));
  return (ref) =>
    !isExtension(ref) || (owners.size === 1 && !(hasMembers && isValueKind(ref.facts.kind)));
}

/**
 * Returns the entity as a namespace, in languages that index the definitions of a namespace without its name.
 */
export function asNamespace(file: ScopedFile, entity: Entity | undefined): Entity | undefined {
  if (entity?.kind !== "symbols" || nameRules(file.language).hasFlatNamespaces !== true) {
    return undefined;
  }
  const namespace = entity.symbols.find(({ facts }) => facts.kind === "module");
  // A function may share its name with a namespace, a type may not.
  const isHidden = entity.symbols.some((ref) => isType(ref) && ref.facts.kind !== "module");
  if (namespace === undefined || isHidden) return undefined;
  return { kind: "namespace", name: namespace.facts.name, file };
}

/**
 * Of the definitions in namespaces that enclose a C# file or that it uses, returns those of the innermost namespace. `shared`:
 * namespaces that all files of the project use.
 */
export function inVisibleNamespaces(
  file: ScopedFile,
  refs: readonly SymbolRef[],
  shared: readonly string[],
): readonly SymbolRef[] {
  const own = file.imports.flatMap((one) => (one.isWildcard ? [one.module] : []));
  const used = new Set([...own, ...shared]);
  const visible = refs.filter(({ file: { package: name } }) => {
    const isAround = name === "" || `${file.package}.`.startsWith(`${name}.`);
    return isAround || used.has(name);
  });
  const innermost = Math.max(...visible.map((ref) => ref.file.package.length));
  return visible.filter((ref) => ref.file.package.length === innermost);
}

/** Whether other files of its package see a definition: of scripts, what they export. */
export function isVisibleAround({ file, facts }: SymbolRef): boolean {
  return !canUse(file.language, "javascript") || facts.access === "exported";
}
