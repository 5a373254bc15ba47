// The input and output of import resolution.

import type { FileTree } from "../../index/port.ts";

/** The files of an indexed project. */
export interface ProjectFiles {
  readonly tree: FileTree;
  /** Returns the text of a config file, or undefined if it does not exist or cannot be read. */
  readonly read: (path: string) => string | undefined;
}

/** A file that imports something. */
export interface Importer {
  readonly path: string;
  /** Language id of scan/languages.ts. */
  readonly language: string;
  /** The package that the file declares (`package a.b`, `namespace A\\B`); "" if it declares none. */
  readonly package: string;
}

/** The files that an import refers to. */
export interface ModuleTarget {
  /** The first of `files`, where the others are only found when they are read. */
  readonly first?: string;
  /**
   * The files of the module, best first. Empty if the module is outside of the project or unknown. Unless
   * `isPackage`, the files after the first are searched for names that the first does not define: the source
   * of a header, the `.js` next to a `.d.ts`.
   */
  readonly files: readonly string[];
  /** True if all of `files` form the module: a Go package, `a.b.*` of Java, `a::*` of Rust. */
  readonly isPackage: boolean;
  /**
   * Names inside of the file: ["Config", "new"] for `crate::config::Config::new`, ["Foo"] for the class
   * `a.b.Foo` of a/b/Foo.java. Empty if the module is the file.
   */
  readonly rest: readonly string[];
  /** True if the module is outside of the project: a registry package or the standard library. */
  readonly isExternal: boolean;
}

/** The import rules of a language family. See `ModuleResolver` for the functions. */
export interface ModuleResolution {
  readonly resolve: (importer: Importer, module: string) => ModuleTarget;
  readonly lastPartsOf: (path: string) => readonly string[];
  /** Undefined if an importer of a file need not meet more than `lastPartsOf`. */
  readonly packageImportOf?: (path: string) => PackageImport | undefined;
  readonly siblingsOf: (importer: Importer) => readonly string[];
  /** Returns the files whose imports hold in a file too, as those of `global using` do. */
  readonly sharedImportsOf?: (importer: Importer) => readonly string[];
  /**
   * Returns a cache key for the properties of the importer that a result depends on. Its folder by default.
   */
  readonly scopeOf?: (importer: Importer) => string;
}

/**
 * What the imports of a file's package have in common. In `java.util.List` the last part of a package is the last but
 * one, so that part alone is in most files of a project with a package `util`.
 */
export interface PackageImport {
  /** The part of `lastPartsOf` that stands for the package. */
  readonly part: string;
  /** The part before it, which such an import has as well. */
  readonly before: string;
}

/** The target of an import of the project whose files are unknown. */
export const UNKNOWN_MODULE: ModuleTarget = {
  files: [],
  isPackage: false,
  rest: [],
  isExternal: false,
};
/** The target of an import from outside of the project. */
export const EXTERNAL_MODULE: ModuleTarget = { ...UNKNOWN_MODULE, isExternal: true };

/** Returns the first file of a target. */
export function firstFileOf(target: ModuleTarget): string | undefined {
  return target.first ?? target.files[0];
}

/** Returns the target of an import that refers to a file, or to names `rest` inside of it. */
export function fileTarget(files: readonly string[], rest: readonly string[] = []): ModuleTarget {
  return { files, isPackage: false, rest, isExternal: false };
}

/** Returns the target of an import that refers to a package of all `files`. */
export function packageTarget(
  files: readonly string[],
  rest: readonly string[] = [],
): ModuleTarget {
  return { files, isPackage: true, rest, isExternal: false };
}
