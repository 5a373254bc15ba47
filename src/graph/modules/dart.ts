// Dart libraries: `package:name/a.dart` is lib/a.dart of the package with that name in pubspec.yaml.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import { sortByDistance, type PathSearch } from "./path-search.ts";
import { folderOf, inFolder, joinPath, stemOf } from "./paths.ts";

const PACKAGE = /^package:(?<name>[^/]+)\/(?<path>.+)$/;

/** Resolves imports of Dart. */
export class DartModules implements ModuleResolution {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  #byName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#project = project;
    this.#search = search;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const { name, path } = PACKAGE.exec(module)?.groups ?? {};
    if (name !== undefined && path !== undefined) return this.#ofPackage(importer, name, path);
    if (module.includes(":")) return EXTERNAL_MODULE;
    const file = joinPath(folderOf(importer.path), module);
    return file !== undefined && this.#search.tree.has(file) ? fileTarget([file]) : UNKNOWN_MODULE;
  }

  #ofPackage(importer: Importer, name: string, path: string): ModuleTarget {
    this.#byName ??= this.#readNames();
    const manifests = this.#byName.get(name) ?? [];
    const places = sortByDistance(importer.path, manifests).map((manifest) =>
      inFolder(folderOf(manifest), `lib/${path}`),
    );
    const file = this.#search.firstFile(places);
    if (file !== undefined) return fileTarget([file]);
    return manifests.length > 0 ? UNKNOWN_MODULE : EXTERNAL_MODULE;
  }

  #readNames(): ReadonlyMap<string, readonly string[]> {
    const byName = new Map<string, string[]>();
    for (const path of this.#project.tree.named("pubspec.yaml")) {
      const text = this.#project.read(path) ?? "";
      const name = /^name:\s*["']?(?<name>\w+)/m.exec(text)?.groups?.["name"];
      if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), path]);
    }
    return byName;
  }

  /** Of `a.g.dart`, the last part is `g`. */
  lastPartsOf(path: string): readonly string[] {
    return [stemOf(path).replace(/^.*\./, "")];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}
