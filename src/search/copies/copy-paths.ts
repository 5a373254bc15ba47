// What paths say about copies: folders of build output and of third-party code, versions of a document, variants.

import { FileFlag, type FileFacts } from "../../index/types.ts";

/** Folders of build output: bundles, amalgamations, sites. */
const OUTPUT_FOLDERS = new Set(
  (
    "dist build umd esm cjs public static site _site docset docsets bundle bundled amalgamated amalgamation " +
    "single_include single_includes single-include single-includes single_header single_headers single-header"
  ).split(" "),
);
const OUTPUT_NAME = /[._-](?:min|bundle|amalgamated)\.[^/.]+$/;
const MINIFIED = /[._-]min(?=\.[^/.]+$)/;
/** A folder of output if the same file is in `src/`. */
const LIBRARY = /(^|\/)(?:lib|es)\//;
const VERSION = /(?:^|\/)(?:versioned_docs\/)?(?:version-)?v?(\d+(?:\.(?:\d+|x))*)(?=\/)/;
const VARIANT =
  /^(?:v?\d[\w.]*|unix|posix|linux|win(?:32|64|dows)?|nt|darwin|mac(?:os)?|osx|ios|android|freebsd|openbsd|netbsd|bsd|solaris|aix|wasm|x86|x64|i386|amd64|arm\w*|riscv\w*|ppc\w*|mips\w*|gpu|cpu|cuda|metal)$/i;

/** What a path says about how its file was made. */
export interface PathFacts {
  /** Whether it is in a folder of build output. */
  readonly isOutput: boolean;
  /** The path, without its extension, of the file that it is compiled from, if there is one: `src/a` for `lib/a.js`. */
  readonly compiledFrom: string | undefined;
  /** Path of the file that it is a short form of, if there is one: `a.js` for `a.min.js`. */
  readonly minified: string | undefined;
}

// Cost: a few dozen paths per answer. Names are looked up, because expressions over whole paths take ten times as long.
export function pathFacts(path: string): PathFacts {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  const folders = parts.slice(0, -1);
  const isLibrary = folders.includes("lib") || folders.includes("es");
  return {
    isOutput:
      folders.some((folder) => OUTPUT_FOLDERS.has(folder) || folder.endsWith(".docset")) ||
      OUTPUT_NAME.test(name),
    compiledFrom: isLibrary ? withoutExtension(path).replace(LIBRARY, "$1src/") : undefined,
    minified: MINIFIED.test(name) ? path.replace(MINIFIED, "") : undefined,
  };
}

/** The path without its extension, or without `.d.ts`. */
export function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.[^/.]+$/, "");
}

/**
 * Returns 0 for a file that people write for this project. A larger value means that the file is more likely a copy.
 */
export function copyRank(
  { flags }: Pick<FileFacts, "flags">,
  { isOutput }: Pick<PathFacts, "isOutput">,
): number {
  const isVendored = (flags & FileFlag.vendored) !== 0;
  const isGenerated = (flags & FileFlag.generated) !== 0;
  return 4 * Number(isVendored) + 2 * Number(isOutput) + Number(isGenerated);
}

/** Returns the version that a path of documentation names, as numbers, and the path without it; undefined without one. */
export function versionedPath(
  path: string,
): { readonly document: string; readonly version: string } | undefined {
  const found = VERSION.exec(path);
  if (found === null) return undefined;
  const [matched, version = ""] = found;
  const isFolderOfVersions = matched.includes("versioned_docs");
  const before = path.slice(0, found.index);
  const after = path.slice(found.index + matched.length);
  const lead = matched.startsWith("/") ? "/" : "";
  const document = isFolderOfVersions ? `${before}${lead}docs${after}` : before + after;
  return { document: document.replace(/^\//, ""), version };
}

/** Whether two paths differ by a version or a platform; a reader then wants to see both. */
export function areVariants(one: string, other: string): boolean {
  const parts = one.split(/[/_.-]/);
  const others = other.split(/[/_.-]/);
  const differing = [
    ...parts.filter((part) => !others.includes(part)),
    ...others.filter((part) => !parts.includes(part)),
  ];
  return differing.some((part) => VARIANT.test(part));
}
