// The reference graph: which definition uses which. It is resolved at query time, so that a changed file only
// changes its own entries of the index.

import { Yielder } from "../base/yielder.ts";
import type { Use, UseRole } from "../parse/references/references.ts";
import type { FileUses, IndexReader, SymbolHit } from "../index/port.ts";
import {
  isSameSymbol,
  isType,
  ownerName,
  symbolRef,
  symbolsIn,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { countUsingFiles, type CountedTarget } from "./count-using-files.ts";
import { canUse, nameRules } from "./name-rules.ts";
import { ModuleResolver } from "./modules/module-resolver.ts";
import { importerOf, NameResolver } from "./name-resolver.ts";
import { resolveUse, type UseResolution } from "./resolve-use.ts";

/** "exact": resolved through imports, scopes and types. "name": only the names are equal. */
export type Certainty = "exact" | "name";

/** A place where a definition is used. */
export interface Reference {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly role: UseRole;
  readonly certainty: Certainty;
  /** The innermost enclosing definition; undefined at the top level of the file. */
  readonly owner: SymbolHit | undefined;
}

/** A definition that another one uses. */
export interface OutgoingReference {
  readonly name: string;
  readonly line: number;
  readonly role: UseRole;
  /** Best first. Several if only the name is known. */
  readonly targets: readonly SymbolHit[];
  readonly certainty: Certainty;
}

/** An import of one file by another. */
export interface ImportEdge {
  readonly path: string;
  readonly line: number;
}

/** Maximum definitions of a name whose types are compared one by one. */
const MAX_COMPARED_TYPES = 30;
/** If a name has more definitions, a use that is known only by name counts as unknown. */
const MAX_DEFINITIONS_BY_NAME = 10;
/** Maximum files whose imports are cached: a few megabytes. */
const MAX_IMPORTING_FILES = 20_000;

/** Answers queries about references in one index generation. */
export class ReferenceGraph {
  readonly #reader: IndexReader;
  readonly #modules: ModuleResolver;
  readonly #names: NameResolver;
  readonly #imports = new BoundedCache<Promise<readonly ImportEdge[]>>(MAX_IMPORTING_FILES);

  private constructor(reader: IndexReader, modules: ModuleResolver) {
    this.#reader = reader;
    this.#modules = modules;
    this.#names = new NameResolver(reader, modules);
  }

  /**
   * Opens a graph for one index generation. `readFile` returns the text of a config file, or undefined if it
   * does not exist.
   */
  static async open(
    reader: IndexReader,
    readFile: (path: string) => string | undefined,
  ): Promise<ReferenceGraph> {
    const modules = new ModuleResolver({ tree: await reader.fileTree(), read: readFile });
    return new ReferenceGraph(reader, modules);
  }

  /**
   * Returns the places that use a definition, sorted by file and line: exact uses and, unless the name is too
   * common, uses by name. Uses of a method include those of methods that it overrides or that override it.
   * Stops at an abort signal and returns what it has found.
   */
  async referencesTo(symbol: SymbolHit, signal?: AbortSignal): Promise<readonly Reference[]> {
    const wanted = await this.#refOf(symbol);
    if (wanted === undefined) return [];
    const family = await this.#familyOf(wanted);
    const files = await this.#usesOf(wanted);
    const isCommon = (await this.#reader.definitionsOf(symbol.name)) > MAX_DEFINITIONS_BY_NAME;
    const isPossible = isCommon ? await this.#filterFor(wanted) : undefined;
    const found: Reference[] = [];
    const yielder = new Yielder();
    for (const { path, language, uses: all } of files) {
      const uses = isPossible === undefined ? all : all.filter(isPossible);
      if (uses.length === 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- yields to other work
      await yielder.yieldIfDue();
      if (signal?.aborted === true) break;
      if (!canUse(language, wanted.file.language)) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = await this.#names.file(path);
      if (file === undefined) continue;
      for (const use of uses) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const resolution = await resolveUse(this.#names, file, use);
        const certainty = certaintyOf(resolution, { wanted, family, isCommon });
        if (certainty !== undefined) found.push(referenceOf(file, use, certainty));
      }
    }
    return deduplicated(found);
  }

  /**
   * Returns for each of several definitions of one name in how many files it is used, as `referencesTo` finds uses.
   * Each use is resolved once for all of them.
   */
  async usingFiles(
    symbols: readonly SymbolHit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const name = symbols[0]?.name ?? "";
    const isCommon = (await this.#reader.definitionsOf(name)) > MAX_DEFINITIONS_BY_NAME;
    const files = await this.#reader.usesOf(name);
    const targets = symbols.map(async (symbol): Promise<CountedTarget | undefined> => {
      const wanted = await this.#refOf(symbol);
      if (wanted === undefined) return undefined;
      const family = await this.#familyOf(wanted);
      return {
        language: wanted.file.language,
        others: await this.#usesUnderOtherNames(wanted, files),
        isPossible: isCommon ? await this.#filterFor(wanted) : (): boolean => true,
        isMeant: (resolution) =>
          certaintyOf(resolution, { wanted, family, isCommon }) !== undefined,
      };
    });
    return countUsingFiles(this.#names, { files, targets: await Promise.all(targets), signal });
  }

  /** Returns what a definition uses of the project, nested definitions included. */
  async usesFrom(symbol: SymbolHit): Promise<readonly OutgoingReference[]> {
    const ref = await this.#refOf(symbol);
    if (ref === undefined) return [];
    const { uses } = await this.#reader.referencesOf(symbol.path);
    const { startLine, endLine } = ref.facts;
    const inside = uses.filter(({ owner, line }) => {
      const around = ref.file.symbols[owner];
      return (
        owner === ref.number ||
        (around !== undefined && line >= startLine && line <= endLine && isInside(around, ref))
      );
    });
    return this.#outgoing(ref.file, inside);
  }

  /** Returns what a file uses of the project. */
  async usesFromFile(path: string): Promise<readonly OutgoingReference[]> {
    const file = await this.#names.file(path);
    if (file === undefined) return [];
    return this.#outgoing(file, (await this.#reader.referencesOf(path)).uses);
  }

  /** Returns the types that inherit from a type, or the methods that override a method. */
  async implementationsOf(symbol: SymbolHit): Promise<readonly SymbolHit[]> {
    const ref = await this.#refOf(symbol);
    if (ref === undefined) return [];
    if (isType(ref)) return (await this.#subtypesOf(ref)).map(symbolHitOf);
    const { overriding } = await this.#familyOf(ref);
    return overriding.map(symbolHitOf);
  }

  /** Returns the files that import a file, sorted by path, with the line of the first import. */
  async importersOf(path: string): Promise<readonly ImportEdge[]> {
    const wanted = await this.#names.file(path);
    if (wanted === undefined) return [];
    const candidates = new Set<string>();
    for (const part of this.#modules.lastPartsOf(path, wanted.language)) {
      // oxlint-disable-next-line no-await-in-loop -- two or three parts
      for (const other of await this.#reader.importersOf(part)) candidates.add(other);
    }
    candidates.delete(path);
    const found: ImportEdge[] = [];
    for (const other of [...candidates].toSorted()) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const edge = (await this.importsOf(other)).find((one) => one.path === path);
      if (edge !== undefined) found.push({ path: other, line: edge.line });
    }
    return found;
  }

  /** Returns the files of the project that a file imports, sorted by line. */
  importsOf(path: string): Promise<readonly ImportEdge[]> {
    return this.#imports.get(path, () => this.#importsOf(path));
  }

  async #importsOf(path: string): Promise<readonly ImportEdge[]> {
    const file = await this.#names.file(path);
    if (file === undefined) return [];
    const edges = file.imports.flatMap(({ module, bindings, line }) => {
      const { files, isPackage } = this.#modules.resolve(importerOf(file), module);
      const submodules = bindings.flatMap((binding) =>
        this.#names.submodules(file, module, binding.name),
      );
      return [...(isPackage ? files : files.slice(0, 1)), ...submodules].map((each) => ({
        path: each,
        line,
      }));
    });
    const visited = new Set([path]);
    return edges.filter(({ path: each }) => !visited.has(each) && visited.add(each));
  }

  /** Returns the targets of the uses of a name on a line. For checks of the graph. */
  async definitionsAt(
    path: string,
    line: number,
    name: string,
  ): Promise<readonly OutgoingReference[]> {
    const all = await this.usesFromFile(path);
    return all.filter((one) => one.line === line && one.name === name);
  }

  async #outgoing(file: ScopedFile, uses: readonly Use[]): Promise<readonly OutgoingReference[]> {
    const found: OutgoingReference[] = [];
    for (const use of uses) {
      const { name, line, role } = use;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const resolution = await resolveUse(this.#names, file, use);
      if (resolution.kind === "exact") {
        const targets = resolution.symbols.map(symbolHitOf);
        found.push({ name, line, role, targets, certainty: "exact" });
      } else if (resolution.kind === "name") {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const candidates = (await this.#names.definitions(name)).filter(
          (ref) => canUse(file.language, ref.file.language) && isLikely(ref, resolution.isMember),
        );
        if (candidates.length === 0 || candidates.length > MAX_DEFINITIONS_BY_NAME) continue;
        found.push({ name, line, role, targets: candidates.map(symbolHitOf), certainty: "name" });
      }
    }
    return found;
  }

  /** Returns the uses of a definition's name and of the names under which other modules re-export it. */
  async #usesOf(wanted: SymbolRef): Promise<readonly FileUses[]> {
    const files = await this.#reader.usesOf(wanted.facts.name);
    return [...files, ...(await this.#usesUnderOtherNames(wanted, files))];
  }

  /** `files`: with the uses of its own name. */
  async #usesUnderOtherNames(
    wanted: SymbolRef,
    files: readonly FileUses[],
  ): Promise<readonly FileUses[]> {
    const { name, access } = wanted.facts;
    if (access !== "exported" || ownerName(wanted) !== "") return [];
    const others = new Set<string>();
    for (const { path, uses } of files) {
      const isOwn = path === wanted.file.path;
      if (!isOwn && !uses.some(({ role }) => role === "import")) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = await this.#names.file(path);
      for (const local of reexportedNames(file, name)) others.add(local);
    }
    for (const local of await this.#defaultNames(wanted)) others.add(local);
    others.delete(name);
    others.delete("");
    const more = await Promise.all([...others].map((other) => this.#reader.usesOf(other)));
    return more.flat();
  }

  /** Returns the names that importing files give to the default export of a module. */
  async #defaultNames({ file }: SymbolRef): Promise<readonly string[]> {
    if (!canUse(file.language, "javascript")) return [];
    const names: string[] = [];
    for (const { path } of await this.importersOf(file.path)) {
      // oxlint-disable-next-line no-await-in-loop -- cached by now
      const importer = await this.#names.file(path);
      for (const { bindings } of importer?.imports ?? []) {
        for (const { name, local } of bindings) if (name === "default") names.push(local);
      }
    }
    return names;
  }

  /** Returns the methods that a method overrides, and those that override it. */
  async #familyOf(wanted: SymbolRef): Promise<Family> {
    const owner = ownerName(wanted);
    const [type] = owner === "" ? [] : symbolsIn(wanted.file, owner).filter(isType);
    if (type === undefined) return { all: [], overriding: [] };
    const { name } = wanted.facts;
    if ((await this.#reader.definitionsOf(name)) > MAX_COMPARED_TYPES) {
      return this.#familyByInheritance(type, name);
    }
    const overriding: SymbolRef[] = [];
    const overridden: SymbolRef[] = [];
    for (const other of await this.#names.definitions(name)) {
      if (isSameSymbol(other, wanted) || !canUse(other.file.language, wanted.file.language))
        continue;
      const [otherType] = symbolsIn(other.file, ownerName(other)).filter(isType);
      if (otherType === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      if (await this.#inherits(otherType, type)) overriding.push(other);
      // oxlint-disable-next-line no-await-in-loop -- as above
      else if (await this.#inherits(type, otherType)) overridden.push(other);
    }
    return { all: [...overridden, ...overriding], overriding };
  }

  /**
   * Returns a cheap filter for the uses of a name that many types have. It drops uses of which only the name
   * is known and, in Java, where a type has only one name, uses on unrelated types.
   */
  async #filterFor(wanted: SymbolRef): Promise<(use: Use) => boolean> {
    const owner = ownerName(wanted);
    const [type] = symbolsIn(wanted.file, owner).filter(isType);
    if (type === undefined || wanted.file.language !== "java") {
      return ({ receiver }) => receiver !== "?";
    }
    const types = [type, ...(await this.#subtypesOf(type)), ...(await this.#supertypesOf(type))];
    const names = new Set(types.map(({ facts }) => facts.name));
    return ({ receiver }) => {
      const [, name] = /^@(?:[\w$]+\.)*([\w$]+)$/.exec(receiver) ?? [];
      return name === undefined ? receiver !== "?" : names.has(name);
    };
  }

  /** Like `#familyOf`, but follows inheritance, for names that many types have. */
  async #familyByInheritance(type: SymbolRef, name: string): Promise<Family> {
    const membersOf = (types: readonly SymbolRef[]): readonly SymbolRef[] =>
      types.flatMap(({ file, facts }) => symbolsIn(file, `${facts.qualifiedName}.${name}`));
    const overriding = membersOf(await this.#subtypesOf(type));
    const overridden = membersOf(await this.#supertypesOf(type));
    return { all: [...overridden, ...overriding], overriding };
  }

  async #supertypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    const queue = [type];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- level by level
      for (const one of await this.#names.supertypes(next)) {
        if (one === undefined || found.some((other) => isSameSymbol(one, other))) continue;
        found.push(one);
        queue.push(one);
      }
    }
    return found;
  }

  async #inherits(type: SymbolRef, from: SymbolRef, steps = 0): Promise<boolean> {
    if (steps > MAX_DEFINITIONS_BY_NAME) return false;
    for (const one of await this.#names.supertypes(type)) {
      if (one === undefined) continue;
      if (isSameSymbol(one, from)) return true;
      // oxlint-disable-next-line no-await-in-loop -- up the inheritance chain
      if (await this.#inherits(one, from, steps + 1)) return true;
    }
    return false;
  }

  async #subtypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    const queue = [type];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- level by level
      for (const sub of await this.#directSubtypesOf(next)) {
        if (isSameSymbol(sub, type) || found.some((one) => isSameSymbol(one, sub))) continue;
        found.push(sub);
        queue.push(sub);
      }
    }
    return found;
  }

  async #directSubtypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    for (const { path, uses } of await this.#usesOf(type)) {
      const inheriting = uses.filter(({ role }) => role === "inherit");
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = inheriting.length === 0 ? undefined : await this.#names.file(path);
      for (const use of file === undefined ? [] : inheriting) {
        const sub = file && symbolRef(file, use.owner);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const resolution = file && (await resolveUse(this.#names, file, use));
        if (sub === undefined || resolution?.kind !== "exact") continue;
        if (resolution.symbols.some((one) => isSameSymbol(one, type))) found.push(sub);
      }
    }
    if (nameRules(type.file.language).hasStructuralTypes !== true) return found;
    return [...found, ...(await this.#structuralSubtypesOf(type))];
  }

  /**
   * Returns the types that have every method of an interface, as Go types implement interfaces implicitly.
   */
  async #structuralSubtypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const methods = type.file.symbols.filter(
      ({ name, kind, qualifiedName }) =>
        kind === "method" && qualifiedName === `${type.facts.qualifiedName}.${name}`,
    );
    let candidates: readonly SymbolRef[] | undefined;
    for (const { name } of methods) {
      const having: SymbolRef[] = [];
      // oxlint-disable-next-line no-await-in-loop -- each name leaves fewer
      for (const method of await this.#names.definitions(name)) {
        if (!canUse(method.file.language, type.file.language)) continue;
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        const owner = await this.#names.typeNamed(method.file, ownerName(method));
        if (owner === undefined || isSameSymbol(owner, type)) continue;
        const isLeft =
          candidates === undefined || candidates.some((one) => isSameSymbol(one, owner));
        if (isLeft && !having.some((one) => isSameSymbol(one, owner))) having.push(owner);
      }
      candidates = having;
    }
    return candidates ?? [];
  }

  async #refOf({ path, qualifiedName, startLine }: SymbolHit): Promise<SymbolRef | undefined> {
    const file = await this.#names.file(path);
    const same = file && symbolsIn(file, qualifiedName);
    return same?.find(({ facts }) => facts.startLine === startLine) ?? same?.[0];
  }
}

/** Returns the names under which a file re-exports `name`. */
function reexportedNames(file: ScopedFile | undefined, name: string): readonly string[] {
  const passing = file?.imports.filter(({ isReexport }) => isReexport) ?? [];
  return passing
    .flatMap(({ bindings }) => bindings)
    .filter((binding) => binding.name === name)
    .map(({ local }) => local);
}

function certaintyOf(
  resolution: UseResolution,
  { wanted, family, isCommon }: { wanted: SymbolRef; family: Family; isCommon: boolean },
): Certainty | undefined {
  if (resolution.kind === "exact") {
    const isTarget = resolution.symbols.some(
      (one) => isSameSymbol(one, wanted) || family.all.some((other) => isSameSymbol(one, other)),
    );
    return isTarget || isDeclarationOrDefinition(resolution.symbols, wanted) ? "exact" : undefined;
  }
  if (resolution.kind !== "name" || isCommon) return undefined;
  return isLikely(wanted, resolution.isMember) ? "name" : undefined;
}

/** Returns whether one symbol is the declaration of the other: a C header and its definition. */
function isDeclarationOrDefinition(symbols: readonly SymbolRef[], wanted: SymbolRef): boolean {
  if (!canUse(wanted.file.language, "c")) return false;
  return symbols.some(
    ({ file, facts }) =>
      facts.qualifiedName === wanted.facts.qualifiedName &&
      facts.access !== "private" &&
      wanted.facts.access !== "private" &&
      canUse(file.language, "c"),
  );
}

interface Family {
  /** Overridden and overriding methods: a call of any of them may call the method. */
  readonly all: readonly SymbolRef[];
  readonly overriding: readonly SymbolRef[];
}

function isInside(
  { startLine, endLine }: { startLine: number; endLine: number },
  { facts }: SymbolRef,
): boolean {
  return startLine >= facts.startLine && endLine <= facts.endLine;
}

/**
 * Returns whether a use by name may refer to a definition: member uses refer to members, other uses do not.
 */
function isLikely(ref: SymbolRef, isMember: boolean | undefined): boolean {
  return isMember === undefined || (ownerName(ref) !== "") === isMember;
}

function symbolHitOf({ file, facts }: SymbolRef): SymbolHit {
  return { ...facts, path: file.path };
}

function referenceOf(file: ScopedFile, use: Use, certainty: Certainty): Reference {
  const owner = symbolRef(file, use.owner);
  const { line, role } = use;
  return { path: file.path, line, role, certainty, owner: owner && symbolHitOf(owner) };
}

/** Returns one reference per line and role, the exact one if there are both. Sorted by path and line. */
function deduplicated(references: readonly Reference[]): readonly Reference[] {
  const best = new Map<string, Reference>();
  for (const one of references) {
    const key = `${one.path}\n${one.line}\n${one.role}`;
    if (best.get(key)?.certainty !== "exact") best.set(key, one);
  }
  return [...best.values()].toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
  );
}
