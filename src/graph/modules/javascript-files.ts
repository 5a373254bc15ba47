// Finds the files for a path without extension or with the extension of a build output.

import type { PathSearch } from "./path-search.ts";
import { inFolder } from "./paths.ts";

const DECLARATIONS = [".d.ts", ".d.mts", ".d.cts"];
const TYPED = [".ts", ".tsx", ".mts", ".cts", ...DECLARATIONS];
const PLAIN = [".js", ".jsx", ".mjs", ".cjs"];
const OTHER = [".vue", ".svelte", ".astro"];

/**
 * The kind of the importing file. Typed ones prefer TypeScript files, plain ones JavaScript files, declarations other
 * declarations.
 */
export type ScriptKind = "typed" | "plain" | "declared";

const ENDINGS: Readonly<Record<ScriptKind, readonly string[]>> = {
  typed: [...TYPED, ...PLAIN, ...OTHER],
  plain: [...PLAIN, ".json", ...TYPED, ...OTHER],
  declared: [...DECLARATIONS, ...TYPED, ...PLAIN, ...OTHER],
};

/** Possible source extensions of an output extension, as in TypeScript. */
const SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  [".js", [".ts", ".tsx", ".jsx", ".d.ts", ".vue"]],
  [".jsx", [".tsx", ".jsx", ".d.ts"]],
  [".mjs", [".mts", ".d.mts", ".ts"]],
  [".cjs", [".cts", ".d.cts", ".ts"]],
]);

const DECLARED = /\.d\.(?<m>[mc]?)ts$/;
const WRITTEN = /\.[mc]?jsx?$/;

/** Finds script files in the project. */
export class ScriptFiles {
  readonly #search: PathSearch;

  constructor(search: PathSearch) {
    this.#search = search;
  }

  /** Returns the files that a path refers to, best first; empty if none exist. */
  at(path: string, kind: ScriptKind): readonly string[] {
    const file = this.#fileAt(path, kind) ?? this.#indexOf(path, kind);
    return file === undefined ? [] : this.#withSource(file, kind);
  }

  /** Returns the index files of a folder, for paths that can only be a folder: `./a/`, `..`. */
  indexOf(folder: string, kind: ScriptKind): readonly string[] {
    const file = this.#indexOf(folder, kind);
    return file === undefined ? [] : this.#withSource(file, kind);
  }

  #fileAt(path: string, kind: ScriptKind): string | undefined {
    if (path === "") return undefined;
    const { tree } = this.#search;
    const extension = WRITTEN.exec(path)?.[0] ?? "";
    const stem = path.slice(0, path.length - extension.length);
    const built = (SOURCES.get(extension) ?? []).map((source) => `${stem}${source}`);
    if (kind !== "plain") {
      const declared = built.toSorted(
        (one, other) => Number(isDeclaration(other)) - Number(isDeclaration(one)),
      );
      const source = this.#search.firstFile(kind === "declared" ? declared : built);
      if (source !== undefined) return source;
    }
    // A declaration file names the sources that it was made of.
    const declaration =
      kind === "declared" ? path.replace(/(?<!\.d)\.(?=[mc]?tsx?$)/, ".d.") : path;
    if (declaration !== path && tree.has(declaration)) return declaration;
    if (tree.has(path)) return path;
    const completed = ENDINGS[kind].map((ending) => `${path}${ending}`);
    return this.#search.firstFile([...completed, ...built]);
  }

  #indexOf(folder: string, kind: ScriptKind): string | undefined {
    if (this.#search.tree.filesIn(folder).length === 0) return undefined;
    return this.#search.firstFile(
      ENDINGS[kind].map((ending) => inFolder(folder, `index${ending}`)),
    );
  }

  /** Adds the script that a declaration file describes, unless only declarations are wanted. */
  #withSource(file: string, kind: ScriptKind): readonly string[] {
    const declared = DECLARED.exec(file);
    if (declared === null || kind === "declared") return [file];
    const script = `${file.slice(0, declared.index)}.${declared.groups?.["m"] ?? ""}js`;
    return this.#search.tree.has(script) ? [file, script] : [file];
  }
}

function isDeclaration(path: string): boolean {
  return DECLARED.test(path);
}

/** Removes script extensions from a file name: "log" for "log.ts", "log.d.mts" and "log.js". */
export function scriptStemOf(name: string): string {
  return name.replace(/(?:\.d)?\.(?:[mc]?[jt]sx?|json|vue|svelte|astro)$/, "");
}
