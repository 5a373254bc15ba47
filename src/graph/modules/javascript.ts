// JavaScript and TypeScript modules: https://nodejs.org/api/esm.html#resolution-algorithm, plus the rules of
// TypeScript and bundlers.

import { ScriptAliases, splitPackage } from "./javascript-aliases.ts";
import { targetsOf } from "./javascript-exports.ts";
import { ScriptFiles, scriptStemOf, type ScriptKind } from "./javascript-files.ts";
import { ScriptPackages } from "./javascript-packages.ts";
import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import type { FileTree } from "../../index/port.ts";
import { NuxtImports } from "./nuxt.ts";
import { prismaFiles } from "./prisma.ts";
import type { PathSearch } from "./path-search.ts";
import {
  pathBelow,
  folderOf,
  foldersAround,
  inFolder,
  isWithin,
  joinPath,
  baseName,
} from "./paths.ts";

/** Matches `node:fs`, `https://…`, `virtual:pwa`, `data:…`. */
const SCHEME = /^[a-z][\w+.-]*:/i;
/** Aliases that frameworks define without a config file in the project. */
const USUAL_ALIAS = /^(?:(?:@@?|~~?|\$lib|\$)\/(?<rest>.+)|\$lib)$/;

const PRISMA_CLIENT = /^(?:@prisma|\.prisma)\/client(?:\/|$)/;
/** A client that a setting puts into the project, but no version control. */
const GENERATED_CLIENT = /(?:^|\/)(?:generated|prisma)(?:\/|$)/;

