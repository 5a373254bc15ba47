// Assets and a Node to one executable, for this platform or another.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { NODE_OPTIONS } from "./node-options.mjs";
import { writeManifest } from "./program-assets.mjs";
import {
  checksumOf,
  recordedChecksum,
  withoutCertificate,
  writeChecksum,
} from "./release/formats/pe.ts";
import { signatureProblem, signMachO } from "./release/formats/sign-mach-o.ts";
import { stripMachO } from "./release/formats/strip-mach-o.ts";
import { stripElf } from "./strip-elf.mjs";

const HOST = {
  platform: process.platform,
  arch: process.arch,
  node: process.execPath,
  nodeVersion: process.versions.node,
};

/**
 * By platform: prepares the copy of Node, and completes the executable. The completion step must first reproduce the
 * original output of Node's makers.
 */
const FORMATS = {
  darwin: {
    prepare: (source, copy) => {
      const node = readFileSync(source);
      const problem = signatureProblem(node);
      if (problem !== undefined) throw new Error(`${source}: ${problem}`);
      writeFileSync(copy, stripMachO(node));
    },
    complete: (bytes) => signMachO(bytes, "svc"),
  },
  linux: { prepare: stripElf, complete: (bytes) => bytes },
  win32: {
    prepare: (source, copy) => {
      const node = readFileSync(source);
      if (checksumOf(node) !== recordedChecksum(node))
        throw new Error(`${source}: its checksum is wrong`);
      writeFileSync(copy, withoutCertificate(node));
    },
    complete: (bytes) => {
      writeChecksum(bytes);
      return bytes;
    },
  },
};

const PACKER = fileURLToPath(new URL("run-packer.mjs", import.meta.url));
const PLATFORMS = { darwin: "macos", linux: "linux", win32: "win" };

/**
 * Writes the executable `output` from all files in `assets`. `target` is in Node's terms, with the path of its Node and
 * its version. `generator` is a Node of the same version that runs here.
 */
export function pack({
  work,
  assets,
  boot,
  version,
  output,
  target = HOST,
  generator = process.execPath,
}) {
  const manifest = path.join(work, "manifest.json");
  const files = writeManifest(manifest, { folder: assets, version, node: target.nodeVersion });
  const { prepare, complete } = FORMATS[target.platform];
  const runtime = path.join(work, "runtime");
  prepare(target.node, runtime);
  plantDownload(work, target, runtime);
  const isHost = target.platform === process.platform && target.arch === process.arch;
  const { nodeVersion, arch } = target;
  const options = {
    signature: false,
    targets: [
      { nodeRange: `node${nodeVersion}`, platform: PLATFORMS[target.platform], arch, output },
    ],
    seaConfig: {
      // The name is in the executable, so it must not say where this folder is. The packer runs Node in a
      // folder that it makes below TMPDIR.
      main: path.relative(path.join(work, "packer"), boot),
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // Only for boot.ts and for this exact processor; the chunks have better ones.
      useCodeCache: isHost,
      execArgv: NODE_OPTIONS,
      // NODE_OPTIONS of the environment would let any program around an editor inject code.
      execArgvExtension: "none",
      assets: { ...files, "manifest.json": manifest },
    },
  };
  const env = { ...process.env, TMPDIR: work, HOME: work };
  // In a file, because with long paths it is too long for an argument.
  const asked = path.join(work, "packing.json");
  writeFileSync(asked, JSON.stringify({ boot, options }));
  execFileSync(generator, [PACKER, asked], { cwd: work, env, stdio: ["ignore", "ignore", "pipe"] });
  writeFileSync(output, complete(readFileSync(output)));
}

/**
 * Puts `runtime` where the packer keeps verified downloads, so that it neither downloads nor starts one. npm's
 * checksums have verified ours.
 */
function plantDownload(home, { platform, arch, nodeVersion }, runtime) {
  const folder = path.join(home, ".pkg-cache/sea");
  const isWindows = platform === "win32";
  const name = `node-v${nodeVersion}-${isWindows ? "win" : platform}-${arch}`;
  const binary = path.join(folder, isWindows ? `${name}.exe` : `${name}/bin/node`);
  mkdirSync(path.dirname(binary), { recursive: true });
  copyFileSync(runtime, binary);
  // The packer runs it if it is one for this machine.
  chmodSync(binary, 0o755);
  const archive = path.join(folder, `${name}${isWindows ? ".zip" : ".tar.gz"}`);
  for (const file of [archive, `${archive}.ok`, `${binary}.ok`]) writeFileSync(file, "");
}
