// What is asked and answered about an import.

import type { FileTree } from "../../index/port.ts";

export interface ProjectFiles {
  readonly tree: FileTree;
  /** The text of a config file; undefined when it is missing or cannot be read. */
  readonly read: (path: string) => string | undefined;
}

/** A file that imports something. */
export interface Importer {
  readonly path: string;
  /** Id as in scan/languages.ts. */
  readonly language: string;
  /** What the file says of its package (`package a.b`, `namespace A\\B`); "" where it says nothing. */
  readonly package: string;
}

export interface ModuleTarget {
  /**
   * Files that make up the module, best first; empty when it lies outside of the project or is not known.
   * Unless `isPackage`, those behind the first are where to look for a name that the first has not: the
   * source of a header, the `.js` beside a `.d.ts`.
   */
  readonly files: readonly string[];
  /** True when all of `files` are the module together: a Go package, `a.b.*` of Java, `a::*` of Rust. */
  readonly isPackage: boolean;
  /**
   * Names behind the file: ["Config", "new"] for `crate::config::Config::new`, ["Foo"] for the class `a.b.Foo`
   * of a/b/Foo.java; empty where the module is the file.
   */
  readonly rest: readonly string[];
  /** True when it is not of this project: a package of a registry, the standard library. */
  readonly isExternal: boolean;
}

/** How the files of one family of languages import each other. */
export interface ModuleResolution {
  readonly resolve: (importer: Importer, module: string) => ModuleTarget;
  readonly lastPartsOf: (path: string) => readonly string[];
  readonly siblingsOf: (importer: Importer) => readonly string[];
  /** What of the importer an answer depends on; its folder by default. */
  readonly scopeOf?: (importer: Importer) => string;
}

export const UNKNOWN_MODULE: ModuleTarget = {
  files: [],
  isPackage: false,
  rest: [],
  isExternal: false,
};
export const EXTERNAL_MODULE: ModuleTarget = { ...UNKNOWN_MODULE, isExternal: true };

export function fileTarget(files: readonly string[], rest: readonly string[] = []): ModuleTarget {
  return { files, isPackage: false, rest, isExternal: false };
}

export function packageTarget(
  files: readonly string[],
  rest: readonly string[] = [],
): ModuleTarget {
  return { files, isPackage: true, rest, isExternal: false };
}
