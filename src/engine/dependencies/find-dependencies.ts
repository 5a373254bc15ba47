// Finds where the direct dependencies of a project are installed on this machine: from the packages that its manifests
// name, without the network, and without running anything.

import { dirname, join } from "node:path";

import { readRegularFile } from "../../base/files.ts";
import type { PackageFolders } from "../../config/package-folders.ts";
import type {
  Ecosystem,
  PackageFacts,
  RequiredPackage,
} from "../../graph/packages/package-facts.ts";
import { isInside } from "../../sources/confined-path.ts";
import type { Source } from "../../sources/registry/records.ts";
import { findCargo, findGo, indirectModules } from "./find-in-caches.ts";
import { findNpm } from "./find-npm.ts";
import { findPython } from "./find-python.ts";
import type { FoundPackage, InstalledPackage, LeftOut, LookupPlace } from "./installed-package.ts";

/** They list what others require as well. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock)$/;
const MAX_MANIFEST_BYTES = 1 << 20;
/** Those whose packages are found. */
const SUPPORTED: ReadonlySet<Ecosystem> = new Set(["npm", "pypi", "go", "cargo"]);

/** A package with the folders of the project that use it, as the index names them, and its other names there. */
export interface UsedPackage {
  readonly installed: InstalledPackage;
  readonly uses: readonly Pick<RequiredPackage, "folder" | "alias">[];
}

interface Lookup {
  readonly packages: PackageFacts;
  readonly sources: readonly Source[];
  readonly folders: PackageFolders;
  /** Folders below which the owner lets svc read. */
  readonly allowedRoots: readonly string[];
  /** Names of packages; all by default. */
  readonly only?: readonly string[] | undefined;
}

/** Returns the installed packages, each version once, and what was left out. */
export function findDependencies(lookup: Lookup): {
  readonly found: readonly UsedPackage[];
  readonly leftOut: readonly LeftOut[];
} {
  const found = new Map<string, UsedPackage>();
  const leftOut = new Map<string, LeftOut>();
  const named = new Set<string>();
  for (const required of directlyRequired(lookup)) {
    named.add(required.name).add(required.alias);
    const place = placeOf(lookup, required.folder);
    if (place === undefined) continue;
    const one = findOne(required, place);
    if ("leftOut" in one) leftOut.set(one.leftOut.name, one.leftOut);
    if (!("installed" in one)) continue;
    const { installed } = one;
    const key = `${installed.ecosystem} ${installed.folder} ${installed.name} ${installed.version}`;
    const { folder, alias } = required;
    const uses = [...(found.get(key)?.uses ?? []), { folder, alias }];
    found.set(key, { installed, uses });
  }
  for (const { installed } of found.values()) leftOut.delete(installed.name);
  for (const name of lookup.only ?? []) {
    if (!named.has(name))
      leftOut.set(name, { name, reason: "no manifest of the project names it" });
  }
  return { found: [...found.values()], leftOut: [...leftOut.values()] };
}

/** Manifests name what is required directly, and lock files the rest. A go.mod does both. */
function* directlyRequired(lookup: Lookup): Generator<RequiredPackage> {
  const { packages, only } = lookup;
  const indirect = new Map<string, ReadonlySet<string>>();
  const isIndirect = ({ folder, name }: RequiredPackage): boolean => {
    if (!indirect.has(folder)) indirect.set(folder, indirectIn(lookup, folder));
    return indirect.get(folder)?.has(name) === true;
  };
  const seen = new Set<string>();
  for (const required of packages.allRequired()) {
    const { ecosystem, name, alias, folder, manifest } = required;
    if (!SUPPORTED.has(ecosystem)) continue;
    if (only !== undefined && !only.includes(name) && !only.includes(alias)) continue;
    if (LOCK_FILE.test(manifest) || (ecosystem === "go" && isIndirect(required))) continue;
    const key = [ecosystem, name, alias, folder].join("\t");
    if (seen.has(key)) continue;
    seen.add(key);
    if (ecosystem !== "cargo") yield required;
    // Crates are found by the versions of the lock file.
    else yield* packages.required(ecosystem, name).filter((one) => one.isLocked);
  }
}

function indirectIn(lookup: Lookup, folder: string): ReadonlySet<string> {
  const place = placeOf(lookup, folder);
  const text = place && readRegularFile(join(place.folder, "go.mod"), MAX_MANIFEST_BYTES);
  return indirectModules(text?.toString("utf8") ?? "");
}

function findOne(required: RequiredPackage, place: LookupPlace): FoundPackage {
  const { ecosystem } = required;
  if (ecosystem === "npm") return findNpm(required, place);
  if (ecosystem === "pypi") return findPython(required, place);
  return ecosystem === "go" ? findGo(required, place) : findCargo(required, place);
}

/** The folder on disk of a folder in the index; undefined in a fetched repository, where nothing is installed. */
function placeOf(
  { sources, folders, allowedRoots }: Pick<Lookup, "sources" | "folders" | "allowedRoots">,
  folder: string,
): LookupPlace | undefined {
  const source = sources
    .filter(({ prefix }) => `${folder}/`.startsWith(prefix))
    .toSorted((one, other) => other.prefix.length - one.prefix.length)[0];
  if (source === undefined || source.url !== undefined) return undefined;
  const { root, prefix } = source;
  const path = join(root, `${folder}/`.slice(prefix.length));
  const around: string[] = [];
  for (let at = join(path, "."); isInside(root, at); at = dirname(at)) {
    around.push(at.replace(/(?<=.)[/\\]$/, ""));
    if (dirname(at) === at) break;
  }
  const roots = [root, ...allowedRoots];
  return {
    folder: path,
    around,
    rootOf: (real) => roots.find((one) => isInside(one, real)),
    folders,
  };
}
