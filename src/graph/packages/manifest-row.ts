// Makes the facts of manifests.

import type { DefinedPackage, Ecosystem, ManifestFacts, RequiredPackage } from "./package-facts.ts";

export const NO_FACTS: ManifestFacts = { defines: [], requires: [] };

/** Returns a package of the project, in the folder of its manifest by default. */
export function defined(
  ecosystem: Ecosystem,
  name: string | undefined,
  more: Partial<DefinedPackage> = {},
): readonly DefinedPackage[] {
  if (name === undefined || name === "") return [];
  return [{ ecosystem, name, version: "", folder: "", importName: "", ...more }];
}

/** Returns a package with the one version that is used. */
export function locked(
  ecosystem: Ecosystem,
  name: string | undefined,
  version: string | undefined,
  more: Partial<RequiredPackage> = {},
): readonly RequiredPackage[] {
  if (name === undefined || name === "") return [];
  const isLocked = version !== undefined && version !== "";
  return [{ ecosystem, name, version: version ?? "", isLocked, folder: "", alias: "", ...more }];
}

/** Returns a package with the versions that are allowed: one that names a single version has no other. */
export function allowed(
  ecosystem: Ecosystem,
  name: string | undefined,
  versions: string,
  more: Partial<RequiredPackage> = {},
): readonly RequiredPackage[] {
  const text = versions.trim();
  const exact = /^(?:={1,3}\s*)?v?(?<version>\d+(?:\.\w+)+(?:[-+.]\w+)*)$/.exec(text)?.groups;
  // In Cargo and Composer a bare version means all that are compatible.
  const isExact = exact !== undefined && (text.startsWith("=") || ecosystem !== "cargo");
  return locked(ecosystem, name, isExact ? exact["version"] : undefined, {
    version: isExact ? (exact["version"] ?? "") : text,
    ...more,
  });
}
