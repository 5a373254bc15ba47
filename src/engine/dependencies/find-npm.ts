// Packages in node_modules, as npm, Yarn and pnpm write it. Nothing is run, and no file outside of it is read.

import { join, sep } from "node:path";

import { readRegularFile } from "../../base/files.ts";
import type { RequiredPackage } from "../../graph/packages/package-facts.ts";
import { realPath } from "../../sources/confined-path.ts";
import { installStamp } from "./file-stamp.ts";
import {
  NOT_INSTALLED,
  LINKED_OUTSIDE,
  type FoundPackage,
  type LookupPlace,
} from "./installed-package.ts";

const MAX_MANIFEST_BYTES = 1 << 20;
/** A name that the registry of npm allows: never a path. */
const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/;

/** Looks in the node_modules of the manifest's folder and of those around it, as Node does. */
export function findNpm(
  { name, alias }: Pick<RequiredPackage, "name" | "alias">,
  { around, rootOf }: Pick<LookupPlace, "around" | "rootOf">,
): FoundPackage {
  const known = alias === "" ? name : alias;
  const left = (reason: string): FoundPackage => ({ leftOut: { name: known, reason } });
  if (!NAME.test(known) || /(?:^|\/)\.\.?(?:$|\/)/.test(known)) return left(NOT_INSTALLED);
  for (const folder of around) {
    let real: string;
    try {
      real = realPath(join(folder, "node_modules", ...known.split("/")));
    } catch {
      continue;
    }
    const root = rootOf(real);
    if (root === undefined) return left(LINKED_OUTSIDE);
    // A link to a workspace of the same project, or to another indexed one.
    if (!real.slice(root.length).split(sep).includes("node_modules")) return { isOwn: true };
    const path = join(real, "package.json");
    const manifest = manifestIn(readRegularFile(path, MAX_MANIFEST_BYTES));
    const stamp = installStamp(path);
    if (manifest === undefined || stamp === undefined) return left("without a usable package.json");
    return {
      installed: { ecosystem: "npm", ...manifest, folder: real, stamp: `${real} ${stamp}` },
    };
  }
  return left(NOT_INSTALLED);
}

function manifestIn(
  bytes: Buffer | undefined,
): { readonly name: string; readonly version: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes?.toString("utf8") ?? "");
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const name = "name" in value ? value.name : undefined;
  const version = "version" in value ? value.version : undefined;
  return typeof name === "string" && typeof version === "string" ? { name, version } : undefined;
}
