// C# namespaces. Only convention maps them to folders, so the folders and files are guessed.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  packageTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { sortByDistance, type PathSearch } from "./path-search.ts";
import { folderOf, inFolder, stemOf } from "./paths.ts";

/** By convention `global using` is in such a file. It holds in the project, whose folder has the file. */
const GLOBAL_USINGS = /^(?:global)?_?(?:usings?|imports?)\.cs$/i;

/** Resolves `using` directives of C#. */
export class CSharpModules implements ModuleResolution {
  readonly #search: PathSearch;
  readonly #folders = new Map<string, readonly string[]>();
  #byLastPart: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(search: PathSearch) {
    this.#search = search;
  }

  scopeOf(importer: Importer): string {
    return `${folderOf(importer.path)}:${importer.package}`;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const parts = module.replace(/^global::/, "").split(".");
    const files = this.#filesOf(importer, parts);
    if (files.length > 0) return packageTarget(files);
    const [last = ""] = parts.slice(-1);
    const outer = this.#filesOf(importer, parts.slice(0, -1));
    const own = outer.filter((path) => path.endsWith(`/${last}.cs`));
    // Examples: `using static A.B.Type`, `using Name = A.B.Type`.
    if (own.length > 0) return fileTarget(own, [last]);
    if (outer.length > 0 && parts.length > 2) return packageTarget(outer, [last]);
    return /^(?:System|Microsoft|Windows)\b/.test(module) ? EXTERNAL_MODULE : UNKNOWN_MODULE;
  }

  #filesOf(importer: Importer, parts: readonly string[]): readonly string[] {
    return this.#foldersOf(importer, parts).flatMap((folder) => this.#sourcesIn(folder));
  }

  #sourcesIn(folder: string): readonly string[] {
    return this.#search.filesIn(folder, (name) => name.endsWith(".cs"));
  }

  /** Returns the folders of a namespace, nearest first. */
  #foldersOf(importer: Importer, parts: readonly string[]): readonly string[] {
    const key = `${this.scopeOf(importer)}:${parts.join(".")}`;
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const files = this.#findFolders(importer.package.split("."), parts).map((folder) =>
      inFolder(folder, "_.cs"),
    );
    const folders = sortByDistance(importer.path, files).map(folderOf);
    this.#folders.set(key, folders);
    return folders;
  }

  /**
   * Returns the folders whose path reads like the namespace: "src/A.B/C" for A.B.C. If there are none, drops
   * leading parts that the namespace shares with the importer's.
   */
  #findFolders(own: readonly string[], parts: readonly string[]): readonly string[] {
    const last = parts.at(-1) ?? "";
    for (let left = 0; left < parts.length; left++) {
      if (left > 0 && parts[left - 1] !== own[left - 1]) return [];
      const suffix = parts.slice(left).join(".");
      const folders = (this.#lastParts().get(last) ?? []).filter((folder) =>
        matchesNamespace(folder, suffix),
      );
      const withFiles = folders.filter((folder) => this.#sourcesIn(folder).length > 0);
      if (withFiles.length > 0) return withFiles;
    }
    return [];
  }

  #lastParts(): ReadonlyMap<string, readonly string[]> {
    if (this.#byLastPart !== undefined) return this.#byLastPart;
    const byLastPart = new Map<string, string[]>();
    for (const name of this.#search.folderNames()) {
      const last = name.slice(name.lastIndexOf(".") + 1);
      const others = byLastPart.get(last) ?? [];
      byLastPart.set(last, [...others, ...this.#search.foldersNamed(name)]);
    }
    this.#byLastPart = byLastPart;
    return byLastPart;
  }

  lastPartsOf(path: string): readonly string[] {
    return [...folderOf(path).split(/[/.]/).slice(-1), stemOf(path)];
  }

  /** Returns the files with `global using` of the innermost folder around a file that has some. */
  sharedImportsOf({ path }: Importer): readonly string[] {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const found = [folder, inFolder(folder, "Properties")].flatMap((one) =>
        this.#search.filesIn(one, (name) => GLOBAL_USINGS.test(name)),
      );
      if (found.length > 0 || folder === "") return found;
    }
  }

  /** Returns the files of the namespace and of the enclosing namespaces, which are visible as well. */
  siblingsOf(importer: Importer): readonly string[] {
    const found = new Set(this.#sourcesIn(folderOf(importer.path)));
    const parts = importer.package.split(".").filter(Boolean);
    for (; parts.length > 0; parts.pop()) {
      for (const path of this.#filesOf(importer, parts)) found.add(path);
    }
    found.delete(importer.path);
    return [...found];
  }
}

function matchesNamespace(folder: string, namespace: string): boolean {
  const dotted = folder.replaceAll("/", ".");
  return dotted === namespace || dotted.endsWith(`.${namespace}`);
}