/** Resolves imports of JavaScript and TypeScript. */
export class JavaScriptModules implements ModuleResolution {
  readonly #files: ScriptFiles;
  readonly #tree: FileTree;
  readonly #nuxt: NuxtImports;
  #prismaFiles: readonly string[] | undefined;
  readonly #packages: ScriptPackages;
  readonly #aliases: ScriptAliases;
  #aliased: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#files = new ScriptFiles(search);
    this.#tree = search.tree;
    this.#nuxt = new NuxtImports(search.tree);
    this.#packages = new ScriptPackages(project, this.#files);
    this.#aliases = new ScriptAliases(project, this.#packages);
  }

  scopeOf(importer: Importer): string {
    return `${kindOf(importer)}:${folderOf(importer.path)}`;
  }

  resolve(importer: Importer, written: string): ModuleTarget {
    const folder = folderOf(importer.path);
    const kind = kindOf(importer);
    // Bundlers accept `./a.css?raw` and `style-loader!./a.css`.
    const module = written.replace(/^.*!/, "").replace(/\?.*$/, "");
    if (PRISMA_CLIENT.test(module)) return this.#schemas();
    if (module.startsWith(".")) {
      const files = this.#relative(folder, module, kind);
      return files.length === 0 && GENERATED_CLIENT.test(module) ? this.#schemas() : known(files);
    }
    if (module.startsWith("/")) return known(this.#absolute(folder, module, kind));
    if (SCHEME.test(module)) return EXTERNAL_MODULE;
    const files = this.#named(importer, module, kind);
    if (files === undefined) return module.startsWith("#") ? UNKNOWN_MODULE : EXTERNAL_MODULE;
    return known(files);
  }

  /** Returns the schemas from which the client of Prisma is generated. */
  #schemas(): ModuleTarget {
    this.#prismaFiles ??= prismaFiles(this.#tree);
    return this.#prismaFiles.length === 0 ? EXTERNAL_MODULE : known(this.#prismaFiles);
  }

  #relative(folder: string, module: string, kind: ScriptKind): readonly string[] {
    const path = joinPath(folder, module);
    if (path === undefined) return [];
    const isFolder = /(?:^|\/)\.{0,2}$/.test(module);
    const files = isFolder ? this.#files.indexOf(path, kind) : this.#files.at(path, kind);
    if (files.length > 0) return files;
    if (this.#packages.manifestIn(path) !== undefined) return this.#packages.entry(path, ".", kind);
    // A build output does not exist in the project, but its source may.
    const root = this.#packages.folderAround(folder);
    if (root === undefined || !isWithin(path, root)) return [];
    return this.#packages.targetFiles(root, [pathBelow(path, root)], kind);
  }

  /** Looks in the roots that a server serves: the package or its folder of public files. */
  #absolute(folder: string, module: string, kind: ScriptKind): readonly string[] {
    const root = this.#packages.folderAround(folder) ?? "";
    for (const place of new Set([root, inFolder(root, "public"), "", "public"])) {
      const files = this.#files.at(inFolder(place, module.slice(1)), kind);
      if (files.length > 0) return files;
    }
    return [];
  }

  /**
   * Returns undefined for a module outside of the project, and no files for one inside that does not exist.
   */
  #named(importer: Importer, module: string, kind: ScriptKind): readonly string[] | undefined {
    const folder = folderOf(importer.path);
    for (const path of this.#aliases.pathsOf(folder, module)) {
      const files = this.#files.at(path, kind);
      if (files.length > 0) return files;
    }
    if (module.startsWith("#")) {
      const files = this.#imported(importer, module, kind);
      if (files !== undefined) return files;
    }
    const [name, ...rest] = splitPackage(module);
    const packages = this.#packages.named(name, importer.path);
    const key = [".", ...rest].join("/");
    for (const place of packages) {
      const files = this.#packages.entry(place, key, kind);
      if (files.length > 0) return files;
    }
    return packages.length > 0 ? [] : this.#guessed(folder, module, kind);
  }

  /** Resolves `#name` through the `imports` of the package. */
  #imported(importer: Importer, module: string, kind: ScriptKind): readonly string[] | undefined {
    const folder = this.#packages.folderAround(folderOf(importer.path));
    if (folder === undefined) return undefined;
    const targets = targetsOf(this.#packages.manifestIn(folder)?.["imports"], module);
    const paths = targets.filter((target) => target.startsWith("."));
    const files = this.#packages.targetFiles(folder, paths, kind);
    if (files.length > 0) return files;
    const other = targets.find((target) => !/^[.#]/.test(target));
    return other === undefined ? undefined : this.#named(importer, other, kind);
  }

  #guessed(folder: string, module: string, kind: ScriptKind): readonly string[] | undefined {
    const alias = USUAL_ALIAS.exec(module);
    if (alias === null) return undefined;
    // `$lib` itself is the index of the folder.
    const rest = alias.groups?.["rest"] ?? "index";
    const places = module.startsWith("$") ? ["src/lib", "src"] : ["src", "app", ""];
    for (const around of foldersAround(folder)) {
      if (this.#packages.manifestIn(around) === undefined) continue;
      for (const place of places) {
        const files = this.#files.at(inFolder(around, inFolder(place, rest)), kind);
        if (files.length > 0) return files;
      }
    }
    return [];
  }

  lastPartsOf(path: string): readonly string[] {
    // `@prisma/client`, `@prisma/client/edge`, `../generated/prisma`
    if (path.endsWith(".prisma")) return ["client", "edge", "prisma"];
    const stem = scriptStemOf(baseName(path));
    const exported = this.#packages.exportedNames(path);
    const names = [stem, ...exported, ...this.#aliasesOf(path)];
    if (stem === "index" || stem === "mod") names.push(baseName(folderOf(path)));
    // `require("..")` of the main file.
    if (stem === "index" || stem === "mod" || exported.length > 0) names.push(".");
    return names;
  }

  /** Returns the last parts of the names that configs give to a file. */
  #aliasesOf(path: string): readonly string[] {
    this.#aliased ??= this.#readAliased();
    return this.#aliased.get(path) ?? [];
  }

  #readAliased(): ReadonlyMap<string, readonly string[]> {
    const aliased = new Map<string, string[]>();
    for (const { name, place } of this.#aliases.plainNames()) {
      for (const file of this.#files.at(place, "typed")) {
        aliased.set(file, [...(aliased.get(file) ?? []), baseName(name)]);
      }
    }
    return aliased;
  }

  /** Nuxt makes the exports of some files visible in all others. */
  siblingsOf({ path }: Importer): readonly string[] {
    return this.#nuxt.seenBy(path);
  }
}

function kindOf({ language, path }: Importer): ScriptKind {
  // What a declaration file imports is declared too.
  if (/\.d\.[mc]?ts$/.test(path)) return "declared";
  const isTyped = language !== "javascript" && !/\.[mc]?jsx?$/.test(path);
  return isTyped ? "typed" : "plain";
}

function known(files: readonly string[]): ModuleTarget {
  return files.length === 0 ? UNKNOWN_MODULE : fileTarget(files);
}
