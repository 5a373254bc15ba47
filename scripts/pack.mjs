// Assets and a Node to one executable, for this platform or another.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { writeManifest } from "./program-assets.mjs";
import { stripElf } from "./strip-elf.mjs";

/**
 * Options of Node that the executable starts with; it takes none from outside. No option of V8 may
 * stand here: V8 would refuse the code cache that Node carries for its own modules, which was
 * measured to cost 12 ms per start.
 */
export const NODE_OPTIONS = ["--disable-sigusr1", "--disable-warning=ExperimentalWarning"];

const HOST = { platform: process.platform, arch: process.arch, node: process.execPath };
const PLATFORMS = { darwin: "macos", linux: "linux", win32: "win" };

const require = createRequire(import.meta.url);

/**
 * Writes the executable `output` of all that lies in `assets`. `target` is `{ platform, arch, node }` in Node's
 * words, with the path of a Node of the very version that runs this.
 */
export async function pack({ work, assets, boot, version, output, target = HOST }) {
  const manifest = path.join(work, "manifest.json");
  const files = writeManifest(manifest, { folder: assets, version });
  const runtime = path.join(work, target.platform === "win32" ? "node.exe" : "node");
  if (target.platform === "linux") stripElf(target.node, runtime);
  else copyFileSync(target.node, runtime);

  const isHost = target.platform === process.platform && target.arch === process.arch;
  const platform = PLATFORMS[target.platform];
  const options = {
    signature: isHost,
    targets: [{ nodeRange: `node${process.versions.node}`, platform, arch: target.arch, output }],
    seaConfig: {
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // For boot.ts only, and for this very processor; the chunks bring better ones.
      useCodeCache: isHost,
      execArgv: NODE_OPTIONS,
      // NODE_OPTIONS of the environment would let anything around an editor inject code.
      execArgvExtension: "none",
      assets: { ...files, "manifest.json": manifest },
    },
  };
  // The packer's command line offers neither assets nor a runtime of ours, so its function is
  // called; the version of the package is pinned because this is not its public interface.
  // It changes the working directory: all paths must be absolute.
  const { default: packExecutable } = require("@yao-pkg/pkg/lib-es5/sea.js");
  if (isHost) return packExecutable(boot, { ...options, nodePath: runtime });
  // It would start a Node that it is given, to ask for its version. One that it believes to have
  // downloaded it takes as it is.
  const home = process.env.HOME;
  process.env.HOME = work;
  try {
    plantDownload(work, target, runtime);
    return await packExecutable(boot, options);
  } finally {
    if (home === undefined) delete process.env.HOME;
    else process.env.HOME = home;
  }
}

/** Lays `runtime` where the packer keeps what it has downloaded and verified; ours was verified by npm's sums. */
function plantDownload(home, { platform, arch }, runtime) {
  const folder = path.join(home, ".pkg-cache/sea");
  const isWindows = platform === "win32";
  const name = `node-v${process.versions.node}-${isWindows ? "win" : platform}-${arch}`;
  const binary = path.join(folder, isWindows ? `${name}.exe` : `${name}/bin/node`);
  mkdirSync(path.dirname(binary), { recursive: true });
  copyFileSync(runtime, binary);
  const archive = path.join(folder, `${name}${isWindows ? ".zip" : ".tar.gz"}`);
  for (const file of [archive, `${archive}.ok`, `${binary}.ok`]) writeFileSync(file, "");
}
