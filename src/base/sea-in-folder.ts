// Replaces `node:sea` in the npm package (scripts/bundle.mjs): the executable's assets are files in the folder
// `assets` next to the script, and the keychain addon is a separate package.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { keyringFile } from "./keyring-file.ts";

const FOLDER = path.join(path.dirname(import.meta.filename), "assets");

export function isSea(): boolean {
  return true;
}

export function getRawAsset(name: string): ArrayBuffer {
  // A code cache fits only one version of Node. V8 rejects an empty one and compiles the source.
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

/**
 * Resolves the addon from the package that depends on it, because a package manager may not install the two
 * side by side.
 */
function installedAddon(): string {
  const file = keyringFile();
  if (file === undefined) throw new Error("there is no keychain addon for this platform");
  const own = createRequire(import.meta.filename);
  return createRequire(own.resolve("@napi-rs/keyring")).resolve(file);
}
