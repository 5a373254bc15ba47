// Modules of Zig: `@import("a.zig")` is a file next to the importing one, and other names are those that a build.zig gives to files.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import { nearestPath, sortByDistance, type PathSearch } from "./path-search.ts";
import { folderOf, inFolder, joinPath, stemOf } from "./paths.ts";
import { namedModules } from "./zig-build.ts";

const OF_LANGUAGE = new Set(["std", "builtin", "root"]);

/** Resolves imports of Zig. */
export class ZigModules implements ModuleResolution {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  /** The files that have a name in some build.zig. */
  #byName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#project = project;
    this.#search = search;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    if (/\.(?:zig|zon)$/.test(module)) {
      const file = joinPath(folderOf(importer.path), module);
      return file !== undefined && this.#search.tree.has(file)
        ? fileTarget([file])
        : UNKNOWN_MODULE;
    }
    if (OF_LANGUAGE.has(module)) return EXTERNAL_MODULE;
    const file = nearestPath(importer.path, this.#files.get(module) ?? []);
    return file === undefined ? EXTERNAL_MODULE : fileTarget([file]);
  }

  get #files(): ReadonlyMap<string, readonly string[]> {
    this.#byName ??= this.#readNames();
    return this.#byName;
  }

  #readNames(): ReadonlyMap<string, readonly string[]> {
    const byName = new Map<string, string[]>();
    const builds = sortByDistance("", this.#project.tree.named("build.zig"));
    for (const build of builds) {
      for (const { name, path } of namedModules(this.#project.read(build) ?? "")) {
        const file = inFolder(folderOf(build), path);
        if (!this.#search.tree.has(file)) continue;
        const files = byName.get(name) ?? [];
        if (!files.includes(file)) byName.set(name, [...files, file]);
      }
    }
    return byName;
  }

  /** An import ends with the name of the file and `zig`, or is a name of a build.zig. */
  lastPartsOf(path: string): readonly string[] {
    const named = [...this.#files].flatMap(([name, files]) => (files.includes(path) ? [name] : []));
    return [stemOf(path), "zig", ...named];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}
