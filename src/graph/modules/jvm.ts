// Packages of Java, Kotlin, Scala and Groovy: folders below source roots. The build defines the roots and is
// not read, so folders are found by the end of their path.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  packageTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type PackageImport,
} from "./module-target.ts";
import { sortByDistance, type PathSearch } from "./path-search.ts";
import { endsWithParts, folderOf, inFolder, baseName, stemOf } from "./paths.ts";

const EXTENSIONS = [".java", ".kt", ".scala", ".groovy", ".kts"];
const SOURCE = /\.(?:java|kts?|scala|groovy)$/;
/** Source root folders, in which packages begin: src/main/kotlin, jvm/src, commonMain. */
const ROOT =
  /^(?:src|source|java|kotlin|scala(?:-\S+)?|groovy|main|test|jvm|js|common|native|app|\w+(?:Main|Test))$/;
const PLATFORM = /^(?:javax?|jdk|kotlinx?|scala|groovyx?)$/;

/** Resolves imports of Java, Kotlin, Scala and Groovy. */
export class JvmModules implements ModuleResolution {
  readonly #search: PathSearch;
  readonly #packages = new Map<string, readonly string[]>();
  /** What follows from a name alone is the same for all importers. */
  readonly #folders = new Map<string, readonly string[]>();
  readonly #files = new Map<string, readonly string[]>();

  constructor(search: PathSearch) {
    this.#search = search;
  }

  scopeOf(importer: Importer): string {
    return `${importer.language}:${folderOf(importer.path)}:${importer.package}`;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const written = module
      .replace(/^_root_\./, "")
      .split(".")
      .filter(Boolean);
    const isWildcard = /^(?:[*_]|given)$/.test(written.at(-1) ?? "");
    const parts = isWildcard ? written.slice(0, -1) : written;
    const found = this.#whole(importer, parts) ?? this.#relative(importer, parts);
    if (found !== undefined) return found;
    const around = this.#inPackage(importer, parts, isWildcard);
    if (around.length > 0) return packageTarget(around, namesOf(parts));
    return this.#isOwn(importer, parts) ? UNKNOWN_MODULE : EXTERNAL_MODULE;
  }

