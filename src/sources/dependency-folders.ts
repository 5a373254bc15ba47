// Copies of the packages that projects depend on are in the data directory (docs/decisions/0102-dependencies.md):
//
//   dependencies/packages/<namespace>/<name>@<version>   the copy: the root of the namespace's only source
//   dependencies/packages/<namespace>/about.json         which package it is, and the hash of its files
//   dependencies/projects/<namespace>.json               what a project wants, and which packages it uses
//   dependencies/lock                                    locked while any of this changes

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { isInside, realPath } from "./confined-path.ts";
import type { Source } from "./registry/records.ts";
import type { RegistryState } from "./registry/registry-state.ts";

/** Returns the folder of all copies and records. */
export function dependenciesDirectory(dataDirectory: string): string {
  // Roots of sources are real paths.
  const real = existsSync(dataDirectory) ? realPath(dataDirectory) : dataDirectory;
  return join(real, "dependencies");
}

/** Returns the folder of a namespace's copy, or of all copies. */
export function packagesDirectory(dataDirectory: string, namespace = ""): string {
  return join(dependenciesDirectory(dataDirectory), "packages", namespace);
}

/** Whether a root is the copy of a package. */
export function isDependencyRoot(dataDirectory: string, root: string): boolean {
  return isInside(dependenciesDirectory(dataDirectory), root);
}

/** The names of the namespaces that are copies of packages, and nothing else. */
export function dependencyNamespaces(
  state: RegistryState,
  dataDirectory: string,
): ReadonlySet<string> {
  const packages = packagesDirectory(dataDirectory);
  const isCopy = ({ root, namespace }: Source): boolean =>
    dirname(root) === join(packages, namespace);
  const { sources } = state.records;
  const found = new Set(sources.filter(isCopy).map(({ namespace }) => namespace));
  // A user may have added another folder.
  for (const source of sources) if (!isCopy(source)) found.delete(source.namespace);
  return found;
}
