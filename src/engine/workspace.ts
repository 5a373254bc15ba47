import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { SvcError } from "../base/errors.ts";
import { toFilePath } from "../base/path-bytes.ts";
import {
  isForbiddenRoot,
  isInside,
  realPath,
  requireFolder,
  siblingHint,
  tooWide,
} from "../sources/confined-path.ts";
import { gitTopLevel } from "../sources/git.ts";
import type { Source } from "../sources/registry/records.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";

interface WorkspaceOptions {
  /** `--root`, used as given. */
  readonly root: string | undefined;
  readonly workingDirectory: string;
  readonly home: string;
}

/**
 * The folder of a session: `root`, else the git top level of the working directory, else the working directory.
 * Throws NO_WORKSPACE for `/` and the home directory.
 */
export function workspaceRoot({ root, workingDirectory, home }: WorkspaceOptions): string {
  const folder = root ?? gitTopLevel(workingDirectory) ?? workingDirectory;
  const found = requireFolder(folder, siblingHint);
  if (!isForbiddenRoot(found, home)) return found;
  throw new SvcError("NO_WORKSPACE", `${tooWide(found)}.`, {
    hint: "Change to a project folder, or name one: `svc search QUERY DIR`, `svc mcp --stdio --root DIR`.",
  });
}

/** A project, and the part of it that someone named. */
export interface NamedPlace {
  /** Real path of the folder of the project. */
  readonly root: string;
  /** Real path of the named file or folder. */
  readonly path: string;
  /** Whether the folder is a repository or indexed; otherwise it is only that of the path. */
  readonly isProject: boolean;
}

export interface NamedPath {
  /** Of a file or folder; the working directory by default. */
  readonly path: string | undefined;
  readonly workingDirectory: string;
  readonly registry: RegistryState | undefined;
  /** Limits the indexed folders that count as projects to those of one namespace. */
  readonly namespace: string | undefined;
}

/**
 * Finds the project of a file or folder: the git top level around it, or the indexed folder around it. Of both, the git
 * top level if it is indexed, else the indexed folder inside it, else the git top level. Without either, the folder
 * itself. Throws PATH_NOT_FOUND.
 */
export function projectAround({
  path = ".",
  workingDirectory,
  registry,
  namespace,
}: NamedPath): NamedPlace {
  const { real, folder } = requireEntry(path, workingDirectory);
  const git = gitTopLevel(folder);
  const indexed = foldersAround(folder, registry, namespace);
  const isInGit = (root: string): boolean => git === undefined || isInside(git, root);
  const known = (indexed.includes(git ?? "") ? git : indexed.find(isInGit)) ?? git;
  return { root: known ?? folder, path: real, isProject: known !== undefined };
}

/** The indexed folders that contain a folder, the nearest first. */
function foldersAround(
  folder: string,
  registry: RegistryState | undefined,
  namespace: string | undefined,
): readonly string[] {
  const names = namespace === undefined ? (registry?.namespaces() ?? []) : [namespace];
  return names
    .flatMap((name) => registry?.sources(name) ?? [])
    .filter((source: Source) => source.url === undefined && isInside(source.root, folder))
    .map(({ root }) => root)
    .toSorted((one, other) => other.length - one.length);
}

/** The real path of an existing file or folder, and the folder that it is or that holds it. */
function requireEntry(
  path: string,
  workingDirectory: string,
): { readonly real: string; readonly folder: string } {
  try {
    const real = realPath(resolve(workingDirectory, path));
    const isFolder = statSync(toFilePath(real)).isDirectory();
    return { real, folder: isFolder ? requireFolder(real) : dirname(real) };
  } catch (cause) {
    throw new SvcError("PATH_NOT_FOUND", `"${path}" does not exist or cannot be read.`, {
      hint: `${siblingHint(path)}Name an existing file or folder that you may read.`,
      cause,
    });
  }
}
