// What paths say about copies: folders of build output and of third-party code, versions of a document, variants.

import { FileFlag, type FileFacts } from "../../index/types.ts";

/** Folders and names of what a build writes: bundles, amalgamations, sites, older versions that a site keeps. */
const OUTPUT =
  /(?:^|\/)(?:dist|build|umd|esm|cjs|public|static|_?site|single[-_](?:include|header)s?|amalgamat(?:ed|ion)|bundled?|docsets?|[^/]+\.docset)\/|[._-](?:min|bundle|amalgamated)\.[^/.]+$/i;
const MINIFIED = /[._-]min(?=\.[^/.]+$)/;
/** A folder of output if the same file is in `src/`. */
const LIBRARY = /(^|\/)(?:lib|es)\//;
const VERSION = /(?:^|\/)(?:versioned_docs\/)?(?:version-)?v?(\d+(?:\.(?:\d+|x))*)(?=\/)/;
const VARIANT =
  /^(?:v?\d[\w.]*|unix|posix|linux|win(?:32|64|dows)?|nt|darwin|mac(?:os)?|osx|ios|android|freebsd|openbsd|netbsd|bsd|solaris|aix|wasm|x86|x64|i386|amd64|arm\w*|riscv\w*|ppc\w*|mips\w*|gpu|cpu|cuda|metal)$/i;

/** Whether a path is that of build output. */
export function isOutput(path: string): boolean {
  return OUTPUT.test(path);
}

/** What a path says about the source of a file. */
export interface SourcePath {
  /** The path without its extension. */
  readonly stem: string;
  /** Stem of the file that it is compiled from, if there is one: `src/a` for `lib/a.js`. */
  readonly compiledFrom: string | undefined;
  /** Path of the file that it is a short form of, if there is one: `a.js` for `a.min.js`. */
  readonly minified: string | undefined;
}

export function sourcePath(path: string): SourcePath {
  const stem = path.replace(/(?:\.d)?\.[^/.]+$/, "");
  return {
    stem,
    compiledFrom: LIBRARY.test(path) ? stem.replace(LIBRARY, "$1src/") : undefined,
    minified: MINIFIED.test(path) ? path.replace(MINIFIED, "") : undefined,
  };
}

/** 0 for a file that people write for this project; the larger, the likelier is the file a copy. */
export function copyRank({ path, flags }: Pick<FileFacts, "path" | "flags">): number {
  const isVendored = (flags & FileFlag.vendored) !== 0;
  const isGenerated = (flags & FileFlag.generated) !== 0;
  return 4 * Number(isVendored) + 2 * Number(isOutput(path)) + Number(isGenerated);
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

/** Whether two paths differ by a version or a platform, so that a reader wants to know of both. */
export function areVariants(one: string, other: string): boolean {
  const parts = one.split(/[/_.-]/);
  const others = other.split(/[/_.-]/);
  const differing = [
    ...parts.filter((part) => !others.includes(part)),
    ...others.filter((part) => !parts.includes(part)),
  ];
  return differing.some((part) => VARIANT.test(part));
}
