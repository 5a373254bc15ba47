// Packages of Go and Cargo, whose tools keep the sources of all projects in one place.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { readRegularFile } from "../../base/files.ts";
import { toFilePath } from "../../base/path-bytes.ts";
import type { RequiredPackage } from "../../graph/packages/package-facts.ts";
import { realPath } from "../../sources/confined-path.ts";
import { installStamp } from "./file-stamp.ts";
import {
  NOT_INSTALLED,
  type FoundPackage,
  type InstalledPackage,
  type LookupPlace,
} from "./installed-package.ts";

const MAX_MANIFEST_BYTES = 1 << 20;
/** Part of a path in a cache: never `..`. */
const SAFE_PART = /^(?!\.\.?$)[\w.!~@+-]+$/;

/** A module in `vendor`, or in the module cache. */
export function findGo(
  { name, version }: Pick<RequiredPackage, "name" | "version">,
  { folder, folders, rootOf }: Pick<LookupPlace, "folder" | "folders" | "rootOf">,
): FoundPackage {
  const parts = name.split("/");
  if (!parts.every((part) => SAFE_PART.test(part)) || !SAFE_PART.test(version))
    return { leftOut: { name, reason: NOT_INSTALLED } };
  // https://go.dev/ref/mod#module-cache
  const escaped = parts.map((part) =>
    part.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`),
  );
  const cached = escaped.join("/");
  const inCache = [`${cached}@v${version}`, `${cached}@v${version}+incompatible`];
  const vendored = join(folder, "vendor", ...parts);
  const found =
    realFolder(vendored, (real) => rootOf(real) !== undefined) ??
    inCache
      .map((one) => realFolder(join(folders.goModules, ...one.split("/")), () => true))
      .find((one) => one !== undefined);
  if (found === undefined) return { leftOut: { name, reason: NOT_INSTALLED } };
  const { path, stamp } = found;
  const hasManifest = readRegularFile(join(path, "go.mod"), MAX_MANIFEST_BYTES) !== undefined;
  // Go itself makes this file for a module without one.
  const written = hasManifest ? undefined : new Map([["go.mod", `module ${name}\n`]]);
  return installed({ ecosystem: "go", name, version, folder: path, stamp, written });
}

/** Returns the modules that a go.mod lists because others need them. */
export function indirectModules(goMod: string): ReadonlySet<string> {
  const rows = goMod.matchAll(/^\s*(?:require\s+)?(?<path>\S+)\s+v\S+\s*\/\/\s*indirect\b/gm);
  return new Set([...rows].map(({ groups }) => groups?.["path"] ?? ""));
}

/** A crate of any registry. */
export function findCargo(
  { name, version }: Pick<RequiredPackage, "name" | "version">,
  { folders }: Pick<LookupPlace, "folders">,
): FoundPackage {
  const leftOut = { name, reason: NOT_INSTALLED };
  const crate = `${name}-${version}`;
  if (!SAFE_PART.test(crate)) return { leftOut };
  for (const registry of namesIn(folders.cargoSources)) {
    const found = realFolder(join(folders.cargoSources, registry, crate), () => true);
    if (found === undefined) continue;
    const { path, stamp } = found;
    return installed({ ecosystem: "cargo", name, version, folder: path, stamp });
  }
  return { leftOut };
}

function installed({
  written,
  ...found
}: Omit<InstalledPackage, "written"> & {
  readonly written?: InstalledPackage["written"] | undefined;
}): FoundPackage {
  return { installed: written === undefined ? found : { ...found, written } };
}

function realFolder(
  path: string,
  isAllowed: (real: string) => boolean,
): { readonly path: string; readonly stamp: string } | undefined {
  try {
    const real = realPath(path);
    if (!isAllowed(real) || !statSync(toFilePath(real)).isDirectory()) return undefined;
    return { path: real, stamp: `${real} ${installStamp(real)}` };
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(toFilePath(folder)).toSorted();
  } catch {
    return [];
  }
}
