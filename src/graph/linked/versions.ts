// Whether a project uses a package at the version of the project that defines it.

import type { DefinedPackage, PackageFacts, RequiredPackage } from "../packages/package-facts.ts";

/** The version of a package, and those that another project uses. */
export interface VersionMatch {
  /** True if the other project uses this version and no other one. */
  readonly isSame: boolean;
  /** "" if it is not known. */
  readonly has: string;
  /** The versions that the other project uses or, without a lock file, allows. */
  readonly wanted: readonly string[];
  readonly isLocked: boolean;
}

/** Compares the version of a package with what a file of another project uses. `path`: in that project. */
export function versionMatch(used: DefinedPackage, user: PackageFacts, path: string): VersionMatch {
  const all = user.required(used.ecosystem, used.name);
  const locks = all.filter(({ isLocked }) => isLocked);
  const nearest = innermost(locks, path);
  const chosen = nearest.length > 0 ? nearest : innermost(all, path);
  const wanted = [...new Set(chosen.map(({ version }) => version))].filter((one) => one !== "");
  const isLocked = nearest.length > 0;
  const has = plain(used.version);
  const isSame = isLocked && has !== "" && wanted.length === 1 && plain(wanted[0] ?? "") === has;
  return { isSame, has: used.version, wanted, isLocked };
}

/** Those of the innermost folder around the path. */
function innermost(all: readonly RequiredPackage[], path: string): readonly RequiredPackage[] {
  const around = all.filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`));
  const deepest = Math.max(...around.map(({ folder }) => folder.length));
  const found = around.filter(({ folder }) => folder.length === deepest);
  return found.length > 0 ? found : all;
}

function plain(version: string): string {
  return version.replace(/^v(?=\d)/, "").replace(/\+incompatible$/, "");
}

/** `other version 4.17.1, not 4.18.2`; "" for the same version. */
export function versionNote({ isSame, has, wanted, isLocked }: VersionMatch): string {
  if (isSame) return "";
  const asked = wanted.join(" or ");
  if (wanted.length === 0)
    return has === "" ? "version unknown" : `version ${has}, used one unknown`;
  if (!isLocked) return `version ${has === "" ? "unknown" : has}, not locked (${asked})`;
  if (has === "") return `version unknown, used ${asked}`;
  return `other version ${has}, not ${asked}`;
}
