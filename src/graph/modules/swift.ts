// Swift modules: all sources below the folder of a target. They see each other without imports.

import {
  EXTERNAL_MODULE,
  packageTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import { sortByDistance, nearestPath, type PathSearch } from "./path-search.ts";
import { pathBelow, folderOf, inFolder, isWithin, joinPath, baseName } from "./paths.ts";

interface Target {
  readonly name: string;
  readonly folder: string;
}

const TARGET = /\.(?:target|executableTarget|testTarget|macro|plugin)\s*\(/;
/** Default folders of targets if Package.swift does not give a path. */
const TARGET_ROOTS = ["Sources", "Source", "Tests", "Plugins", "src"];

/** Resolves imports of Swift. */
export class SwiftModules implements ModuleResolution {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  readonly #sources = new Map<string, readonly string[]>();
  #targets: readonly Target[] | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#project = project;
    this.#search = search;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const name = module.replace(/^(?:class|struct|enum|protocol|func|var|typealias)\s+/, "");
    const [first = "", ...rest] = name.split(".");
    const declared = this.#all().filter((target) => target.name === first);
    const folders =
      declared.length > 0 ? declared.map(({ folder }) => folder) : this.#search.foldersNamed(first);
    const files = sortByDistance(
      importer.path,
      folders.map((folder) => inFolder(folder, "_.swift")),
    );
    for (const file of files) {
      const sources = this.#below(folderOf(file));
      if (sources.length > 0) return packageTarget(sources, rest);
    }
    return EXTERNAL_MODULE;
  }

  lastPartsOf(path: string): readonly string[] {
    const declared = this.#targetOf(path);
    return [declared?.name ?? baseName(this.#folderOf(path))];
  }

  siblingsOf({ path }: Importer): readonly string[] {
    return this.#below(this.#folderOf(path)).filter((file) => file !== path);
  }

  #targetOf(path: string): Target | undefined {
    return this.#all()
      .filter(({ folder }) => isWithin(path, folder))
      .toSorted((a, b) => b.folder.length - a.folder.length)[0];
  }

  /**
   * Returns the folder of a file's target: as declared in Package.swift, or the folder below Sources, or else
   * the top-level folder.
   */
  #folderOf(path: string): string {
    const declared = this.#targetOf(path);
    if (declared !== undefined) return declared.folder;
    const parts = folderOf(path).split("/");
    const at = parts.findIndex((part) => TARGET_ROOTS.includes(part));
    return parts.slice(0, at === -1 ? 1 : at + 2).join("/");
  }

  #below(folder: string): readonly string[] {
    const known = this.#sources.get(folder);
    if (known !== undefined) return known;
    const sources = this.#search.filesBelow(folder, (name) => name.endsWith(".swift"));
    this.#sources.set(folder, sources);
    return sources;
  }

  #all(): readonly Target[] {
    this.#targets ??= this.#project.tree
      .named("Package.swift")
      .flatMap((path) => this.#readTargets(folderOf(path), this.#project.read(path) ?? ""));
    return this.#targets;
  }

  #readTargets(folder: string, manifest: string): readonly Target[] {
    return manifest
      .split(TARGET)
      .slice(1)
      .flatMap((text) => {
        const name = /name:\s*"(?<name>[^"]+)"/.exec(text)?.groups?.["name"];
        const path = /\bpath:\s*"(?<path>[^"]+)"/.exec(text)?.groups?.["path"];
        const place = name === undefined ? undefined : this.#placeOf(folder, name, path);
        return name === undefined || place === undefined ? [] : [{ name, folder: place }];
      });
  }

  #placeOf(folder: string, name: string, path: string | undefined): string | undefined {
    if (path !== undefined) return joinPath(folder, path);
    const below = (place: string): boolean =>
      TARGET_ROOTS.includes(pathBelow(place, folder).split("/")[0] ?? "");
    const named = this.#search.foldersNamed(name);
    const places = named.filter((place) => isWithin(place, folder) && below(place));
    return nearestPath(inFolder(folder, "Package.swift"), places);
  }
}
