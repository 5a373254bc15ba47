// Go packages: https://go.dev/ref/mod. A package is a folder.

import {
  EXTERNAL_MODULE,
  UNKNOWN_MODULE,
  packageTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import { sortByDistance, type PathSearch } from "./path-search.ts";
import {
  pathBelow,
  folderOf,
  foldersAround,
  inFolder,
  isWithin,
  joinPath,
  baseName,
} from "./paths.ts";

interface GoModule {
  readonly folder: string;
  /** The import path of the module. */
  readonly path: string;
  /** Import path of another module -> the folder that replaces it. */
  readonly replaced: ReadonlyMap<string, string>;
}

const MODULE = /^\s*module\s+"?(?<path>[^\s"]+)"?/m;
const REPLACE = /^\s*(?:replace\s+)?(?<from>\S+)(?:\s+v\S+)?\s+=>\s+(?<to>\.{1,2}(?:\/\S*)?)/gm;

/** Resolves imports of Go. */
export class GoModules implements ModuleResolution {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  #modules: readonly GoModule[] | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#project = project;
    this.#search = search;
  }

  scopeOf({ path }: Importer): string {
    return `${isTest(path)}:${folderOf(path)}`;
  }

  resolve(importer: Importer, path: string): ModuleTarget {
    if (path.startsWith(".")) {
      const folder = joinPath(folderOf(importer.path), path);
      return folder === undefined ? UNKNOWN_MODULE : this.#package(importer, [folder]);
    }
    const folders = [...this.#ownFolders(importer, path), ...this.#vendored(importer, path)];
    if (folders.length > 0) return this.#package(importer, folders);
    if (this.#modulesOfTree().length > 0) return EXTERNAL_MODULE;
    return this.#withoutModules(importer, path);
  }

  /** Returns the folders for an import path in the modules of the project, longest module path first. */
  #ownFolders(importer: Importer, path: string): readonly string[] {
    const found: { folder: string; length: number; near: number }[] = [];
    const add = (prefix: string, folder: string, near: number): void => {
      if (!isWithin(path, prefix)) return;
      found.push({
        folder: inFolderOf(folder, pathBelow(path, prefix)),
        length: prefix.length,
        near,
      });
    };
    const around = this.#moduleAround(importer.path);
    for (const [prefix, folder] of around?.replaced ?? []) add(prefix, folder, 0);
    const files = this.#modulesOfTree().map((module) => inFolder(module.folder, "go.mod"));
    const order = sortByDistance(importer.path, files);
    for (const module of this.#modulesOfTree()) {
      add(module.path, module.folder, 1 + order.indexOf(inFolder(module.folder, "go.mod")));
    }
    return found
      .toSorted((a, b) => b.length - a.length || a.near - b.near)
      .map(({ folder }) => folder);
  }

  #vendored(importer: Importer, path: string): readonly string[] {
    const places = foldersAround(folderOf(importer.path)).map((folder) =>
      inFolder(folder, `vendor/${path}`),
    );
    return places.filter((folder) => this.#search.hasFolder(folder));
  }

  /** Without a go.mod, the project may be a GOPATH tree or a repository in one. */
  #withoutModules(importer: Importer, path: string): ModuleTarget {
    const parts = path.split("/");
    const hasHost = parts[0]?.includes(".") === true;
    const own = hasHost ? parts.slice(3).join("/") : "";
    const folders = own === "" ? [] : [own];
    folders.push(...this.#search.foldersEnding(path));
    const target = this.#package(importer, folders);
    return target.files.length > 0 ? target : EXTERNAL_MODULE;
  }

  /** Returns the package of the first folder that contains one. */
  #package(importer: Importer, folders: readonly string[]): ModuleTarget {
    for (const folder of folders) {
      const files = this.#filesOf(folder, isTest(importer.path) && isIn(importer.path, folder));
      if (files.length > 0) return packageTarget(files);
    }
    return UNKNOWN_MODULE;
  }

  #filesOf(folder: string, withTests: boolean): readonly string[] {
    return this.#search.filesIn(
      folder,
      (name) => name.endsWith(".go") && (withTests || !isTest(name)),
    );
  }

  #moduleAround(path: string): GoModule | undefined {
    for (const folder of foldersAround(folderOf(path))) {
      const module = this.#modulesOfTree().find((candidate) => candidate.folder === folder);
      if (module !== undefined) return module;
    }
    return undefined;
  }

  #modulesOfTree(): readonly GoModule[] {
    this.#modules ??= this.#project.tree
      .named("go.mod")
      .map((path) => readModule(folderOf(path), this.#project.read(path) ?? ""))
      .filter((module) => module.path !== "");
    return this.#modules;
  }

  lastPartsOf(path: string): readonly string[] {
    const folder = folderOf(path);
    const module = this.#modulesOfTree().find((candidate) => candidate.folder === folder);
    return module === undefined ? [baseName(folder)] : module.path.split("/").slice(-2);
  }

  /**
   * Returns the other files of the package. Tests see the package's files. Non-test files do not see tests,
   * and an external test package (`a_test`) sees only tests.
   */
  siblingsOf(importer: Importer): readonly string[] {
    const isExternalTest = importer.package.endsWith("_test");
    const files = this.#filesOf(folderOf(importer.path), isTest(importer.path));
    return files.filter((path) => path !== importer.path && (!isExternalTest || isTest(path)));
  }
}

function readModule(folder: string, text: string): GoModule {
  const replaced = new Map<string, string>();
  for (const { groups } of text.matchAll(REPLACE)) {
    const place = joinPath(folder, groups?.["to"] ?? "");
    if (place !== undefined) replaced.set(groups?.["from"] ?? "", place);
  }
  return { folder, path: MODULE.exec(text)?.groups?.["path"] ?? "", replaced };
}

function inFolderOf(folder: string, rest: string): string {
  return rest === "" ? folder : inFolder(folder, rest);
}

function isTest(path: string): boolean {
  return path.endsWith("_test.go");
}

function isIn(path: string, folder: string): boolean {
  return folderOf(path) === folder;
}
