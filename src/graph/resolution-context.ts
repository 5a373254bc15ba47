// The data that name resolvers share: the symbols, the modules and the finished resolutions of one index generation.

import type { FileIncludes } from "../index/port.ts";
import type { ScopedFile } from "./entity.ts";
import type { FindProject, GraphReader, ModuleRules, OtherProject } from "./graph-ports.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { IndexedSymbols, MAX_CACHED_FILES } from "./indexed-symbols.ts";
import { firstFileOf, type Importer, type ModuleTarget } from "./modules/module-target.ts";

/** Maximum depth of re-exports, supertypes and chains of types. */
export const MAX_STEPS = 12;
/** Maximum cached resolutions of names, members and expressions. */
const MAX_MEMO_ENTRIES = 50_000;

/** Results from deeper in a chain may be incomplete because of `MAX_STEPS`, so they are not cached. */
const MAX_MEMO_STEPS = 4;

/** The shared parts of all resolvers. One instance per index generation. */
export class ResolutionContext {
  readonly reader: GraphReader;
  readonly modules: ModuleRules;
  readonly symbols: IndexedSymbols;
  readonly memo = new ResolutionMemo(MAX_MEMO_ENTRIES);
  readonly #sharedNamespaces = new BoundedCache<Promise<readonly string[]>>(MAX_CACHED_FILES);
  readonly #siblings = new BoundedCache<ReadonlySet<string>>(MAX_CACHED_FILES);

  readonly #projectOf: FindProject | undefined;

  /** `projectOf`: finds the projects to which imports lead; by default there are none. */
  constructor(
    reader: GraphReader,
    modules: ModuleRules,
    projectOf?: FindProject,
    symbols?: IndexedSymbols,
  ) {
    this.reader = reader;
    this.modules = modules;
    this.#projectOf = projectOf;
    this.symbols =
      symbols ??
      new IndexedSymbols(reader, (path) => projectOf?.(path)?.names.context.symbols.file(path));
  }

  /** Returns a context with the same symbols and results of its own. */
  apart(): ResolutionContext {
    return new ResolutionContext(this.reader, this.modules, this.#projectOf, this.symbols);
  }

  /** Whether imports may lead to other projects. */
  get hasOtherProjects(): boolean {
    return this.#projectOf !== undefined;
  }

  /** Returns the project of a file that is not in this one. */
  elsewhere(path: string): OtherProject | undefined {
    return this.#projectOf?.(path);
  }

  /** Returns the paths of the headers that a file includes, as far as the project has them; none if the index lacks the file. */
  async includedBy(path: string): Promise<readonly string[]> {
    const file = await this.#includesOf(path);
    if (file === undefined) return [];
    const importer = { path, language: file.language, package: "" };
    return file.modules.flatMap(
      (module) => firstFileOf(this.modules.resolve(importer, module)) ?? [],
    );
  }

  async #includesOf(path: string): Promise<Pick<FileIncludes, "language" | "modules"> | undefined> {
    const elsewhere = this.elsewhere(path)?.names.context.symbols.file(path);
    if (elsewhere === undefined) return this.reader.includesOf(path);
    const file = await elsewhere;
    if (file === undefined) return undefined;
    const modules = file.imports.flatMap(({ isWildcard, module }) => (isWildcard ? module : []));
    return { language: file.language, modules };
  }

  /** Returns the files of a module that a file imports. */
  target(file: Importer, module: string): ModuleTarget {
    return this.modules.resolve(importerOf(file), module);
  }

  /** Returns the namespaces that other files make visible in a file: those of `global using`. */
  sharedNamespaces(file: ScopedFile): Promise<readonly string[]> {
    return this.#sharedNamespaces.get(file.path, async () => {
      const paths = this.modules.sharedImportsOf(importerOf(file));
      const files = await Promise.all(paths.map((path) => this.symbols.file(path)));
      return files.flatMap((one) =>
        (one?.imports ?? []).flatMap(({ isWildcard, module }) => (isWildcard ? [module] : [])),
      );
    });
  }

  /** Returns the paths of the files that share a package with this file. */
  siblingsOf(file: ScopedFile): ReadonlySet<string> {
    return this.#siblings.get(file.path, () => new Set(this.modules.siblingsOf(importerOf(file))));
  }
}

function importerOf({ path, language, package: ofPackage }: Importer): Importer {
  return { path, language, package: ofPackage };
}

/**
 * Caches resolved names and expressions. It caches finished results only, never promises: a resolution that
 * depends on itself would wait for itself.
 */
class ResolutionMemo {
  readonly #entries: BoundedCache<{ readonly value: unknown }>;

  constructor(maxEntries: number) {
    this.#entries = new BoundedCache(maxEntries);
  }

  /**
   * Returns the cached value or resolves it. Each `key` must have one type of value. `steps` is the depth in
   * the chain.
   */
  async getOrResolve<T>(key: string, steps: number, resolve: () => Promise<T>): Promise<T> {
    const known = this.#entries.peek(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key has one type of value
    if (known !== undefined) return known.value as T;
    const value = await resolve();
    if (steps < MAX_MEMO_STEPS) this.#entries.get(key, () => ({ value }));
    return value;
  }
}
