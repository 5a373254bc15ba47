// Assets and a Node to one executable, for this platform or another.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

import { NODE_OPTIONS, REPRODUCIBLE } from "./node-options.mjs";
import { writeManifest } from "./program-assets.mjs";
import { stripElf } from "./strip-elf.mjs";

const HOST = { platform: process.platform, arch: process.arch, node: process.execPath };
const PLATFORMS = { darwin: "macos", linux: "linux", win32: "win" };

const require = createRequire(import.meta.url);

/**
 * Writes the executable `output` from all files in `assets`. `target` is `{ platform, arch, node }` in Node's
 * words, with the path of a Node of the same version as the running one.
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
      // The name is in the executable, so it must not say where this folder is. The packer runs Node in a
      // folder that it makes below TMPDIR.
      main: path.relative(path.join(work, "packer"), boot),
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
  // The command line of the packer accepts neither assets nor another runtime, so its function is
  // called; the version of the package is pinned because this is not its public interface.
  // It changes the working directory: all paths except `main` must be absolute.
  const { default: packExecutable } = loadPacker();
  const restore = setEnvironment({ TMPDIR: work, HOME: work });
  try {
    if (isHost) return await packExecutable(boot, { ...options, nodePath: runtime });
    // It would start a given Node to find its version. A Node that it believes to have downloaded is used
    // without that.
    plantDownload(work, target, runtime);
    return await packExecutable(boot, options);
  } finally {
    restore();
  }
}

/**
 * The packer, which starts Node without options. A given function adds those that make a code cache
 * the same in each build.
 */
function loadPacker() {
  const childProcess = require("node:child_process");
  const { execFile } = childProcess;
  childProcess.execFile = Object.assign(() => {}, {
    [promisify.custom]: (file, args, options) =>
      promisify(execFile)(file, [...REPRODUCIBLE, ...args], options),
  });
  try {
    // The build names its own steps.
    require("@yao-pkg/pkg/lib-es5/log.js").log.info = () => {};
    return require("@yao-pkg/pkg/lib-es5/sea.js");
  } finally {
    childProcess.execFile = execFile;
  }
}

/** Returns a function that sets the variables back. */
function setEnvironment(variables) {
  const before = Object.keys(variables).map((name) => [name, process.env[name]]);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Puts `runtime` where the packer keeps verified downloads; npm's checksums have verified ours. */
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