  /** Returns the package, or a class with the remaining names of the path. `least`: it has more parts than that. */
  #whole(importer: Importer, parts: readonly string[], least = 0): ModuleTarget | undefined {
    for (let depth = parts.length; depth > least; depth--) {
      const files = this.#fileOf(importer, parts.slice(0, depth), depth === parts.length);
      if (files.length > 0) return fileTarget(files, parts.slice(depth - 1));
      const sources = depth === parts.length ? this.#filesOf(importer, parts) : [];
      if (sources.length > 0) return packageTarget(sources);
    }
    return undefined;
  }

  /** Scala looks up a name in the enclosing packages too. */
  #relative(importer: Importer, parts: readonly string[]): ModuleTarget | undefined {
    if (importer.language !== "scala") return undefined;
    const around = importer.package.split(".").filter(Boolean);
    for (; around.length > 0; around.pop()) {
      const target = this.#whole(importer, [...around, ...parts], around.length);
      if (target !== undefined) return target;
    }
    return undefined;
  }

  /**
   * Returns the sources of the package of a definition without a file of its own, such as a Kotlin function
   * or a Scala object. Java sources are excluded: such a class in them is not visible elsewhere.
   */
  #inPackage(importer: Importer, parts: readonly string[], isWildcard: boolean): readonly string[] {
    const inner = parts.findIndex((part) => /^[A-Z]/.test(part));
    // A wildcard after a lower-case name imports a package, except for Scala objects.
    if (isWildcard && inner === -1 && importer.language !== "scala") return [];
    const depth = inner === -1 ? parts.length - 1 : inner;
    if (depth < 1) return [];
    const files = this.#filesOf(importer, parts.slice(0, depth));
    return files.filter((file) => !file.endsWith(".java"));
  }

  /** Returns the files of a class: all sources with its name in folders of its package. */
  #fileOf(importer: Importer, parts: readonly string[], isLast: boolean): readonly string[] {
    const name = parts.at(-1) ?? "";
    const isObject = importer.language === "scala" && /^[a-z]/.test(name);
    if (parts.length === 1 || (!isLast && !isObject && /^[a-z]/.test(name))) return [];
    const files = this.#filesNamed(name);
    if (files.length === 0) return [];
    const nearby = sortByDistance(
      importer.path,
      this.#inFoldersOf(importer, files, parts.slice(0, -1)),
    );
    if (!isObject) return nearby;
    // A package object in package.scala may define or extend the object.
    const sources = nearby.length === 0 ? [] : this.#filesOf(importer, parts.slice(0, -1));
    return [...nearby, ...sources.filter((file) => baseName(file) === "package.scala")];
  }

  #filesNamed(name: string): readonly string[] {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    // Java sees a Kotlin file of functions as a class.
    const names = name.endsWith("Kt") ? [name, name.slice(0, -2)] : [name];
    const files = names.flatMap((stem) =>
      EXTENSIONS.flatMap((extension) => this.#search.tree.named(`${stem}${extension}`)),
    );
    this.#files.set(name, files);
    return files;
  }

  #inFoldersOf(
    importer: Importer,
    files: readonly string[],
    parts: readonly string[],
  ): readonly string[] {
    const [path, dotted] = [parts.join("/"), parts.join(".")];
    const exact = files.filter(
      (file) => endsWithParts(folderOf(file), path) || endsWithParts(folderOf(file), dotted),
    );
    if (exact.length > 0) return exact;
    const folders = new Set(this.#shortened(importer, parts));
    return files.filter((file) => folders.has(folderOf(file)));
  }

  /** Returns the sources of a package in all roots, nearest first. */
  #filesOf(importer: Importer, parts: readonly string[]): readonly string[] {
    const key = `${this.scopeOf(importer)}:${parts.join("/")}`;
    const known = this.#packages.get(key);
    if (known !== undefined) return known;
    const exact = this.#sourcesIn(importer, this.#foldersOf(parts));
    const files =
      exact.length > 0 ? exact : this.#sourcesIn(importer, this.#shortened(importer, parts));
    this.#packages.set(key, files);
    return files;
  }

  #sourcesIn(importer: Importer, folders: readonly string[]): readonly string[] {
    const files = folders.map((folder) => inFolder(folder, ""));
    return sortByDistance(importer.path, files).flatMap((file) =>
      this.#search.filesIn(folderOf(file), (name) => SOURCE.test(name)),
    );
  }

  #foldersOf(parts: readonly string[]): readonly string[] {
    const suffix = parts.join("/");
    const known = this.#folders.get(suffix);
    if (known !== undefined) return known;
    const folders = this.#search.foldersEnding(suffix);
    const atRoot = folders.filter((folder) => isAtRoot(folder, suffix));
    // A folder may have the name of the whole package: src/a.b.c.
    if (parts.length > 1) atRoot.push(...this.#search.foldersNamed(parts.join(".")));
    const found = atRoot.length > 0 || parts.length === 1 ? atRoot : folders;
    this.#folders.set(suffix, found);
    return found;
  }

  /**
   * Returns the folders of a package without the prefix that all packages of the project share, as Kotlin
   * recommends: src/main/kotlin/c for a.b.c.
   */
  #shortened(importer: Importer, parts: readonly string[]): readonly string[] {
    const own = importer.package.split(".");
    if (importer.language === "java") return [];
    if (parts.join(".") === importer.package) return [folderOf(importer.path)];
    // At least two shared parts identify the project: many projects share `org`.
    for (let left = 1; left < parts.length && parts[left - 1] === own[left - 1]; left++) {
      const suffix = parts.slice(left).join("/");
      const folders = left === 1 ? [] : this.#search.foldersEnding(suffix);
      const atRoot = folders.filter((folder) => isAtRoot(folder, suffix));
      if (atRoot.length > 0) return atRoot;
    }
    return importer.language === "kotlin" ? this.#ofModule(parts) : [];
  }

  /** Returns the source folders of the module that a package is named after: a-b/common/src for x.a.b. */
  #ofModule(parts: readonly string[]): readonly string[] {
    for (let left = 1; left < parts.length - 1; left++) {
      const modules = this.#search.foldersNamed(parts.slice(left).join("-"));
      const folders = modules.flatMap((module) => this.#rootsBelow(module));
      if (folders.length > 0) return folders;
    }
    return [];
  }

  #rootsBelow(folder: string): readonly string[] {
    const inner = this.#search.tree.foldersIn(folder).filter((name) => ROOT.test(name));
    const roots = inner.flatMap((name) => this.#rootsBelow(inFolder(folder, name)));
    return this.#search.filesIn(folder, isKotlin).length > 0 ? [folder, ...roots] : roots;
  }

  /**
   * Returns whether the project has the package or sources in its parent package. A missing class is then
   * generated by the build.
   */
  #isOwn(importer: Importer, parts: readonly string[]): boolean {
    const folders = parts.filter((part) => /^[a-z]/.test(part));
    if (folders.length < 2 || PLATFORM.test(parts[0] ?? "")) return false;
    if (this.#foldersOf(folders).length > 0) return true;
    if (
      importer.package.includes(".") &&
      `${folders.join(".")}.`.startsWith(`${importer.package}.`)
    ) {
      return true;
    }
    return this.#foldersOf(folders.slice(0, -1)).some(
      (folder) => this.#search.filesIn(folder, (name) => SOURCE.test(name)).length > 0,
    );
  }

  lastPartsOf(path: string): readonly string[] {
    const stem = stemOf(path);
    const folders = folderOf(path).split("/");
    const names = [stem, folders.at(-1) ?? ""];
    if (!isKotlin(path)) return names;
    const module = folders.findLast((folder) => !ROOT.test(folder)) ?? "";
    return [...names, `${stem}Kt`, module.slice(module.lastIndexOf("-") + 1)];
  }

  /**
   * Only of Java files: a package of Kotlin or Scala may be found by a part of its name, or by what a file in it defines.
   */
  packageImportOf(path: string): PackageImport | undefined {
    if (!isJava(path)) return undefined;
    const [part = "", before = ""] = folderOf(path).split("/").toReversed();
    // A package directly below a source root has no other part, and a class may have the name of its package.
    if (before === "" || ROOT.test(before) || part === stemOf(path)) return undefined;
    return { part, before };
  }

  siblingsOf(importer: Importer): readonly string[] {
    const parts = importer.package.split(".").filter(Boolean);
    const siblings = this.#search.filesIn(folderOf(importer.path), (name) => SOURCE.test(name));
    const files = parts.length === 0 ? [] : this.#filesOf(importer, parts);
    return [...new Set([...siblings, ...files])].filter((path) => path !== importer.path);
  }
}

/** Returns whether the folder before the suffix is a source root. */
function isAtRoot(folder: string, suffix: string): boolean {
  const before = folder.slice(0, -suffix.length - 1);
  return before === "" || ROOT.test(baseName(before));
}

function isJava(name: string): boolean {
  return name.endsWith(".java");
}

function isKotlin(name: string): boolean {
  return name.endsWith(".kt");
}

/** Returns the part of a path that names definitions: from the first class on, or else the last part. */
function namesOf(parts: readonly string[]): readonly string[] {
  const inner = parts.findIndex((part) => /^[A-Z]/.test(part));
  return parts.slice(inner === -1 ? -1 : inner);
}
