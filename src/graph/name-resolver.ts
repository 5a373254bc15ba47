// What names mean: in a file, in a module, in a type. Asynchronous, because an index may be far away.

import type { Binding, Import, Use } from "../chunk/references.ts";
import type { IndexReader } from "../index/backend.ts";
import { AnswerCache } from "./answer-cache.ts";
import { BoundedCache } from "./bounded-cache.ts";
import {
  isOuter,
  isType,
  OUTSIDE,
  ownerName,
  scopedFile,
  symbolRef,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { IncludedNames } from "./includes.ts";
import { canUse, hasBareMembers, nameRules } from "./languages.ts";
import { onceEach, seenFrom } from "./open-types.ts";
import { isCrateRoot, macrosNear } from "./macros.ts";
import { longestBound, isConstructor, isImported, hasType, defaultExport } from "./own-names.ts";
import { asNamespace, onlyOne, seenByRules, seenExtensions } from "./seen-definitions.ts";
import type { Importer, ModuleTarget } from "./modules/module-target.ts";
import type { ModuleResolver } from "./modules/module-resolver.ts";

/** Steps of re-exports, supertypes and types of types that are followed. */
export const MOST_STEPS = 12;
/** Files and names that are kept in memory: some 20 MB of a big project. */
const MOST_KEPT = 4000;
/** What names, members and expressions mean. */
const MOST_ANSWERS = 50_000;
/** Languages in which all members stand in their type. */
const FIXED_MEMBERS = new Set(["typescript", "tsx", "javascript", "python", "php", "java"]);
/** Definitions of one name that are looked at. */
const MOST_OF_A_NAME = 300;

/** Places in which one type goes on that are looked at. */
const MOST_PARTS = 20;

/** What a type has under a name. */
export interface Members {
  readonly found: readonly SymbolRef[];
  /** True when everything it inherits from is known, so that what is not found is not there. */
  readonly isComplete: boolean;
}

const NO_MEMBERS: Members = { found: [], isComplete: false };

/** One for a generation of an index. */
export class NameResolver {
  readonly #reader: IndexReader;
  readonly #modules: ModuleResolver;
  readonly #files = new BoundedCache<Promise<ScopedFile | undefined>>(MOST_KEPT);
  readonly #named = new BoundedCache<Promise<readonly SymbolRef[]>>(MOST_KEPT);
  readonly #inherits = new BoundedCache<Promise<ReadonlyMap<number, readonly Use[]>>>(MOST_KEPT);
  readonly #included: IncludedNames;
  readonly answers = new AnswerCache(MOST_ANSWERS);
  readonly #siblings = new BoundedCache<ReadonlySet<string>>(MOST_KEPT);

  constructor(reader: IndexReader, modules: ModuleResolver) {
    this.#reader = reader;
    this.#modules = modules;
    this.#included = new IncludedNames({
      file: (path) => this.file(path),
      header: (from, module) => this.target(from, module).files[0],
      definitions: (name) => this.definitions(name),
    });
  }

  file(path: string): Promise<ScopedFile | undefined> {
    return this.#files.get(path, async () => {
      const scope = await this.#reader.scopeOf(path);
      return scope && scopedFile(scope);
    });
  }

  /** Definitions of a name in this very case, wherever they are. */
  definitions(name: string): Promise<readonly SymbolRef[]> {
    return this.#named.get(name, () => this.#definitions(name));
  }

  async #definitions(name: string): Promise<readonly SymbolRef[]> {
    const hits = await this.#reader.symbolsNamed(name, MOST_OF_A_NAME);
    const found: SymbolRef[] = [];
    for (const hit of hits) {
      if (hit.name !== name) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly in memory already
      const file = await this.file(hit.path);
      const same = file && symbolsIn(file, hit.qualifiedName);
      const ref = same?.find(({ facts }) => facts.startLine === hit.startLine);
      if (ref !== undefined) found.push(ref);
    }
    return found;
  }

  /** Files that make up a module that a file names. */
  target(file: ScopedFile, module: string): ModuleTarget {
    return this.#modules.resolve(importerOf(file), module);
  }

  /**
   * What a bare name means in a file, within the definition `owner` (-1 outside of all). Undefined where that
   * cannot be told.
   */
  async name(
    file: ScopedFile,
    name: string,
    owner: number,
    steps = 0,
  ): Promise<Entity | undefined> {
    if (steps > MOST_STEPS) return undefined;
    const key = `name ${file.path} ${owner} ${name}`;
    return this.answers.of(key, steps, () => this.#name(file, { name, owner, steps }));
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
      // oxlint-disable-next-line no-await-in-loop -- the first that binds it is the one
      if (binding !== undefined) return this.bound(file, { import: one, binding }, steps + 1);
    }
    return this.#unbound(file, name, steps);
  }

  /** A name of the package, of a wildcard import, of the whole project, or of none of them. */
  async #unbound(file: ScopedFile, name: string, steps: number): Promise<Entity | undefined> {
    const everywhere = await this.definitions(name);
    const all = everywhere.filter(
      (ref) => isOuter(ref) && canUse(file.language, ref.file.language),
    );
    const namespace = asNamespace(file, symbolsEntity(all));
    if (namespace !== undefined) return namespace;
    const rules = nameRules(file.language);
    if (rules.includesText === true) return this.#included.among(file, all);
    const known = seenByRules(file, all);
    if (known !== undefined) return known;
    const siblings = this.#siblingsOf(file);
    const isSeen = seenExtensions(everywhere);
    const near = all.filter((ref) => siblings.has(ref.file.path) && isSeen(ref));
    if (near.length > 0) return symbolsEntity(near);
    const imported = await this.#fromWildcards(file, { name, isSeen }, steps);
    if (imported.found !== undefined) return imported.found;
    const macros = symbolsEntity(macrosNear(file, all));
    if (macros !== undefined) return macros;
    if (imported.isAllKnown && rules.isPrelude?.(name) === true) return OUTSIDE;
    if (rules.hasGlobalNames === true) return onlyOne(all);
    // It may be a member of what a function is called on that this one is handed to.
    const others = hasBareMembers(file.language) ? everywhere : all;
    return others.length === 0 && imported.isAllKnown ? OUTSIDE : undefined;
  }

  /** What an import of everything brings; and whether it is known what they all bring. */
  async #fromWildcards(
    file: ScopedFile,
    { name, isSeen }: { name: string; isSeen: (ref: SymbolRef) => boolean },
    steps: number,
  ): Promise<{ readonly found: Entity | undefined; readonly isAllKnown: boolean }> {
    let isAllKnown = true;
    for (const { isWildcard, module } of file.imports) {
      if (!isWildcard) continue;
      const { files, isExternal, rest } = this.target(file, module);
      if (files.length === 0 && !isExternal) isAllKnown = false;
      // oxlint-disable-next-line no-await-in-loop -- the first that has it is the one
      const entity = await this.#behind(files, [...rest, name], steps + 1);
      const found =
        entity?.kind === "symbols" ? symbolsEntity(entity.symbols.filter(isSeen)) : entity;
      if (found !== undefined) return { found, isAllKnown };
    }
    return { found: undefined, isAllKnown };
  }

  async #memberAround(
    file: ScopedFile,
    { name, owner, steps }: { name: string; owner: number; steps: number },
  ): Promise<Entity | undefined> {
    for (let around = symbolRef(file, owner); around !== undefined;) {
      // By its own name is meant the type, not what makes one.
      if (isType(around) && around.facts.name !== name) {
        // oxlint-disable-next-line no-await-in-loop -- from the inside out
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

  /** The type of a name as a file sees it; names may be qualified. */
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

  /** What a name with dots means: the first part in the file, each other in the one before. */
  async path(file: ScopedFile, path: string, steps = 0, owner = -1): Promise<Entity | undefined> {
    const first = longestBound(file, path);
    const rest = path.slice(first.length + 1).split(".");
    let entity = await this.name(file, first, owner, steps + 1);
    const parts = rest.filter((one) => one !== "");
    const rooted =
      entity === undefined || entity.kind === "outside"
        ? this.rooted(file, [first, ...parts])
        : undefined;
    if (rooted !== undefined) ({ entity } = rooted);
    for (const part of parts.slice((rooted?.taken ?? 1) - 1)) {
      // oxlint-disable-next-line no-await-in-loop -- each is looked up in the one before
      entity = entity && (await this.within(entity, part, steps + 1));
    }
    return entity;
  }

  /** The module that a path begins with, where paths name modules without an import; and how many parts it takes. */
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

  /** What a module or a type has under a name. */
  async within(entity: Entity, name: string, steps = 0): Promise<Entity | undefined> {
    if (entity.kind === "outside") return OUTSIDE;
    if (entity.kind === "namespace") {
      return this.#included.inNamespace(entity.file, entity.name, name);
    }
    if (entity.kind === "module") {
      return this.#inModule(entity.files, name, steps + 1);
    }
    const types = entity.kind === "instance" ? [entity.type] : onceEach(entity.symbols);
    let isComplete = types.length > 0;
    for (const type of types) {
      // oxlint-disable-next-line no-await-in-loop -- the first that has it is the one
      const members = await this.members(type, name, steps + 1);
      if (members.found.length > 0) return symbolsEntity(members.found);
      isComplete &&= members.isComplete;
    }
    return isComplete && types.some(isType) ? OUTSIDE : undefined;
  }

  async bound(
    file: ScopedFile,
    { import: { module }, binding }: { import: Import; binding: Binding },
    steps = 0,
  ): Promise<Entity | undefined> {
    // The file passes something of its own on, under another name.
    if (module === "") return this.exported(file.path, binding.name, steps + 1);
    const target = this.target(file, module);
    if (target.isExternal) return OUTSIDE;
    if (target.files.length === 0) return this.#submodule(file, module, binding.name);
    const { files, isPackage, rest } = target;
    if (rest.length > 0) return this.#behind(files, rest, steps + 1);
    if (binding.name === "*") {
      // What `require` gives is what the module sets its exports to.
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

  /** The module that `from package import module` means; none where that is a name in the package. */
  submodules(file: ScopedFile, module: string, name: string): readonly string[] {
    if (file.language !== "python" || name === "*") return [];
    const path = `${module}${module.endsWith(".") ? "" : "."}${name}`;
    const { files, rest } = this.target(file, path);
    return rest.length === 0 ? files.slice(0, 1) : [];
  }

  /** What names mean that stand one behind the other: the first in a module, each other in the one before. */
  async #behind(
    files: readonly string[],
    [first = "", ...rest]: readonly string[],
    steps: number,
  ): Promise<Entity | undefined> {
    let entity = await this.#inModule(files, first, steps);
    for (const part of rest) {
      // oxlint-disable-next-line no-await-in-loop -- each is looked up in the one before
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
      // oxlint-disable-next-line no-await-in-loop -- the first that has it is the one
      const found = await this.exported(path, name, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What others get who import a name from a file. */
  async exported(path: string, name: string, steps = 0): Promise<Entity | undefined> {
    if (steps > MOST_STEPS) return undefined;
    const file = await this.file(path);
    if (file === undefined) return undefined;
    const own = symbolsIn(file, name);
    if (own.length > 0 && !isImported(file, own, name)) return symbolsEntity(own);
    const { passesImportsOn = false } = nameRules(file.language);
    for (const one of file.imports) {
      const binding = one.bindings.find(
        (each) => each.local === name || (each.local === "" && each.name === name),
      );
      // oxlint-disable-next-line no-await-in-loop -- the first that has it is the one
      if (binding !== undefined) return this.bound(file, { import: one, binding }, steps + 1);
      if (!one.isWildcard || !(one.isReexport || passesImportsOn)) continue;
      const { files } = this.target(file, one.module);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await this.#inModule(files, name, steps + 1);
      if (found !== undefined) return found;
    }
    if (isCrateRoot(file)) return symbolsEntity(macrosNear(file, await this.definitions(name)));
    return name === "default" ? defaultExport(file) : undefined;
  }

  async members(type: SymbolRef, name: string, steps = 0): Promise<Members> {
    if (steps > MOST_STEPS) return NO_MEMBERS;
    const { file, number } = type;
    const key = `member ${file.path} ${number} ${name}`;
    return this.answers.of(key, steps, () => this.#members(type, name, steps));
  }

  async #members(type: SymbolRef, name: string, steps: number): Promise<Members> {
    const { file, facts } = type;
    const own = symbolsIn(file, `${facts.qualifiedName}.${name}`);
    if (own.length > 0) return { found: own, isComplete: true };
    const elsewhere = await this.#membersElsewhere(type, name);
    if (elsewhere.length > 0) return { found: elsewhere, isComplete: true };
    // What macros make members of is not seen, nor what other classes add.
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

  /** Members that are defined outside of their type: methods of Go, `impl` of Rust, `A::b` of C++. */
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
      return seenFrom(
        file,
        all.filter((ref) => ownerName(ref) === facts.qualifiedName),
      );
    }
    const siblings = this.#siblingsOf(file);
    const near = all.filter((ref) => siblings.has(ref.file.path));
    if (near.length > 0) return near;
    // Far from it only when no other type of that name can be meant.
    const types = (await this.definitions(facts.name)).filter(isType);
    const isOnly = types.every(({ file: other }) => other.path === file.path);
    return isOnly && file.language !== "go" ? all.filter((ref) => !hasType(ref, facts.name)) : [];
  }

  /** What a type inherits from; undefined for each that is not known or not of the project. */
  async supertypes(type: SymbolRef, steps = 0): Promise<readonly (SymbolRef | undefined)[]> {
    const key = `supertypes ${type.file.path} ${type.number}`;
    return this.answers.of(key, steps, () => this.#supertypes(type, steps));
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
    for (const one of all.slice(0, MOST_PARTS)) {
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly in memory
      found.push(...(await this.#inheritedBy(one, steps)));
    }
    return found;
  }

  async #inheritedBy(type: SymbolRef, steps: number): Promise<readonly (SymbolRef | undefined)[]> {
    const { file, number } = type;
    // Types of the type around are seen; those that it inherits are not looked for in itself.
    const [outer] = symbolsIn(file, ownerName(type));
    const uses = (await this.#inheritsOf(file.path)).get(number) ?? [];
    const found: (SymbolRef | undefined)[] = [];
    for (const { name, receiver, target } of uses) {
      const own = symbolRef(file, target);
      const path = receiver === "" || receiver === "?" ? name : `${receiver}.${name}`;
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly in memory
      const one = own ?? (await this.typeNamed(file, path, steps + 1, outer?.number));
      if (one === undefined || one.file !== file || one.number !== number) found.push(one);
    }
    return found;
  }

  #inheritsOf(path: string): Promise<ReadonlyMap<number, readonly Use[]>> {
    return this.#inherits.get(path, async () => {
      const { uses } = await this.#reader.referencesOf(path);
      const inheriting = uses.filter(({ role }) => role === "inherit");
      return Map.groupBy(inheriting, ({ owner }) => owner);
    });
  }

  #siblingsOf(file: ScopedFile): ReadonlySet<string> {
    return this.#siblings.get(file.path, () => new Set(this.#modules.siblingsOf(importerOf(file))));
  }
}

export function importerOf({ path, language, package: ofPackage }: ScopedFile): Importer {
  return { path, language, package: ofPackage };
}
