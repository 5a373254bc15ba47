import type { PackageFolders } from "../../config/package-folders.ts";
import type { Ecosystem } from "../../graph/packages/package-facts.ts";

/** A package that a project depends on, as it is installed on this machine. */
export interface InstalledPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  /** Real path of the folder with its files. */
  readonly folder: string;
  /** Its files relative to `folder`; undefined for all of them. */
  readonly files?: readonly string[];
  /** Files that its index also has: what the installer keeps elsewhere, by path. */
  readonly written?: ReadonlyMap<string, string>;
  /** Changes when the package is installed again. */
  readonly stamp: string;
}

/** A package that the project names and that gets no index. */
export interface LeftOut {
  readonly name: string;
  /** Completes "left out: " in a message. */
  readonly reason: string;
}

export type FoundPackage =
  | { readonly installed: InstalledPackage }
  | { readonly leftOut: LeftOut }
  /** It is part of the project, whose index has it. */
  | { readonly isOwn: true };

export const NOT_INSTALLED = "not installed";
export const LINKED_OUTSIDE = "its link leads out of the project";

/** A folder whose packages are looked for. */
export interface LookupPlace {
  /** The folder of the manifest. */
  readonly folder: string;
  /** The folders from it up to the root of the source, the nearest first. */
  readonly around: readonly string[];
  /** The folder around a real path that the owner has indexed; svc reads nothing elsewhere. */
  readonly rootOf: (path: string) => string | undefined;
  readonly folders: PackageFolders;
}
