// PHP classes by the autoloading rules of composer.json (PSR-4, PSR-0), and files by path.

import { asConfigObject, readConfig, asStrings, type ConfigValue } from "./config-text.ts";
import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  packageTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import { sortByDistance, nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, inFolder, joinPath, baseName, stemOf } from "./paths.ts";

interface Prefix {
  /** "App\\Models\\", or "" for all namespaces. */
  readonly prefix: string;
  readonly folder: string;
  /** True for PSR-0, which repeats the prefix in the path. */
  readonly isRepeated: boolean;
}

/** Resolves `use` declarations and `require` of PHP. */
export class PhpModules implements ModuleResolution {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  #prefixes: readonly Prefix[] | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#project = project;
    this.#search = search;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    if (/\/|\.(?:php|inc|phtml)$/.test(module)) return this.#file(importer, module);
    const name = module.replace(/^\\/, "").replace(/\\$/, "");
    const last = name.slice(name.lastIndexOf("\\") + 1);
    const places = this.#placesOf(name);
    const files = places
      .map((place) => `${place}.php`)
      .filter((path) => this.#search.tree.has(path));
    const file = nearestPath(importer.path, files) ?? this.#byEnding(importer, name);
    if (file !== undefined) return fileTarget([file], [last]);
    const own = this.#package(places);
    if (own.length > 0) return packageTarget(own);
    // A function or constant of a namespace, or a class in a file with another name.
    const outer = name.includes("\\") ? this.#placesOf(name.slice(0, -last.length - 1)) : [];
    const around = this.#package(outer);
    if (around.length > 0) return packageTarget(around, [last]);
    return this.#isOwn(name) ? UNKNOWN_MODULE : EXTERNAL_MODULE;
  }

  #isOwn(name: string): boolean {
    return this.#allPrefixes().some(({ prefix }) => prefix !== "" && name.startsWith(prefix));
  }

  /** Resolves `require "a/b.php"` and `__DIR__ . "/a/b.php"`. */
  #file(importer: Importer, module: string): ModuleTarget {
    const relative = module.replace(/^.*\{?\$\w+\}?/, "").replace(/^\//, "");
    const sibling = joinPath(folderOf(importer.path), relative);
    const inner = joinPath("", relative);
    const found = [sibling, inner].find(
      (path) => path !== undefined && this.#search.tree.has(path),
    );
    const ending = relative.replace(/^(?:\.{1,2}\/)+/, "");
    const file = found ?? nearestPath(importer.path, this.#search.filesEnding(ending));
    return file === undefined ? UNKNOWN_MODULE : fileTarget([file]);
  }

  /** Returns the paths, without extension, that a class name may have. Longest prefix first. */
  #placesOf(name: string): readonly string[] {
    return this.#allPrefixes()
      .filter(({ prefix }) => `${name}\\`.startsWith(prefix))
      .map(({ prefix, folder, isRepeated }) => {
        const rest = isRepeated ? name : name.slice(prefix.length);
        return inFolder(folder, rest.replaceAll("\\", "/"));
      });
  }

  /** Without composer.json: finds a file whose path ends like the name, in at least two parts. */
  #byEnding(importer: Importer, name: string): string | undefined {
    const parts = name.split("\\");
    for (let left = 0; parts.length - left >= 2; left++) {
      const found = this.#search.filesEnding(`${parts.slice(left).join("/")}.php`);
      // A single folder is weak evidence: `Client\Request` may belong to any package.
      const isSure = left === 0 || parts.length - left > 2 || this.#allPrefixes().length === 0;
      if (isSure && found.length > 0) return nearestPath(importer.path, found);
    }
    return undefined;
  }

  #package(folders: readonly string[]): readonly string[] {
    const files = folders.flatMap((folder) =>
      this.#search.filesIn(folder.replace(/\/$/, ""), isPhp),
    );
    return [...new Set(files)];
  }

  #allPrefixes(): readonly Prefix[] {
    this.#prefixes ??= this.#project.tree
      .named("composer.json")
      .flatMap((path) => readPrefixes(folderOf(path), this.#project.read(path)))
      .toSorted((a, b) => b.prefix.length - a.prefix.length);
    return this.#prefixes;
  }

  lastPartsOf(path: string): readonly string[] {
    return [stemOf(path), baseName(folderOf(path))];
  }

  siblingsOf(importer: Importer): readonly string[] {
    const folders = importer.package === "" ? [] : this.#placesOf(importer.package);
    const files = this.#package([
      folderOf(importer.path),
      ...sortByDistance(importer.path, folders),
    ]);
    return files.filter((path) => path !== importer.path);
  }
}

function isPhp(name: string): boolean {
  return /\.(?:php|inc)$/.test(name);
}

function readPrefixes(folder: string, text: string | undefined): readonly Prefix[] {
  const manifest = readConfig(text);
  return ["autoload", "autoload-dev"].flatMap((key) => {
    const autoload = asConfigObject(manifest[key]);
    return [
      ...prefixesOf(folder, autoload["psr-4"], false),
      ...prefixesOf(folder, autoload["psr-0"], true),
    ];
  });
}

function prefixesOf(folder: string, table: ConfigValue | undefined, isRepeated: boolean): Prefix[] {
  return Object.entries(asConfigObject(table)).flatMap(([prefix, places]) =>
    asStrings(places)
      .map((place) => joinPath(folder, place))
      .filter((place) => place !== undefined)
      .map((place) => ({ prefix, folder: place, isRepeated })),
  );
}
