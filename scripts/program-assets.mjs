// The assets of the program: compressed grammars, and the notices of its platform.

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { constants, gzipSync, zstdCompress } from "node:zlib";

import { assetBytes, assetFiles, isCompressed, isGzipped, NOTICES } from "../src/base/assets.ts";
import { root } from "./setup.mjs";
import { components } from "./supply-chain/components.ts";
import { noticesText } from "./supply-chain/notices.ts";

const cacheFolder = path.join(root, "node_modules/.cache/svc");
const compress = promisify(zstdCompress);

/**
 * Writes all of them below `folder`. `parts` are those of a platform other than this one: the path of its keychain
 * addon, and of its Node with the version. `keyring` null leaves the addon out, and Node out of the notices: the npm
 * package brings neither.
 */
export async function writeAssets(folder, parts = {}) {
  // The file in the repository is for one platform; each platform has its own addon.
  const all = await components(parts);
  const { keyring } = parts;
  const held = all.filter(({ kind }) => keyring !== null || kind !== "runtime");
  const notices = Buffer.from(noticesText(held));
  const files = assetFiles();
  if (keyring === null) delete files["keyring.node"];
  else if (keyring !== undefined) files["keyring.node"] = keyring;
  await Promise.all(
    Object.entries(files).map(async ([name, source]) => {
      const target = path.join(folder, name);
      mkdirSync(path.dirname(target), { recursive: true });
      const bytes = () => (name === NOTICES ? notices : assetBytes(source));
      if (isCompressed(name)) writeFileSync(target, await compressed(bytes()));
      else if (isGzipped(name)) writeFileSync(target, gzipped(bytes()));
      else copyFileSync(source, target);
    }),
  );
}

/** Writes to `file` the versions and the SHA-256 of each asset of `folder`; returns name to path of the assets. */
export function writeManifest(file, { folder, version, node = process.versions.node }) {
  const files = Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((asset) => [path.relative(folder, asset).split(path.sep).join("/"), asset])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const sums = Object.entries(files).map(([name, asset]) => [name, sha256(readFileSync(asset))]);
  const manifest = { version, node, assets: Object.fromEntries(sums) };
  writeFileSync(file, JSON.stringify(manifest));
  return files;
}

/** In the form that browsers accept. It does not record the build system, so two builds of one source are the same. */
export function gzipped(bytes) {
  const made = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
  const SYSTEM = 9;
  made[SYSTEM] = 255;
  return made;
}

/** Level 19 would take twice the time for 0.03 % of the executable. */
const ZSTD_LEVEL = 18;

/**
 * Takes seconds for all grammars, so threads of Node do it, and the results are kept between builds; each zstd makes its
 * own.
 */
async function compressed(bytes) {
  const settings = `zstd-${process.versions.zstd}-${ZSTD_LEVEL}`;
  const kept = path.join(cacheFolder, `${sha256(bytes)}.${settings}`);
  if (!existsSync(kept)) {
    mkdirSync(cacheFolder, { recursive: true });
    // With the size, zstd chooses its tables by it.
    const options = {
      params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
      pledgedSrcSize: bytes.length,
    };
    const temporary = `${kept}.${process.pid}`;
    writeFileSync(temporary, await compress(bytes, options));
    renameSync(temporary, kept);
  }
  return readFileSync(kept);
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
