// Languages whose module paths are file paths: `A.B.C` is A/B/C.hs below some folder.

import { snakeCase } from "../../base/identifier-case.ts";
import {
  EXTERNAL_MODULE,
  fileTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, baseName, stemOf } from "./paths.ts";

/** How a language maps module paths to files. */
export interface DottedSyntax {
  /** Matches the separator of the parts. */
  readonly separator: RegExp;
  /** Endings that turn a module path into a file path, most likely first: ".lua", "/init.lua". */
  readonly endings: readonly string[];
  /** Returns the file name of a part. The part itself by default. */
  readonly nameOf?: (part: string) => string;
  /**
   * Returns how many leading parts the file path must at least cover; the others are names inside of the
   * module. All parts by default.
   */
  readonly minParts?: (parts: number) => number;
  /** Returns whether modules with so many parts can be below a folder; by default below any. `from`: the folder of the importer. */
  readonly isRoot?: (folder: string, parts: number, from: string) => boolean;
  /** Whether other folders may be between the parts. */
  readonly isLoose?: true;
}

/** The folder of a project, and folders with code that are no part of module names. */
const LUA_ROOT = /^$|(?:^|\/)(?:lua|src|lib|share|spec|tests?|scripts|luajit|\d\.\d)$/;

/** By language id. */
export const DOTTED: Readonly<Record<string, DottedSyntax>> = {
  haskell: { separator: /\./, endings: [".hs", ".lhs", ".hsc"] },
  lua: {
    separator: /[./]/,
    endings: [".lua", "/init.lua", ".luau", "/init.luau"],
    // A short name is mostly one of a library: `require("cjson")` is not kong/tools/cjson.lua.
    isRoot: (folder, parts, from) =>
      parts > 2 || LUA_ROOT.test(folder) || (folder === from && (parts > 1 || !from.includes("/"))),
  },
  perl: { separator: /::|\//, endings: [".pm", ".pl", ""] },
  clojure: {
    separator: /\./,
    endings: [".clj", ".cljc", ".cljs", ".bb"],
    nameOf: (part) => part.replaceAll("-", "_"),
  },
  julia: { separator: /\.+/, endings: [".jl"], minParts: () => 1 },
  d: { separator: /\./, endings: [".d", "/package.d"] },
  fsharp: { separator: /\./, endings: [".fs", ".fsi"], minParts: () => 1, isLoose: true },
  erlang: { separator: /:/, endings: [".erl"] },
  elixir: {
    separator: /\./,
    endings: [".ex", ".exs"],
    nameOf: snakeCase,
    minParts: (parts) => Math.max(2, parts - 1),
    isLoose: true,
  },
  ocaml: {
    separator: /\./,
    endings: [".ml", ".mli", ".mll", ".mly"],
    nameOf: (part) => part.slice(0, 1).toLowerCase() + part.slice(1),
    minParts: () => 1,
    isLoose: true,
  },
};

/** Resolves imports of the languages in `DOTTED`. */
export class DottedModules implements ModuleResolution {
  readonly #search: PathSearch;
  readonly #syntax: DottedSyntax;

  constructor(search: PathSearch, syntax: DottedSyntax) {
    this.#search = search;
    this.#syntax = syntax;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const { separator, nameOf: toName = (part: string): string => part } = this.#syntax;
    const written = module.split(separator).filter(Boolean);
    const parts = written.map(toName);
    const minParts = Math.max(1, this.#syntax.minParts?.(parts.length) ?? parts.length);
    for (let depth = parts.length; depth >= Math.min(minParts, parts.length); depth--) {
      const files = this.#filesOf(importer, parts.slice(0, depth));
      if (files.length > 0) return fileTarget(files, written.slice(depth));
    }
    return EXTERNAL_MODULE;
  }

  #filesOf(importer: Importer, parts: readonly string[]): readonly string[] {
    const path = parts.join("/");
    const found = this.#syntax.endings.flatMap((ending) => {
      const file = nearestPath(importer.path, this.#filesEnding(importer, path, ending));
      return file === undefined ? [] : [file];
    });
    if (found.length > 0 || this.#syntax.isLoose !== true || parts.length < 2) {
      return this.#sameModuleAsFirst(found);
    }
    return this.#sameModuleAsFirst(this.#loose(importer, parts));
  }

  #filesEnding(importer: Importer, path: string, ending: string): readonly string[] {
    const found = this.#search.filesEnding(`${path}${ending}`);
    const { isRoot } = this.#syntax;
    if (isRoot === undefined) return found;
    const parts = path.split("/").length;
    const from = folderOf(importer.path);
    return found.filter((file) =>
      isRoot(file.slice(0, -path.length - ending.length).replace(/\/$/, ""), parts, from),
    );
  }

  #loose(importer: Importer, parts: readonly string[]): readonly string[] {
    return this.#syntax.endings.flatMap((ending) => {
      const named = this.#search.tree.named(`${parts.at(-1)}${ending}`);
      const matching = named.filter((path) => containsNames(path, parts.slice(0, -1)));
      const file = nearestPath(importer.path, matching);
      return file === undefined ? [] : [file];
    });
  }

  /**
   * Keeps the first file and those with the same name in the same folder, such as its interface file. Other
   * files are unrelated modules with that name.
   */
  #sameModuleAsFirst(files: readonly string[]): readonly string[] {
    const [first] = files;
    return files.filter(
      (file) => first !== undefined && (file === first || isSibling(file, first)),
    );
  }

  lastPartsOf(path: string): readonly string[] {
    const name = baseName(path);
    const isFolder = this.#syntax.endings.some((ending) => ending === `/${name}`);
    const stem = isFolder ? baseName(folderOf(path)) : stemOf(path);
    const toName = this.#syntax.nameOf;
    // Importers write the module name in another way: `accounts_test` as AccountsTest, `my_app` as my-app.
    return toName === undefined
      ? [stem]
      : [stem, stem.replaceAll("_", ""), stem.replaceAll("_", "-")];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}

function isSibling(file: string, first: string): boolean {
  return folderOf(file) === folderOf(first) && stemOf(file) === stemOf(first);
}

/** Returns whether the folders of a path contain the names. In the first name, `-` and `_` are equal. */
function containsNames(path: string, names: readonly string[]): boolean {
  const folders = folderOf(path).split("/");
  const [first = ""] = names;
  if (!folders.some((folder) => folder.replaceAll("-", "_") === first)) return false;
  const inner = names.slice(1).filter((name) => folders.includes(name));
  return inner.length === names.length - 1;
}
