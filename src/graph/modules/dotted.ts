// Languages in which the path of a module is that of its file: `A.B.C` is in A/B/C.hs below some folder.

import { snakeCase } from "./identifier-case.ts";
import {
  EXTERNAL_MODULE,
  fileTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, baseName, stemOf } from "./paths.ts";

export interface DottedSyntax {
  /** What is between the parts. */
  readonly separator: RegExp;
  /** What the path of a module is made a file by, the likeliest first: ".lua", "/init.lua". */
  readonly endings: readonly string[];
  readonly nameOf?: (part: string) => string;
  /** How many of the parts a file must at least stand for; what is behind are names within it. All by default. */
  readonly minParts?: (parts: number) => number;
  /** Folders may stand between the parts, or be left out, as long as the rest is in order. */
  readonly isLoose?: true;
}

/** By id of the language. */
export const DOTTED: Readonly<Record<string, DottedSyntax>> = {
  haskell: { separator: /\./, endings: [".hs", ".lhs", ".hsc"] },
  lua: { separator: /[./]/, endings: [".lua", "/init.lua", ".luau", "/init.luau"] },
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
      const file = nearestPath(importer.path, this.#search.filesEnding(`${path}${ending}`));
      return file === undefined ? [] : [file];
    });
    if (found.length > 0 || this.#syntax.isLoose !== true || parts.length < 2) {
      return this.#likeFirst(found);
    }
    return this.#likeFirst(this.#loose(importer, parts));
  }

  #loose(importer: Importer, parts: readonly string[]): readonly string[] {
    return this.#syntax.endings.flatMap((ending) => {
      const named = this.#search.tree.named(`${parts.at(-1)}${ending}`);
      const fitting = named.filter((path) => hasNamesInOrder(path, parts.slice(0, -1)));
      const file = nearestPath(importer.path, fitting);
      return file === undefined ? [] : [file];
    });
  }

  /** Of files with other endings only those beside the first: an interface, not another module of the name. */
  #likeFirst(files: readonly string[]): readonly string[] {
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
    // `accounts_test` is imported as AccountsTest, `my_app` as my-app: what the importer writes differs.
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

/** Whether the folders of a path have at least the first of these names, and the others it has in their order. */
function hasNamesInOrder(path: string, names: readonly string[]): boolean {
  const folders = folderOf(path).split("/");
  const [first = ""] = names;
  if (!folders.some((folder) => folder.replaceAll("-", "_") === first)) return false;
  const inner = names.slice(1).filter((name) => folders.includes(name));
  return inner.length === names.length - 1;
}
