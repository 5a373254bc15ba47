// Stands in for `node:sea` in the npm package (scripts/bundle.mjs): the assets of the executable lie as files
// in the folder `assets` beside the script, and the keychain addon is a package of its own.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { keyringFile } from "./keyring-file.ts";

const FOLDER = path.join(path.dirname(import.meta.filename), "assets");

export function isSea(): boolean {
  return true;
}

export function getRawAsset(name: string): ArrayBuffer {
  // Code caches fit one version of Node alone; V8 refuses an empty one and compiles.
  if (name.endsWith(".cache")) return new ArrayBuffer(0);
  const file = name === "keyring.node" ? installedAddon() : path.join(FOLDER, name);
  return new Uint8Array(readFileSync(file)).buffer;
}

export function getAssetKeys(): string[] {
  const entries = readdirSync(FOLDER, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(FOLDER, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join("/"));
}

/** Found from the package that depends on it, since a package manager need not put both side by side. */
function installedAddon(): string {
  const file = keyringFile();
  if (file === undefined) throw new Error("there is no keychain addon for this platform");
  const own = createRequire(import.meta.filename);
  return createRequire(own.resolve("@napi-rs/keyring")).resolve(file);
}
