// The files to learn from: code and prose below some folders, package by package.
import { join, resolve } from "node:path";

import { isGeneratedName, isVendored, languageOf, fileRole } from "../../src/scan/classify.ts";
import { readTextFile } from "../../src/scan/read-text-file.ts";
import { walk } from "../../src/scan/walk.ts";

export interface SourceFile {
  /** Path relative to the folder that contains it, with `/`. */
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** Files by the same authors with the same vocabulary. */
export interface SourcePackage {
  readonly name: string;
  /** In the order of their paths; read from the disk each time. */
  readonly files: Iterable<SourceFile>;
}

/** Larger files are nearly always tables and program output. */
const MAX_FILE_BYTES = 600_000;

/** A folder that contains one of these is a package. */
const MANIFEST =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.py|composer\.json|mix\.exs|pom\.xml|build\.gradle(?:\.kts)?|build\.zig|.+\.(?:gemspec|csproj|cabal|rockspec))$/;

/**
 * The packages of the folders, in the order of the folders and of the paths. Tests, data, generated files
 * and vendored copies are excluded. Throws PATH_NOT_FOUND for a folder that cannot be listed.
 */
export function listPackages(folders: readonly string[]): SourcePackage[] {
  const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
  return folders.flatMap((folder) => {
    const root = resolve(folder);
    const paths = walk(root, { maxFileBytes: MAX_FILE_BYTES }).files.map(({ path }) => path);
    const manifests = new Set(paths.filter((path) => MANIFEST.test(nameOf(path))).map(folderOf));
    const byPackage = Map.groupBy(paths.filter(isWanted), (path) => packageOf(path, manifests));
    return [...byPackage]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, members]) => ({
        name: `${root}/${name}`,
        files: { [Symbol.iterator]: () => readAll(root, members, buffer) },
      }));
  });
}

function isWanted(path: string): boolean {
  if (isVendored(path) || isGeneratedName(path)) return false;
  const role = fileRole(path, languageOf(path));
  return role === "code" || role === "docs";
}

function* readAll(
  root: string,
  paths: readonly string[],
  buffer: Buffer,
): Generator<SourceFile, void> {
  for (const path of paths) {
    const file = readTextFile(join(root, path), MAX_FILE_BYTES, buffer);
    if ("skip" in file || file.generated) continue;
    const language = languageOf(path, file.text);
    if (language !== undefined) yield { path, language, text: file.text };
  }
}

/** The deepest folder above the file that holds a manifest, or the empty string. */
function packageOf(path: string, manifests: ReadonlySet<string>): string {
  let folder = folderOf(path);
  while (folder !== "" && !manifests.has(folder)) folder = folderOf(folder);
  return folder;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
