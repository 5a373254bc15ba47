// Modules that are named by the path of a file: relative to the importing file, to a root, or to a search
// folder from a configuration that is not read. The last kind is found by the end of its path.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, foldersAround, inFolder, joinPath, baseName, stemOf } from "./paths.ts";

/** How a language writes such paths. */
export interface PathSyntax {
  /** Endings that the path may omit, most likely first; "" for a complete path. */
  readonly endings: readonly string[];
  /** A prefix of the file name that the path omits: `_` of Sass. */
  readonly partial?: string;
  /** Text around the path that does not belong to it, such as "$DIR/" in a shell script. */
  readonly prefix?: RegExp;
  /** Names that are not paths. */
  readonly external?: RegExp;
  /** Whether the path is percent-encoded, as in `a%20b`. */
  readonly isUrl?: true;
  /** Whether the path may be relative to an unknown folder. */
  readonly isAnywhere?: true;
}

const URL = /^(?:[a-z][\w+.-]*:)?\/\/|^[a-z][\w+.-]*:|^#/i;
const STYLES: PathSyntax = {
  endings: ["", ".scss", ".sass", ".css", ".less", ".styl", "/index.scss", "/_index.scss"],
  partial: "_",
  prefix: /^(?:url\()?["']?~?|(?:[?#].*)?["']?\)?$/g,
  isUrl: true,
};

/** By language id. */
export const BY_PATH: Readonly<Record<string, PathSyntax>> = {
  css: STYLES,
  html: { endings: ["", "/index.html"], prefix: /[?#].*$/g, isUrl: true },
  bash: {
    endings: ["", ".sh", ".bash"],
    prefix: /^.*(?:\$\w+|\}|\))["']?\/|["']/g,
    isAnywhere: true,
  },
  r: { endings: [""], external: /^(?!.*\.\w+$)/, isAnywhere: true },
  protobuf: { endings: [""], isAnywhere: true },
  thrift: { endings: [""], isAnywhere: true },
  // `@openzeppelin/contracts/…` in the package of that name itself.
  solidity: { endings: [""], prefix: /^@[\w.-]+\//g, isAnywhere: true },
  // `@rules_go//go:def.bzl` is in another repository.
  starlark: { endings: [""], external: /^@/ },
  crystal: { endings: [".cr", ""], isAnywhere: true },
  nim: { endings: [".nim", ""], isAnywhere: true },
  nix: { endings: ["", "/default.nix"] },
  powershell: { endings: ["", ".psm1", ".ps1"], prefix: /^.*\$\w+[\\/]/g },
  makefile: { endings: [""], prefix: /^.*\)\//g, isAnywhere: true },
  cmake: { endings: ["", ".cmake", "/CMakeLists.txt"], isAnywhere: true },
};

/** Any other language: a path of an existing file. */
export const ANY_PATH: PathSyntax = { endings: [""] };

/** Resolves imports that are paths of files. */
export class PathModules implements ModuleResolution {
  readonly #search: PathSearch;
  readonly #syntax: PathSyntax;

  constructor(search: PathSearch, syntax: PathSyntax) {
    this.#search = search;
    this.#syntax = syntax;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const { external, isAnywhere, partial } = this.#syntax;
    if (external?.test(module) === true || URL.test(module)) return EXTERNAL_MODULE;
    const path = this.#pathIn(module);
    const file = this.#find(importer.path, path);
    if (file !== undefined) return fileTarget([file]);
    const mayBeOutside = isAnywhere === true || partial !== undefined;
    return mayBeOutside && !/^[./]/.test(path) ? EXTERNAL_MODULE : UNKNOWN_MODULE;
  }

  #pathIn(module: string): string {
    const { prefix, isUrl } = this.#syntax;
    const written = prefix === undefined ? module : module.replaceAll(prefix, "");
    return isUrl === true ? decoded(written) : written.replaceAll("\\", "/");
  }

  #find(importer: string, path: string): string | undefined {
    const siblings = path.startsWith("/") ? undefined : this.#from(folderOf(importer), path);
    if (siblings !== undefined) return siblings;
    const fromRoot = path.startsWith(".") ? undefined : this.#fromRoots(importer, path);
    if (fromRoot !== undefined) return fromRoot;
    return this.#syntax.isAnywhere === true ? this.#anywhere(importer, path) : undefined;
  }

  #from(folder: string, path: string): string | undefined {
    const place = joinPath(folder, path);
    return place === undefined ? undefined : this.#search.firstFile(this.#resolveSpelling(place));
  }

  /** Looks in the enclosing folders, and in the folders that a web server serves from them. */
  #fromRoots(importer: string, path: string): string | undefined {
    for (const folder of foldersAround(folderOf(importer))) {
      const file =
        this.#from(folder, path) ??
        this.#from(inFolder(folder, "public"), path) ??
        this.#from(inFolder(folder, "static"), path);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  #anywhere(importer: string, path: string): string | undefined {
    const suffix = path.replace(/^(?:\.{0,2}\/)+/, "");
    const found = this.#resolveSpelling(suffix).flatMap((spellings) =>
      this.#search.filesEnding(spellings),
    );
    return nearestPath(importer, found);
  }

  #resolveSpelling(path: string): readonly string[] {
    const { endings, partial } = this.#syntax;
    const whole = endings.map((ending) => `${path}${ending}`);
    if (partial === undefined) return whole;
    const hidden = inFolder(folderOf(path), `${partial}${baseName(path)}`);
    return [...whole, ...endings.map((ending) => `${hidden}${ending}`)];
  }

  lastPartsOf(path: string): readonly string[] {
    const stem = stemOf(path);
    const { partial } = this.#syntax;
    const shown = partial !== undefined && stem.startsWith(partial) ? stem.slice(1) : stem;
    const extension = path.slice(path.lastIndexOf(".") + 1);
    return shown === "index" || shown === "default"
      ? [shown, baseName(folderOf(path)), extension]
      : [shown, extension].slice(0, extension.length < path.length ? 2 : 1);
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
