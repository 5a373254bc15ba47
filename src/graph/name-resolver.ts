// Resolves names in files, modules and types. Asynchronous, because an index backend may be remote.

import { PRISMA_SCHEMA } from "../base/receiver-marks.ts";
import type { NamedSymbol } from "../index/port.ts";
import { BoundedCache } from "./bounded-cache.ts";
import {
  hasOuterMembers,
  isExtension,
  isOuter,
  isType,
  OUTSIDE,
  ownerName,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { dartName } from "./dart-names.ts";
import { HaskellNames } from "./haskell-names.ts";
import { IncludedNames } from "./included-names.ts";
import { ModuleExports } from "./module-exports.ts";
import type { Mixins } from "./graph-ports.ts";
import { luaClass } from "./lua-classes.ts";
import { memberAround, type BareName } from "./member-around.ts";
import { canUse, hasBareMembers, isGlobalName, nameRules } from "./name-rules.ts";
import { firstOfEachType } from "./open-types.ts";
import { isImported, longestBoundPrefix } from "./own-names.ts";
import { MAX_CACHED_FILES } from "./indexed-symbols.ts";
import { MAX_STEPS, type ResolutionContext } from "./resolution-context.ts";
import { nearestMacros } from "./rust-macros.ts";
import { importedInScala, scalaName, scalaPath } from "./scala-names.ts";
import { isClass, withObjects } from "./scala-types.ts";
import { swiftName, swiftTypeNamed } from "./swift-names.ts";
import { TypeMembers } from "./type-members.ts";
import {
  asNamespace,
  inOwnNamespace,
  globalDefinition,
  isVisibleAround,
  visibleByRules,
  visibleExtensions,
} from "./visible-definitions.ts";

/** Maximum calls that are followed from a parameter to what is passed. */
const MAX_LEVEL = 3;

/** `use MyAppWeb` passes on what it imports, which may do the same. */
const MAX_PASSES = 2;

/** Resolves names. One instance per index generation, and one for each number of calls that are followed. */
export class NameResolver {
  readonly context: ResolutionContext;
  readonly exports: ModuleExports;
  readonly types: TypeMembers;
  readonly haskell: HaskellNames;
  readonly #includedNames: IncludedNames;
  readonly #outer = new BoundedCache<Promise<readonly SymbolRef[]>>(MAX_CACHED_FILES);
  readonly #onlyExtensions = new BoundedCache<Promise<boolean>>(MAX_CACHED_FILES);

  /** How many calls there are between this resolver and the question. */
  readonly level: number;
  readonly #mixins: Mixins | undefined;
  #callers: NameResolver | undefined;

  /** `mixins`: by default none are known. */
  constructor(context: ResolutionContext, mixins?: Mixins, level = 0) {
    this.context = context;
    this.level = level;
    this.#mixins = mixins;
    this.exports = new ModuleExports(
      context,
      (entity, name, steps) => this.within(entity, name, steps),
      (file, module, steps) => importedInScala(this, file, module, steps),
    );
    this.haskell = new HaskellNames(context);
    this.types = new TypeMembers(
      context,
      (file, path, steps, owner) => this.typeNamed(file, path, steps, owner),
      mixins,
    );
    const { symbols } = context;
    this.#includedNames = new IncludedNames(
      (path) => context.includedBy(path),
      (name) => symbols.definitions(name),
    );
  }

  /**
   * Resolves what callers pass to a parameter. What is known of an expression depends on how many calls are followed, so each
   * number has its own results. Undefined if no more calls are followed.
   */
  get callers(): NameResolver | undefined {
    if (this.level === MAX_LEVEL) return undefined;
    this.#callers ??= new NameResolver(this.context, this.#mixins, this.level + 1);
    return this.#callers;
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
    const other = this.context.elsewhere(file.path);
    if (other !== undefined) return other.names.name(file, name, owner, steps);
    const around = this.meansSameAnywhere(file, name) ? -1 : owner;
    const key = `name ${file.id} ${around} ${name}`;
    return this.context.memo.getOrResolve(key, steps, () =>
      this.#name(file, { name, owner: around, steps }),
    );
  }

  async #name(file: ScopedFile, place: BareName): Promise<Entity | undefined> {
    const { name, steps } = place;
    if (name === PRISMA_SCHEMA) {
      const { files } = this.context.target(file, "@prisma/client");
      return files.length === 0 ? OUTSIDE : { kind: "module", files, isPackage: true };
    }
    if (file.language === "swift") return swiftName(this, file, place);
    const rules = nameRules(file.language);
    if (rules.hasImplicitThis === true && !this.meansSameAnywhere(file, name)) {
      const member = await memberAround(this, file, place);
      if (member !== undefined) return member;
    }
    if (file.language === "scala") return scalaName(this, file, place);
    if (file.language === "dart") return dartName(this, file, name, steps);
    const here = this.context.symbols.definitionsIn(file, name);
    const own = isImported(file, here, name) ? undefined : symbolsEntity(here);
    if (own !== undefined) return asNamespace(file, own) ?? own;
    for (const one of rules.bindsNothing === true ? [] : file.imports) {
      const binding = one.bindings.find(({ local }) => local === name);
      if (binding === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- the first binding wins
      return this.exports.bound(file, { import: one, binding }, steps + 1);
    }
    return this.#unboundName(file, name, steps);
  }

  /**
   * Resolves a name through the package, wildcard imports and global names; `OUTSIDE` if the project cannot
   * define it.
   */
  async #unboundName(file: ScopedFile, name: string, steps: number): Promise<Entity | undefined> {
    const outer = await this.#outerDefinitions(name);
    const usable = outer.filter((ref) => canUse(file.language, ref.file.language) && isOuter(ref));
    const all = inOwnNamespace(file, usable);
    const namespace = asNamespace(file, symbolsEntity(all));
    if (namespace !== undefined) return namespace;
    const rules = nameRules(file.language);
    if (rules.includesText === true) return this.#includedNames.among(file, all);
    const shared = rules.hasNamespaces === true ? await this.context.sharedNamespaces(file) : [];
    const known = visibleByRules(file, all, shared);
    if (known !== undefined) return known;
    const siblings = this.context.siblingsOf(file);
    const nearby = await this.#visible(
      name,
      all.filter((ref) => siblings.has(ref.file.path) && isVisibleAround(ref)),
    );
    if (nearby.length > 0) return symbolsEntity(nearby);
    const imported = await this.#fromWildcards(file, name, steps);
    if (imported.found !== undefined) return imported.found;
    const macros = nearestMacros(file, all);
    if (macros.length > 0) return symbolsEntity(macros);
    if (imported.isAllKnown && rules.isPrelude?.(name) === true) return OUTSIDE;
    if (isGlobalName(file.language, name)) return globalDefinition(file, all);
    // It may be a member of the receiver of an enclosing lambda.
    const others = hasBareMembers(file.language)
      ? await this.context.symbols.definitions(name)
      : all;
    return others.length === 0 && imported.isAllKnown ? OUTSIDE : undefined;
  }

  /** Returns the definitions of a name that may be visible without an owner: most members are not read. */
  #outerDefinitions(name: string): Promise<readonly SymbolRef[]> {
    return this.#outer.get(name, () => this.#findOuterDefinitions(name));
  }

  async #findOuterDefinitions(name: string): Promise<readonly SymbolRef[]> {
    const { symbols, reader } = this.context;
    const inner = new Set<NamedSymbol>();
    for (const hit of await symbols.hits(name)) {
      if (hit.name === hit.qualifiedName) continue;
      // oxlint-disable-next-line no-await-in-loop -- in memory
      const facts = await reader.factsOf(hit.path);
      if (facts !== undefined && !hasOuterMembers(facts.language)) inner.add(hit);
    }
    return symbols.definitionsThat(name, (hit) => !inner.has(hit));
  }

  /** Returns those of the definitions of a name that a file can see; see `visibleExtensions`. */
  async #visible(name: string, found: readonly SymbolRef[]): Promise<readonly SymbolRef[]> {
    if (!found.some(isExtension)) return found;
    return found.filter(visibleExtensions(await this.context.symbols.definitions(name)));
  }

  /** Resolves a name through wildcard imports. `isAllKnown`: whether the modules of all of them are known. */
  async #fromWildcards(
    file: ScopedFile,
    name: string,
    steps: number,
  ): Promise<{ readonly found: Entity | undefined; readonly isAllKnown: boolean }> {
    let isAllKnown = true;
    for (const { isWildcard, module } of file.imports) {
      if (!isWildcard) continue;
      if (nameRules(file.language).hasModuleSymbols === true) {
        // oxlint-disable-next-line no-await-in-loop -- the first match wins
        const found = await this.#fromModule(module, name, { steps, passes: MAX_PASSES });
        if (found !== undefined) return { found, isAllKnown };
        continue;
      }
      const { files, isExternal, rest } = this.context.target(file, module);
      if (files.length === 0 && !isExternal) isAllKnown = false;
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const entity = await this.exports.pathInModules(files, [...rest, name], steps + 1);
      const found =
        entity?.kind === "symbols"
          ? // oxlint-disable-next-line no-await-in-loop -- as above
            symbolsEntity(await this.#visible(name, entity.symbols))
          : entity;
      if (found !== undefined) return { found, isAllKnown };
    }
    return { found: undefined, isAllKnown };
  }

  /** Returns a member of a module, or of one whose members it passes on, at most `passes` times. */
  async #fromModule(
    module: string,
    name: string,
    { steps, passes }: { readonly steps: number; readonly passes: number },
  ): Promise<Entity | undefined> {
    const entity = await this.exports.named(module);
    if (entity?.kind !== "symbols") return undefined;
    const found = await this.within(entity, name, steps + 1);
    if (found?.kind === "symbols") return found;
    const imports = passes === 0 ? [] : (entity.symbols[0]?.file.imports ?? []);
    for (const { isWildcard, module: passed } of imports) {
      if (!isWildcard || passed === module) continue;
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const inner = await this.#fromModule(passed, name, { steps, passes: passes - 1 });
      if (inner !== undefined) return inner;
    }
    return undefined;
  }

  /**
   * Returns whether an unqualified name means the same anywhere in a file, because no type around can have a member of that
   * name. Does not read the definitions of the file; false if it would have to.
   */
  meansSameAnywhere(file: ScopedFile, name: string): boolean {
    const { symbols, hasOtherProjects } = this.context;
    return !hasOtherProjects && symbols.isOuterIn(file, name);
  }

  /** Returns whether all definitions of a name are extensions; false if there are none. */
  isOnlyExtension(name: string): Promise<boolean> {
    return this.#onlyExtensions.get(name, async () => {
      const { symbols } = this.context;
      let isAny = false;
      for (const hit of await symbols.hits(name)) {
        if (ownerName({ facts: hit }) === "") return false;
        // oxlint-disable-next-line no-await-in-loop -- mostly the first is none
        const ref = await symbols.refOf(hit);
        if (ref !== undefined && !isExtension(ref)) return false;
        isAny ||= ref !== undefined;
      }
      return isAny;
    });
  }

  /**
   * Returns the definition and, of a structure of C, also the type definitions of the same name in the headers that its
   * file includes: `typedef struct node node;` declares the type that `struct node {…}` defines.
   */
  async withTypedefs(own: SymbolRef): Promise<readonly SymbolRef[]> {
    const { file, number, facts } = own;
    if (file.language !== "c" || facts.kind !== "class" || ownerName(own) !== "") return [own];
    const key = `typedefs ${file.id} ${number}`;
    return this.context.memo.getOrResolve(key, 0, async () => [
      own,
      ...(await this.#includedNames.typedefsOf(own)),
    ]);
  }

  /** Returns the type that a name refers to in a file. The name may be qualified. */
  async typeNamed(
    file: ScopedFile,
    path: string,
    steps = 0,
    owner = -1,
  ): Promise<SymbolRef | undefined> {
    if (file.language === "haskell") return this.haskell.typeNamed(file, path);
    if (file.language === "swift") return swiftTypeNamed(this, file, { path, owner, steps });
    const [own] = withObjects(symbolsIn(file, path), "last");
    if (own !== undefined && isType(own)) return own;
    const entity = await this.typePath(file, path, steps + 1, owner);
    if (entity?.kind !== "symbols") return undefined;
    return withObjects(entity.symbols, "last").find(isType);
  }

  /**
   * Resolves the name of a type. In C#, a member of the same name is not meant: `Color Color { get; }`. In Scala, an object is
   * not: `object Parser extends Parser`.
   */
  async typePath(
    file: ScopedFile,
    path: string,
    steps: number,
    owner: number,
  ): Promise<Entity | undefined> {
    const entity = await this.path(file, path, steps, owner);
    if (file.language === "lua") return luaClass(this.context, path, entity);
    const isOther = file.language === "csharp" || file.language === "scala";
    if (owner === -1 || !isOther) return entity;
    if (entity?.kind !== "symbols" || entity.symbols.some(isClass)) return entity;
    const outer = await this.path(file, path, steps, -1);
    return outer?.kind === "symbols" && outer.symbols.some(isClass) ? outer : entity;
  }

  /** Resolves a name with dots: its first part in the file, every other part in the previous one. */
  async path(file: ScopedFile, path: string, steps = 0, owner = -1): Promise<Entity | undefined> {
    const entity = await this.#pathByNames(file, path, steps, owner);
    if (file.language !== "scala" || entity?.kind === "symbols" || !path.includes("."))
      return entity;
    return (await scalaPath(this, file, { name: path, owner, steps: steps + 1 })) ?? entity;
  }

  async #pathByNames(
    file: ScopedFile,
    path: string,
    steps: number,
    owner: number,
  ): Promise<Entity | undefined> {
    const first = longestBoundPrefix(file, path);
    let entity = await this.name(file, first, owner, steps + 1);
    const parts = path.slice(first.length + 1).match(/[^.]+/g) ?? [];
    const rooted =
      entity === undefined || entity.kind === "outside"
        ? this.rooted(file, [first, ...parts])
        : undefined;
    if (rooted !== undefined) ({ entity } = rooted);
    else if (parts.length > 0 && file.language === "php") {
      const qualified = await this.#qualified(file, [first, ...parts], steps + 1);
      if (qualified !== undefined) return qualified;
    }
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
    const other = this.context.elsewhere(file.path);
    if (other !== undefined) return other.names.rooted(file, path);
    const type = path.findIndex((part) => /^\p{Lu}/u.test(part));
    const parts = hasTypesAtEnd === true && type !== -1 ? path.slice(0, type + 1) : path;
    if (parts.length < (hasTypesAtEnd === true ? 2 : 1)) return undefined;
    const { files, isPackage, rest } = this.context.target(file, parts.join(separator));
    const taken = parts.length - rest.length;
    if (files.length === 0 || taken < 1) return undefined;
    return { entity: { kind: "module", files, isPackage }, taken };
  }

  /** Resolves `A\\b` of PHP: from its beginning, which an import may bind, or in the namespace of the file. */
  async #qualified(
    file: ScopedFile,
    path: readonly string[],
    steps: number,
  ): Promise<Entity | undefined> {
    const [first = ""] = path;
    const bound = file.imports.find(({ bindings }) =>
      bindings.some(({ local }) => local === first),
    );
    const starts = bound === undefined ? ["", `${file.package}\\`] : [bound.module];
    const name = path.at(-1) ?? "";
    for (const start of starts) {
      const rest = (bound === undefined ? path : path.slice(1)).join("\\");
      const module = bound === undefined ? start + rest : `${start}\\${rest}`;
      const binding = { name, local: name };
      const one = { line: 0, module, bindings: [binding], isWildcard: false, isReexport: false };
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const entity = await this.exports.bound(file, { import: one, binding }, steps);
      if (entity?.kind === "symbols") return entity;
    }
    return undefined;
  }

  /** Resolves a name in a module, namespace or type. */
  async within(entity: Entity, name: string, steps = 0): Promise<Entity | undefined> {
    if (entity.kind === "outside") return OUTSIDE;
    // Its members are not definitions.
    if (entity.kind === "shape") return undefined;
    if (entity.kind === "namespace") {
      const other = this.context.elsewhere(entity.file.path);
      if (other !== undefined) return other.names.within(entity, name, steps);
      return this.#includedNames.inNamespace(entity.file, entity.name, name);
    }
    if (entity.kind === "module") {
      return this.exports.inModules(entity.files, name, steps + 1);
    }
    if (entity.kind === "instance" && entity.variants !== undefined) {
      return this.#withinVariants([entity.type, ...entity.variants], name, steps + 1);
    }
    return this.#withinTypes(entity, name, steps);
  }

  async #withinTypes(
    entity: Extract<Entity, { kind: "instance" | "symbols" }>,
    name: string,
    steps: number,
  ): Promise<Entity | undefined> {
    const types =
      entity.kind === "instance"
        ? [entity.type]
        : withObjects(firstOfEachType(entity.symbols), "first");
    const side = entity.kind === "instance" ? "object" : "class";
    let isComplete = types.length > 0;
    for (const type of types) {
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const members = await this.types.members(type, name, steps + 1, side);
      if (members.found.length > 0) return symbolsEntity(members.found);
      isComplete &&= members.isComplete;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const added = await this.exports.addedToWhole(type, name, steps + 1);
      if (added !== undefined) return added;
    }
    const [module] = types;
    if (module?.facts.kind === "module" && nameRules(module.file.language).hasOpenModules === true)
      return this.#unboundName(module.file, name, steps + 1);
    return isComplete && types.some(isType) ? OUTSIDE : undefined;
  }

  /**
   * Returns the member that all types of some have, as far as they have one; undefined if they have different ones. In Ruby any
   * of these may be meant.
   */
  async #withinVariants(
    types: readonly SymbolRef[],
    name: string,
    steps: number,
  ): Promise<Entity | undefined> {
    let found: readonly SymbolRef[] = [];
    for (const type of types) {
      // oxlint-disable-next-line no-await-in-loop -- two or three
      const members = await this.types.members(type, name, steps, "object");
      const [first] = members.found;
      if (first === undefined) continue;
      const isOther =
        found.length > 0 &&
        !found.some((one) => one.file === first.file && one.number === first.number);
      if (isOther && first.file.language !== "ruby") return undefined;
      found = isOther ? [...found, first] : members.found;
    }
    return symbolsEntity(found);
  }
}
