// Resolves names in files, modules and types. Asynchronous, because an index backend may be remote.

import type { Binding, Import } from "../parse/references/references.ts";
import type { IndexReader } from "../index/port.ts";
import { ResolutionMemo } from "./resolution-memo.ts";
import { BoundedCache } from "./bounded-cache.ts";
import {
  isOuter,
  isType,
  OUTSIDE,
  ownerName,
  symbolRef,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { IndexedSymbols, MAX_CACHED_FILES } from "./indexed-symbols.ts";
import { IncludedNames } from "./included-names.ts";
import { canUse, hasBareMembers, nameRules } from "./name-rules.ts";
import { firstOfEachType, visibleFrom } from "./open-types.ts";
import { isCrateRoot, nearestMacros } from "./rust-macros.ts";
import {
  longestBoundPrefix,
  isConstructor,
  isImported,
  hasType,
  defaultExport,
} from "./own-names.ts";
import {
  asNamespace,
  uniqueDefinition,
  visibleByRules,
  visibleExtensions,
} from "./visible-definitions.ts";
import type { Importer, ModuleTarget } from "./modules/module-target.ts";
import type { ModuleResolver } from "./modules/module-resolver.ts";

/** Maximum depth of re-exports, supertypes and chains of types. */
export const MAX_STEPS = 12;
/** Maximum cached resolutions of names, members and expressions. */
const MAX_MEMO_ENTRIES = 50_000;
/** Languages in which a type contains all its members. */
const FIXED_MEMBERS = new Set(["typescript", "tsx", "javascript", "python", "php", "java"]);
/** Maximum declarations of one open type (Ruby) or partial type (C#) to read. */
const MAX_NAME_PARTS = 20;

/** The members of a type with a given name. */
export interface MemberLookup {
  readonly found: readonly SymbolRef[];
  /** True if all supertypes are known, so a member that was not found does not exist. */
  readonly isComplete: boolean;
}

const NO_MEMBERS: MemberLookup = { found: [], isComplete: false };

/** Resolves names. One instance per index generation. */
export class NameResolver {
  readonly #modules: ModuleResolver;
  readonly #symbols: IndexedSymbols;
  readonly #includedNames: IncludedNames;
  readonly memo = new ResolutionMemo(MAX_MEMO_ENTRIES);
  readonly #siblings = new BoundedCache<ReadonlySet<string>>(MAX_CACHED_FILES);

  constructor(reader: IndexReader, modules: ModuleResolver) {
    this.#symbols = new IndexedSymbols(reader);
    this.#modules = modules;
    this.#includedNames = new IncludedNames({
      file: (path) => this.file(path),
      header: (from, module) => this.target(from, module).files[0],
      definitions: (name) => this.definitions(name),
    });
  }

  /** Returns the scope of a file, or undefined if the index does not have the file. */
  file(path: string): Promise<ScopedFile | undefined> {
    return this.#symbols.file(path);
  }

  /** Returns all definitions of a name, case-sensitive. */
  definitions(name: string): Promise<readonly SymbolRef[]> {
    return this.#symbols.definitions(name);
  }

  /** Returns the files of a module that a file imports. */
  target(file: ScopedFile, module: string): ModuleTarget {
    return this.#modules.resolve(importerOf(file), module);
  }

  /**
   * Resolves an unqualified name in a file, inside of the definition `owner` (-1 at the top level). Returns
   * undefined if the meaning is unknown.
   */
  async name(
    file: ScopedFile,
    name: string,
    owner: number,
    steps = 0,
  ): Promise<Entity | undefined> {
    if (steps > MAX_STEPS) return undefined;
    const key = `name ${file.path} ${owner} ${name}`;
    return this.memo.getOrResolve(key, steps, () => this.#name(file, { name, owner, steps }));
  }

  async #name(
    file: ScopedFile,
    { name, owner, steps }: { name: string; owner: number; steps: number },
  ): Promise<Entity | undefined> {
    const rules = nameRules(file.language);
    if (rules.hasImplicitThis === true) {
      const member = await this.#memberAround(file, { name, owner, steps });
      if (member !== undefined) return member;
    }
    const here = symbolsIn(file, name);
    const own = isImported(file, here, name) ? undefined : symbolsEntity(here);
    if (own !== undefined) return asNamespace(file, own) ?? own;
    for (const one of file.imports) {
      const binding = one.bindings.find(({ local }) => local === name);
      // oxlint-disable-next-line no-await-in-loop -- the first binding wins
      if (binding !== undefined) return this.bound(file, { import: one, binding }, steps + 1);
    }
    return this.#unboundName(file, name, steps);
  }

  /**
   * Resolves a name through the package, wildcard imports and global names; `OUTSIDE` if the project cannot
   * define it.
   */
  async #unboundName(file: ScopedFile, name: string, steps: number): Promise<Entity | undefined> {
    const everywhere = await this.definitions(name);
    const all = everywhere.filter(
      (ref) => isOuter(ref) && canUse(file.language, ref.file.language),
    );
    const namespace = asNamespace(file, symbolsEntity(all));
    if (namespace !== undefined) return namespace;
    const rules = nameRules(file.language);
    if (rules.includesText === true) return this.#includedNames.among(file, all);
    const known = visibleByRules(file, all);
    if (known !== undefined) return known;
    const siblings = this.#siblingsOf(file);
    const isVisible = visibleExtensions(everywhere);
    const nearby = all.filter((ref) => siblings.has(ref.file.path) && isVisible(ref));
    if (nearby.length > 0) return symbolsEntity(nearby);
    const imported = await this.#fromWildcards(file, { name, isVisible }, steps);
    if (imported.found !== undefined) return imported.found;
    const macros = symbolsEntity(nearestMacros(file, all));
    if (macros !== undefined) return macros;
    if (imported.isAllKnown && rules.isPrelude?.(name) === true) return OUTSIDE;
    if (rules.hasGlobalNames === true) return uniqueDefinition(all);
    // It may be a member of the receiver of an enclosing lambda.
    const others = hasBareMembers(file.language) ? everywhere : all;
    return others.length === 0 && imported.isAllKnown ? OUTSIDE : undefined;
  }

  /** Resolves a name through wildcard imports. `isAllKnown`: whether the modules of all of them are known. */
  async #fromWildcards(
    file: ScopedFile,
    { name, isVisible }: { name: string; isVisible: (ref: SymbolRef) => boolean },
    steps: number,
  ): Promise<{ readonly found: Entity | undefined; readonly isAllKnown: boolean }> {
    let isAllKnown = true;
    for (const { isWildcard, module } of file.imports) {
      if (!isWildcard) continue;
      const { files, isExternal, rest } = this.target(file, module);
      if (files.length === 0 && !isExternal) isAllKnown = false;
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const entity = await this.#nameInModules(files, [...rest, name], steps + 1);
      const found =
        entity?.kind === "symbols" ? symbolsEntity(entity.symbols.filter(isVisible)) : entity;
      if (found !== undefined) return { found, isAllKnown };
    }
    return { found: undefined, isAllKnown };
  }

  async #memberAround(
    file: ScopedFile,
    { name, owner, steps }: { name: string; owner: number; steps: number },
  ): Promise<Entity | undefined> {
    for (let around = symbolRef(file, owner); around !== undefined;) {
      // The name of the type refers to the type, not to its constructor.
      if (isType(around) && around.facts.name !== name) {
        // oxlint-disable-next-line no-await-in-loop -- innermost first
        const { found } = await this.members(around, name, steps + 1);
        const named = found.filter((ref) => !isConstructor(ref));
        if (named.length > 0) return symbolsEntity(named);
      }
      const outer = ownerName(around);
      const [next] = outer === "" ? [] : symbolsIn(file, outer);
      if (next === undefined && outer !== "") {
        // A member that is defined outside of its type.
        // oxlint-disable-next-line no-await-in-loop -- as above
        const type = await this.typeNamed(file, outer, steps + 1);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const found = type && (await this.members(type, name, steps + 1)).found;
        if (type?.facts.name === name) return symbolsEntity([type]);
        if (found !== undefined && found.length > 0) return symbolsEntity(found);
      }
      around = next;
    }
    return undefined;
  }

  /** Returns the type that a name refers to in a file. The name may be qualified. */
  async typeNamed(
    file: ScopedFile,
    path: string,
    steps = 0,
    owner = -1,
  ): Promise<SymbolRef | undefined> {
    const [own] = symbolsIn(file, path);
    if (own !== undefined && isType(own)) return own;
    const entity = await this.path(file, path, steps + 1, owner);
    return entity?.kind === "symbols" ? entity.symbols.find(isType) : undefined;
  }

  /** Resolves a name with dots: its first part in the file, every other part in the previous one. */
  async path(file: ScopedFile, path: string, steps = 0, owner = -1): Promise<Entity | undefined> {
    const first = longestBoundPrefix(file, path);
    const rest = path.slice(first.length + 1).split(".");
    let entity = await this.name(file, first, owner, steps + 1);
    const parts = rest.filter((one) => one !== "");
    const rooted =
      entity === undefined || entity.kind === "outside"
        ? this.rooted(file, [first, ...parts])
        : undefined;
    if (rooted !== undefined) ({ entity } = rooted);
    for (const part of parts.slice((rooted?.taken ?? 1) - 1)) {
      // oxlint-disable-next-line no-await-in-loop -- each part depends on the previous one
      entity = entity && (await this.within(entity, part, steps + 1));
    }
    return entity;
  }

  /**
   * Returns the module that a path begins with, and how many parts name it, in languages whose paths can name
   * modules without an import.
   */
  rooted(
    file: ScopedFile,
    path: readonly string[],
  ): { readonly entity: Entity; readonly taken: number } | undefined {
    const { separator, hasTypesAtEnd } = nameRules(file.language).paths ?? {};
    if (separator === undefined) return undefined;
    const type = path.findIndex((part) => /^\p{Lu}/u.test(part));
    const parts = hasTypesAtEnd === true && type !== -1 ? path.slice(0, type + 1) : path;
    if (parts.length < (hasTypesAtEnd === true ? 2 : 1)) return undefined;
    const { files, isPackage, rest } = this.target(file, parts.join(separator));
    const taken = parts.length - rest.length;
    if (files.length === 0 || taken < 1) return undefined;
    return { entity: { kind: "module", files, isPackage }, taken };
  }

  /** Resolves a name in a module, namespace or type. */
  async within(entity: Entity, name: string, steps = 0): Promise<Entity | undefined> {
    if (entity.kind === "outside") return OUTSIDE;
    if (entity.kind === "namespace") {
      return this.#includedNames.inNamespace(entity.file, entity.name, name);
    }
    if (entity.kind === "module") {
      return this.#inModule(entity.files, name, steps + 1);
    }
    const types = entity.kind === "instance" ? [entity.type] : firstOfEachType(entity.symbols);
    let isComplete = types.length > 0;
    for (const type of types) {
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const members = await this.members(type, name, steps + 1);
      if (members.found.length > 0) return symbolsEntity(members.found);
      isComplete &&= members.isComplete;
    }
    return isComplete && types.some(isType) ? OUTSIDE : undefined;
  }

  /** Returns the meaning of a name that an import binds, or undefined if it is unknown. */
  async bound(
    file: ScopedFile,
    { import: { module }, binding }: { import: Import; binding: Binding },
    steps = 0,
  ): Promise<Entity | undefined> {
    // The file re-exports a definition of its own under another name.
    if (module === "") return this.exported(file.path, binding.name, steps + 1);
    const target = this.target(file, module);
    if (target.isExternal) return OUTSIDE;
    if (target.files.length === 0) return this.#submodule(file, module, binding.name);
    const { files, isPackage, rest } = target;
    if (rest.length > 0) return this.#nameInModules(files, rest, steps + 1);
    if (binding.name === "*") {
      // `require` returns the value that the module assigns to its exports.
      const whole = await this.#inModule(files.slice(0, 1), "module.exports", steps + 1);
      return whole ?? { kind: "module", files, isPackage };
    }
    const found = await this.#inModule(files, binding.name, steps + 1);
    if (found !== undefined) return found;
    if (nameRules(file.language).importsByFullName === true)
      return { kind: "module", files, isPackage };
    return this.#submodule(file, module, binding.name);
  }

  #submodule(file: ScopedFile, module: string, name: string): Entity | undefined {
    const files = this.submodules(file, module, name);
    return files.length === 0 ? undefined : { kind: "module", files, isPackage: false };
  }

  /**
   * Returns the file of the module in `from package import module`; none if that is a name in the package.
   */
  submodules(file: ScopedFile, module: string, name: string): readonly string[] {
    if (file.language !== "python" || name === "*") return [];
    const path = `${module}${module.endsWith(".") ? "" : "."}${name}`;
    const { files, rest } = this.target(file, path);
    return rest.length === 0 ? files.slice(0, 1) : [];
  }

  /** Resolves a path of names: the first one in a module, every other one in the previous one. */
  async #nameInModules(
    files: readonly string[],
    [first = "", ...rest]: readonly string[],
    steps: number,
  ): Promise<Entity | undefined> {
    let entity = await this.#inModule(files, first, steps);
    for (const part of rest) {
      // oxlint-disable-next-line no-await-in-loop -- each part depends on the previous one
      entity = entity && (await this.within(entity, part, steps + 1));
      if (entity?.kind === "outside") return undefined;
    }
    return entity;
  }

  async #inModule(
    files: readonly string[],
    name: string,
    steps: number,
  ): Promise<Entity | undefined> {
    for (const path of files) {
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const found = await this.exported(path, name, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the meaning of a name that another file imports from this file. */
  async exported(path: string, name: string, steps = 0): Promise<Entity | undefined> {
    if (steps > MAX_STEPS) return undefined;
    const file = await this.file(path);
    if (file === undefined) return undefined;
    const own = symbolsIn(file, name);
    if (own.length > 0 && !isImported(file, own, name)) return symbolsEntity(own);
    const { passesImportsOn = false } = nameRules(file.language);
    for (const one of file.imports) {
      const binding = one.bindings.find(
        (each) => each.local === name || (each.local === "" && each.name === name),
      );
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      if (binding !== undefined) return this.bound(file, { import: one, binding }, steps + 1);
      if (!one.isWildcard || !(one.isReexport || passesImportsOn)) continue;
      const { files } = this.target(file, one.module);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await this.#inModule(files, name, steps + 1);
      if (found !== undefined) return found;
    }
    if (isCrateRoot(file)) return symbolsEntity(nearestMacros(file, await this.definitions(name)));
    return name === "default" ? defaultExport(file) : undefined;
  }

  /** Returns the members of a type with that name, own or inherited. */
  async members(type: SymbolRef, name: string, steps = 0): Promise<MemberLookup> {
    if (steps > MAX_STEPS) return NO_MEMBERS;
    const { file, number } = type;
    const key = `member ${file.path} ${number} ${name}`;
    return this.memo.getOrResolve(key, steps, () => this.#members(type, name, steps));
  }

  async #members(type: SymbolRef, name: string, steps: number): Promise<MemberLookup> {
    const { file, facts } = type;
    const own = symbolsIn(file, `${facts.qualifiedName}.${name}`);
    if (own.length > 0) return { found: own, isComplete: true };
    const elsewhere = await this.#membersElsewhere(type, name);
    if (elsewhere.length > 0) return { found: elsewhere, isComplete: true };
    // The index does not contain members that macros create or that other classes add.
    let isComplete = nameRules(file.language).hasHiddenMembers !== true;
    for (const one of await this.supertypes(type, steps + 1)) {
      if (one === undefined) {
        isComplete = false;
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- in the order of inheritance
      const inherited = await this.members(one, name, steps + 1);
      if (inherited.found.length > 0) return inherited;
      isComplete &&= inherited.isComplete;
    }
    return { found: [], isComplete };
  }

  /** Returns members that are defined outside of their type: Go methods, Rust `impl`, C++ `A::b`. */
  async #membersElsewhere(type: SymbolRef, name: string): Promise<readonly SymbolRef[]> {
    const { file, facts } = type;
    if (FIXED_MEMBERS.has(file.language)) return [];
    const all = (await this.definitions(name)).filter((ref) => {
      const owner = ownerName(ref);
      const isOf = owner === facts.qualifiedName || owner === facts.name;
      return isOf && ref.file.path !== file.path && canUse(ref.file.language, file.language);
    });
    if (all.length === 0) return all;
    if (nameRules(file.language).hasOpenTypes === true) {
      return visibleFrom(
        file,
        all.filter((ref) => ownerName(ref) === facts.qualifiedName),
      );
    }
    const siblings = this.#siblingsOf(file);
    const nearby = all.filter((ref) => siblings.has(ref.file.path));
    if (nearby.length > 0) return nearby;
    // Members in distant files count only if no other type has that name.
    const types = (await this.definitions(facts.name)).filter(isType);
    const isOnly = types.every(({ file: other }) => other.path === file.path);
    return isOnly && file.language !== "go" ? all.filter((ref) => !hasType(ref, facts.name)) : [];
  }

  /**
   * Returns the supertypes of a type, with undefined for each one that is unknown or outside of the project.
   */
  async supertypes(type: SymbolRef, steps = 0): Promise<readonly (SymbolRef | undefined)[]> {
    const key = `supertypes ${type.file.path} ${type.number}`;
    return this.memo.getOrResolve(key, steps, () => this.#supertypes(type, steps));
  }

  async #supertypes(type: SymbolRef, steps: number): Promise<readonly (SymbolRef | undefined)[]> {
    const { hasOpenTypes = false, hasNamespaces = false } = nameRules(type.file.language);
    if (!hasOpenTypes && !hasNamespaces) return this.#inheritedBy(type, steps);
    const all = (await this.definitions(type.facts.name)).filter(
      ({ file, facts }) =>
        facts.qualifiedName === type.facts.qualifiedName &&
        (!hasNamespaces || file.package === type.file.package),
    );
    const found: (SymbolRef | undefined)[] = [];
    for (const one of all.slice(0, MAX_NAME_PARTS)) {
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
      found.push(...(await this.#inheritedBy(one, steps)));
    }
    return found;
  }

  async #inheritedBy(type: SymbolRef, steps: number): Promise<readonly (SymbolRef | undefined)[]> {
    const { file, number } = type;
    // Supertypes are resolved in the enclosing type, not in the type itself.
    const [outer] = symbolsIn(file, ownerName(type));
    const uses = (await this.#symbols.inheritsOf(file.path)).get(number) ?? [];
    const found: (SymbolRef | undefined)[] = [];
    for (const { name, receiver, target } of uses) {
      const own = symbolRef(file, target);
      const path = receiver === "" || receiver === "?" ? name : `${receiver}.${name}`;
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
      const one = own ?? (await this.typeNamed(file, path, steps + 1, outer?.number));
      if (one === undefined || one.file !== file || one.number !== number) found.push(one);
    }
    return found;
  }

  #siblingsOf(file: ScopedFile): ReadonlySet<string> {
    return this.#siblings.get(file.path, () => new Set(this.#modules.siblingsOf(importerOf(file))));
  }
}

/** Returns a file as an importer. */
export function importerOf({ path, language, package: ofPackage }: ScopedFile): Importer {
  return { path, language, package: ofPackage };
}
