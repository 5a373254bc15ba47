// Which files of an installed package its index has, and the hash that identifies them.

import { createHash } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { readFully } from "../../base/files.ts";
import { toFilePath } from "../../base/path-bytes.ts";
import { listFolder } from "../../scan/list-folder.ts";
import { isDependencyFolder, skipReasonOfPath } from "../../scan/name-rules.ts";
import { DEFAULT_MAX_FILE_BYTES } from "../../scan/walk.ts";
import { FolderReader } from "../../sources/folder-reader.ts";
import type { InstalledPackage } from "./installed-package.ts";

/** A larger package is data, or generated. */
const MAX_FILES = 10_000;
const MAX_BYTES = 32 << 20;
const MAX_DEPTH = 32;
const MAX_LISTED = 4 * MAX_FILES;
const TOO_MANY = `more than ${MAX_FILES} files`;

/** Rules for what the author publishes or commits: the published files are those that count. */
const RULE_FILES = new Set([".gitignore", ".npmignore", ".ignore", ".svcignore", ".svc.toml"]);
/** One file with a whole program in it, next to the files that it was made of. */
const BUNDLE =
  /[.-](?:umd|iife|system|global|bundle|bundled|standalone)(?:[.-](?:min|dev|prod|development|production))*\.[cm]?js$/i;

export class PackageTooLarge extends Error {}

/** Returns the paths of the files that count, sorted. Follows no link. Throws PackageTooLarge. */
export function packageFiles({
  folder,
  files,
}: Pick<InstalledPackage, "folder" | "files">): readonly string[] {
  const found = files === undefined ? filesBelow(folder) : files;
  const wanted = found.filter(isWanted);
  if (wanted.length > MAX_FILES) throw new PackageTooLarge(TOO_MANY);
  return wanted.toSorted();
}

function isWanted(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !RULE_FILES.has(name) && !BUNDLE.test(name) && skipReasonOfPath(path) === undefined;
}

function filesBelow(root: string): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string, depth: number): void => {
    if (depth > MAX_DEPTH || found.length > MAX_LISTED) throw new PackageTooLarge(TOO_MANY);
    for (const entry of listFolder(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !isSkippedFolder(entry.name)) visit(path, depth + 1);
    }
  };
  visit("", 0);
  return found;
}

/** Packages inside of a package have indexes of their own, if the project uses them. */
function isSkippedFolder(name: string): boolean {
  return isDependencyFolder(name) || name === ".git";
}

/**
 * Returns the hash of a package's files, and copies them if `target` is given. The files of two projects are the same
 * package if their hash is the same. Throws PackageTooLarge.
 */
export function readPackage(
  { ecosystem, name, version, folder, written, ...rest }: InstalledPackage,
  target?: string,
): { readonly hash: string; readonly files: number; readonly bytes: number } {
  const hash = createHash("sha256").update(`${ecosystem}\n${name}\n${version}\n`);
  let [files, bytes] = [0, 0];
  const add = (path: string, content: Uint8Array): void => {
    files += 1;
    bytes += content.length;
    if (bytes > MAX_BYTES) throw new PackageTooLarge(`more than ${MAX_BYTES >> 20} MB of text`);
    hash.update(`${path}\0${content.length}\0`).update(content);
    if (target === undefined) return;
    const copy = join(target, ...path.split("/"));
    mkdirSync(toFilePath(dirname(copy)), { recursive: true, mode: 0o700 });
    writeFileSync(toFilePath(copy), content, { mode: 0o600, flag: "wx" });
  };
  for (const [path, text] of written ?? []) add(path, Buffer.from(text));
  const reader = new FolderReader({ root: folder, namespace: "" });
  for (const path of packageFiles({ folder, ...rest })) {
    if (written?.has(path) === true) continue;
    const content = contentOf(reader, path);
    if (content !== undefined) add(path, content);
  }
  return { hash: hash.digest("hex").slice(0, 32), files, bytes };
}

/** Undefined for what is not indexed: a link that leads out of the package, no regular file, or a large one. */
function contentOf(reader: FolderReader, path: string): Buffer | undefined {
  let file: number;
  try {
    file = reader.open(path);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > DEFAULT_MAX_FILE_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(stat.size);
    return bytes.subarray(0, readFully(file, bytes));
  } finally {
    closeSync(file);
  }
}
