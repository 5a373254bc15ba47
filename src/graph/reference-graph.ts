// The reference graph: which definition uses which. It is resolved at query time, so that a changed file only
// changes its own entries of the index.

import { Yielder } from "../base/yielder.ts";
import { OF_EXPECTED } from "../base/receiver-marks.ts";
import type { Use, UseRole } from "../parse/references/references.ts";
import { isSharedUse } from "../parse/shared-names/shared-name.ts";
import type { IndexReader, SymbolHit } from "../index/port.ts";
import {
  isSameSymbol,
  isType,
  ownerName,
  symbolsIn,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { mayBeOne } from "./cpp-namespaces.ts";
import { AlikeUses } from "./alike-uses.ts";
import { countUsingFiles, type CountedTarget } from "./count-using-files.ts";
import { ImportGraph, type ImportEdge } from "./import-graph.ts";
import type { IndexedSymbols } from "./indexed-symbols.ts";
import { leadOf, usesThroughMacros, type MacroLead } from "./macro-uses.ts";
import { ModuleResolver } from "./modules/module-resolver.ts";
import { canUse } from "./name-rules.ts";
import { NameResolver } from "./name-resolver.ts";
import type { GraphReader, OtherProject } from "./graph-ports.ts";
import { ResolutionContext } from "./resolution-context.ts";
import { haveSameParameters, isSameOverload } from "./same-overload.ts";
import { isConstructor } from "./own-names.ts";
import { deduplicated, UseReference, type Certainty, type Reference } from "./use-reference.ts";
import { resolveUse } from "./resolve-use.ts";
import type { UseResolution } from "./use-resolution.ts";
import { isGenerated, isInterface, mayCallInterface, writtenNamesOf } from "./interface-names.ts";
import { RubyMixins } from "./ruby-mixins.ts";
import { SharedReferences, type SharedPlace } from "./shared-references.ts";
import { mayUse } from "./template-uses.ts";
import { TypeHierarchy, type MethodFamily } from "./type-hierarchy.ts";
import { UsesByName } from "./uses-by-name.ts";

export type { Certainty, Reference } from "./use-reference.ts";

/** A definition that another one uses. */
export interface OutgoingReference {
  readonly name: string;
  readonly line: number;
  readonly role: UseRole;
  /** Best first. Several if only the name is known. */
  readonly targets: readonly SymbolHit[];
  readonly certainty: Certainty;
  /** As in `Reference`. */
  readonly version?: string;
}

/** If a name has more definitions, a use that is known only by name counts as unknown. */
const MAX_DEFINITIONS_BY_NAME = 10;

/** Answers queries about references in one index generation. */
export class ReferenceGraph {
  readonly #context: ResolutionContext;
  readonly #reader: GraphReader;
  readonly #symbols: IndexedSymbols;
  readonly #names: NameResolver;
  readonly #uses: UsesByName;
  readonly #types: TypeHierarchy;
  readonly #imports: ImportGraph;
  /** Environment variables, HTTP routes and SQL tables. */
  readonly shared: SharedReferences;

  constructor(context: ResolutionContext) {
    this.#context = context;
    this.#reader = context.reader;
    this.#symbols = context.symbols;
    const mixins = new RubyMixins(new NameResolver(context.apart()));
    this.#names = new NameResolver(context, mixins);
    this.#imports = new ImportGraph(this.#names);
    this.#uses = new UsesByName(context, this.#imports);
    this.#types = new TypeHierarchy(this.#names, this.#uses);
    this.shared = new SharedReferences(context, this.#names);
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
    return new ReferenceGraph(new ResolutionContext(reader, modules));
  }

  /** How other projects resolve names that lead to this one. */
  get project(): OtherProject {
    return { names: this.#names, uses: this.#uses, types: this.#types };
  }

  /** Returns the files of the project that an import of a file leads to. */
  filesOf(file: ScopedFile, module: string): readonly string[] {
    return this.#context.target(file, module).files;
  }

  /**
   * Returns the places that use a definition, sorted by file and line: exact uses and, unless the name is too
   * common, uses by name. Uses of a method include those of methods that it overrides or that override it.
   * Stops at an abort signal and returns what it has found. `withOverloads`: also the uses of its overloads in the file.
   */
  async referencesTo(
    symbol: SymbolHit,
    signal?: AbortSignal,
    { withOverloads = false }: { readonly withOverloads?: boolean } = {},
  ): Promise<readonly Reference[]> {
    const wanted = await this.#refOf(symbol);
    if (wanted === undefined) return [];
    const targets = withOverloads
      ? symbolsIn(wanted.file, wanted.facts.qualifiedName).filter((one) =>
          isSameSymbol(one, wanted),
        )
      : [wanted];
    const found = [...(await this.#usesOf(wanted, targets, signal))];
    found.push(...(await this.shared.usersOfDeclared(wanted)).map(sharedReference));
    if (isInterface(wanted)) found.push(...(await this.#implementersOf(wanted, signal)));
    return deduplicated(found);
  }

  /** Returns the uses of a definition, or of its overloads in `targets`, through the names and macros that lead to it. */
  async #usesOf(
    wanted: SymbolRef,
    targets: readonly SymbolRef[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Reference[]> {
    const leads: MacroLead[] = [];
    const { name } = wanted.facts;
    const families = await Promise.all(targets.map((one) => this.#familyOf(one)));
    const meant = [...targets, ...families.flatMap(({ all }) => all)];
    const meantByBase = [...targets, ...families.flatMap(({ overriding }) => overriding)];
    const isCommon = (await this.#reader.definitionsOf(name)) > MAX_DEFINITIONS_BY_NAME;
    const sought: Sought = { wanted, meant, meantByBase, isCommon };
    const isPossible = isCommon ? await this.#types.filterFor(wanted) : undefined;
    const files = await this.#uses.of(wanted);
    if (canUse(wanted.file.language, "c")) await this.#symbols.learn(name, files.length);
    // Keys of literals only name members.
    const isMember = ownerName(wanted) !== "";
    const found: Reference[] = [];
    const yielder = new Yielder();
    for (const { path, language, uses: all } of files) {
      const uses = all.filter(
        (use) =>
          mayUse(language, use, wanted.file.language) &&
          isPossible?.(use) !== false &&
          (isMember || !use.receiver.endsWith(OF_EXPECTED)),
      );
      if (uses.length === 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- yields to other work
      await yielder.yieldIfDue();
      if (signal?.aborted === true) break;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = await this.#symbols.file(path);
      if (file === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      found.push(...(await this.#usesIn(file, uses, { ...sought, leads })));
    }
    const isMeant = (symbols: readonly SymbolRef[]): boolean =>
      certaintyOf({ kind: "exact", symbols }, sought) === "exact";
    const resolvers = { names: this.#names, uses: this.#uses };
    const through = await usesThroughMacros(resolvers, { name, isMeant }, leads, signal);
    found.push(...through.map(({ file, use }) => new UseReference(file, use, "exact")));
    return found;
  }

  /** Returns those of some uses that may refer to a definition. Adds the macros that lead to it to `leads`. */
  async #usesIn(
    file: ScopedFile,
    uses: readonly Use[],
    { leads, ...sought }: Sought & { readonly leads: MacroLead[] },
  ): Promise<readonly Reference[]> {
    const { wanted } = sought;
    const toConstructors = isConstructor(wanted);
    const alike = new AlikeUses(this.#names, file, { toConstructors });
    const found: Reference[] = [];
    let last: UseResolution | undefined;
    let certainty: Certainty | undefined;
    for (const use of uses) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const resolution = alike.known(use) ?? (await alike.resolve(use));
      if (resolution !== last) certainty = certaintyOf(resolution, sought);
      last = resolution;
      // The body of a macro is text, which is a use only where the macro is used.
      const lead = leadOf(file, use);
      const isLeading = certainty === "exact" || lead?.member !== undefined;
      if (lead !== undefined && isLeading && !isSameSymbol(lead.macro, wanted)) leads.push(lead);
      if (certainty === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (certainty === "exact" || (await this.#mayMean(file, wanted)))
        found.push(new UseReference(file, use, lead === undefined ? certainty : "name"));
    }
    return found;
  }

  /** Returns the uses, in any language, of what an interface description defines: by name, in the case of each language. */
  async #implementersOf(
    wanted: SymbolRef,
    signal: AbortSignal | undefined,
  ): Promise<readonly Reference[]> {
    const found: Reference[] = [];
    for (const name of writtenNamesOf(wanted.facts.name)) {
      // oxlint-disable-next-line no-await-in-loop -- up to three names
      for (const { path, language, uses } of await this.#reader.usesOf(name)) {
        if (signal?.aborted === true) return found;
        if (canUse(language, wanted.file.language)) continue;
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        const file = await this.#symbols.file(path);
        if (file === undefined || isGenerated(file)) continue;
        for (const use of uses) {
          // oxlint-disable-next-line no-await-in-loop -- as above
          const resolution = await resolveUse(this.#names, file, use);
          if (mayCallInterface(wanted, use, resolution))
            found.push(new UseReference(file, use, "name"));
        }
      }
    }
    return found;
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
      const { all, overriding } = await this.#types.familyOf(wanted);
      const meant = [wanted, ...all];
      const sought = { wanted, meant, meantByBase: [wanted, ...overriding], isCommon };
      return {
        language: wanted.file.language,
        others: await this.#uses.underOtherNames(wanted, files),
        isPossible: isCommon ? await this.#types.filterFor(wanted) : (): boolean => true,
        toConstructors: isConstructor(wanted),
        isMeant: (resolution) => certaintyOf(resolution, sought) !== undefined,
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
    const inside = uses.filter((use) => {
      if (isSharedUse(use)) return false;
      const { owner, line } = use;
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
    const file = await this.#symbols.file(path);
    if (file === undefined) return [];
    const { uses } = await this.#reader.referencesOf(path);
    return this.#outgoing(
      file,
      uses.filter((use) => !isSharedUse(use)),
    );
  }

  /** Returns the types that inherit from a type, or the methods that override a method. */
  async implementationsOf(symbol: SymbolHit): Promise<readonly SymbolHit[]> {
    const ref = await this.#refOf(symbol);
    if (ref === undefined) return [];
    if (isType(ref)) return (await this.#types.subtypesOf(ref)).filter(isType).map(symbolHitOf);
    const { overriding } = await this.#types.familyOf(ref);
    return overriding.map(symbolHitOf);
  }

  /** Returns the types that a type inherits from directly, or the methods that a method overrides. */
  async basesOf(symbol: SymbolHit): Promise<readonly SymbolHit[]> {
    const ref = await this.#refOf(symbol);
    if (ref === undefined) return [];
    if (isType(ref)) {
      const types = await this.#names.types.supertypes(ref);
      return types.flatMap((type) => (type === undefined ? [] : symbolHitOf(type)));
    }
    const { all, overriding } = await this.#types.familyOf(ref);
    const bases = all.filter((one) => !overriding.some((other) => isSameSymbol(one, other)));
    return bases.map(symbolHitOf);
  }

  /** Returns the files that import a file, sorted by path, with the line of the first import. */
  importersOf(path: string): Promise<readonly ImportEdge[]> {
    return this.#imports.importersOf(path);
  }

  /** Returns the files of the project that a file imports, sorted by line. */
  importsOf(path: string): Promise<readonly ImportEdge[]> {
    return this.#imports.importsOf(path);
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
      } else if (resolution.kind === "overloads") {
        const targets = resolution.symbols.map(symbolHitOf);
        found.push({ name, line, role, targets, certainty: "name" });
      } else if (resolution.kind === "name") {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const candidates = (await this.#symbols.definitions(name)).filter(
          (ref) =>
            mayUse(file.language, use, ref.file.language) && isLikely(ref, resolution.isMember),
        );
        if (candidates.length === 0 || candidates.length > MAX_DEFINITIONS_BY_NAME) continue;
        found.push({ name, line, role, targets: candidates.map(symbolHitOf), certainty: "name" });
      }
    }
    return found;
  }

  /** For a method of another project, includes the methods that override it there. */
  async #familyOf(wanted: SymbolRef): Promise<MethodFamily> {
    const own = await this.#types.familyOf(wanted);
    const there = await this.#context.elsewhere(wanted.file.path)?.types.familyOf(wanted);
    return there === undefined ? own : { ...own, all: [...own.all, ...there.all] };
  }

  /** A name means a definition of another project only in files that import something of that project. */
  async #mayMean({ path }: ScopedFile, { file }: SymbolRef): Promise<boolean> {
    const other = this.#context.elsewhere(file.path);
    if (other === undefined) return true;
    const imports = await this.#imports.importsOf(path);
    return imports.some((edge) => this.#context.elsewhere(edge.path)?.names === other.names);
  }

  async #refOf({ path, qualifiedName, startLine }: SymbolHit): Promise<SymbolRef | undefined> {
    const file = await this.#symbols.file(path);
    const same = file && symbolsIn(file, qualifiedName);
    return same?.find(({ facts }) => facts.startLine === startLine) ?? same?.[0];
  }
}

/** What is asked for. */
interface Sought {
  readonly wanted: SymbolRef;
  /** The wanted definition, its overloads if they are wanted too, and those that override one another. */
  readonly meant: readonly SymbolRef[];
  /** The same for calls through `super`: without those that the wanted one overrides. */
  readonly meantByBase: readonly SymbolRef[];
  readonly isCommon: boolean;
}

function certaintyOf(resolution: UseResolution, sought: Sought): Certainty | undefined {
  const { wanted, isCommon } = sought;
  if (resolution.kind === "overloads") return certaintyOfOverloads(resolution, sought);
  if (resolution.kind === "exact") {
    const meant = resolution.isOfBase === true ? sought.meantByBase : sought.meant;
    const isTarget = resolution.symbols.some((one) =>
      meant.some((other) => isSameOverload(one, other)),
    );
    return isTarget || isDeclarationOrDefinition(resolution.symbols, wanted) ? "exact" : undefined;
  }
  if (resolution.kind !== "name" || isCommon) return undefined;
  return isLikely(wanted, resolution.isMember) ? "name" : undefined;
}

/** The same for a use of one of several overloads. */
function certaintyOfOverloads(
  { symbols, isByName }: Extract<UseResolution, { kind: "overloads" }>,
  { wanted, meant }: Sought,
): Certainty | undefined {
  if (!symbols.some((one) => meant.some((other) => isSameOverload(one, other)))) {
    return isDeclarationOrDefinition(symbols, wanted) ? "name" : undefined;
  }
  const isAll = symbols.every(({ file, number }) =>
    meant.some((other) => other.file.path === file.path && other.number === number),
  );
  return isAll && isByName !== true ? "exact" : "name";
}

/** Returns whether one symbol is the declaration of the other: a C header and its definition. */
function isDeclarationOrDefinition(symbols: readonly SymbolRef[], wanted: SymbolRef): boolean {
  if (!canUse(wanted.file.language, "c")) return false;
  return symbols.some(
    (ref) =>
      ref.facts.qualifiedName === wanted.facts.qualifiedName &&
      isShared(ref) &&
      isShared(wanted) &&
      canUse(ref.file.language, "c") &&
      mayBeOne(ref, wanted) &&
      haveSameParameters(ref, wanted),
  );
}

/** A definition that is private in a file has no declaration elsewhere; one that is private in a class may have. */
function isShared(ref: SymbolRef): boolean {
  return ref.facts.access !== "private" || ownerName(ref) !== "";
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

/** Returns a place of a shared name as a reference. */
export function sharedReference({ path, line, owner }: SharedPlace): Reference {
  return { path, line, role: "value", certainty: "name", owner };
}
