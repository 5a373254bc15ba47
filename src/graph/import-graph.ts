// Which files import which files, in one index generation.

import { BoundedCache } from "./bounded-cache.ts";
import { firstFileOf } from "./modules/module-target.ts";
import { folderOf } from "./modules/paths.ts";
import type { NameResolver } from "./name-resolver.ts";

/** An import of one file by another. */
export interface ImportEdge {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** As in `Reference`. */
  readonly version?: string;
  /** The import names a package with several files, of which the file is one. */
  readonly isOfPackage?: true;
}

/** An import of Scala may begin in a package around the file, and leave out what comes before. */
const SCALA = /\.scala$/;
/** Maximum files whose imports are cached: a few megabytes. */
const MAX_IMPORTING_FILES = 20_000;

/** Answers queries about imports. One instance per index generation. */
export class ImportGraph {
  readonly #names: NameResolver;
  readonly #imports = new BoundedCache<Promise<readonly ImportEdge[]>>(MAX_IMPORTING_FILES);

  constructor(names: NameResolver) {
    this.#names = names;
  }

  /** Returns the files that import a file, sorted by path, with the line of the first import. */
  async importersOf(path: string): Promise<readonly ImportEdge[]> {
    const { symbols, modules, reader } = this.#names.context;
    const wanted = await symbols.file(path);
    if (wanted === undefined) return [];
    const candidates = new Set<string>();
    const ofPackage = modules.packageImportOf(path, wanted.language);
    // A Kotlin file finds its own package in its folder, whatever the folder is called.
    const folder = folderOf(path);
    for (const part of modules.lastPartsOf(path, wanted.language)) {
      // oxlint-disable-next-line no-await-in-loop -- two or three parts
      const others = await reader.importersOf(part);
      const isPackage = part === ofPackage?.part;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const within = isPackage ? new Set(await reader.importersOf(ofPackage.before)) : undefined;
      for (const other of others) {
        const isNear = folderOf(other) === folder || SCALA.test(other);
        if (isNear || within?.has(other) !== false) candidates.add(other);
      }
    }
    candidates.delete(path);
    const found: ImportEdge[] = [];
    for (const other of [...candidates].toSorted()) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const edge = (await this.importsOf(other)).find((one) => one.path === path);
      if (edge !== undefined) found.push({ ...edge, path: other });
    }
    return found;
  }

  /** Returns the files of the project that a file imports, sorted by line. */
  importsOf(path: string): Promise<readonly ImportEdge[]> {
    return this.#imports.get(path, () => this.#importsOf(path));
  }

  async #importsOf(path: string): Promise<readonly ImportEdge[]> {
    const file = await this.#names.context.reader.importsOf(path);
    if (file === undefined) return [];
    const edges = file.imports.flatMap(({ module, bindings, line }) => {
      const target = this.#names.context.target(file, module);
      const submodules = bindings.flatMap((binding) =>
        this.#names.exports.submodules(file, module, binding.name),
      );
      const files = target.isPackage ? target.files : [firstFileOf(target) ?? []].flat();
      const isOfPackage = target.isPackage && files.length > 1;
      return [
        ...files.map((each) => ({ path: each, line, ...(isOfPackage && { isOfPackage }) })),
        ...submodules.map((each) => ({ path: each, line })),
      ];
    });
    const visited = new Set([path]);
    return edges.filter(({ path: each }) => !visited.has(each) && visited.add(each));
  }
}
