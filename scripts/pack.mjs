// Assets and a Node to one executable, for this platform or another.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { NODE_OPTIONS, REPRODUCIBLE } from "./node-options.mjs";
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
 * By platform: prepares the copy of Node, and completes the executable. What completes an executable must first
 * reproduce what Node's makers wrote.
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

const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const INJECTOR = fileURLToPath(import.meta.resolve("postject/dist/cli.js"));

/**
 * Writes the executable `output` from all files in `assets`. `target` is in Node's words, with the path of its Node and
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
  const isHost = target.platform === process.platform && target.arch === process.arch;
  const program = path.join(work, "program.blob");
  const config = path.join(work, "sea-config.json");
  const settings = {
    // The name is in the executable, so it must not say where this folder is.
    main: path.relative(work, boot),
    output: program,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // For boot.ts only, and for this very processor; the chunks bring better ones.
    useCodeCache: isHost,
    execArgv: NODE_OPTIONS,
    // NODE_OPTIONS of the environment would let anything around an editor inject code.
    execArgvExtension: "none",
    assets: { ...files, "manifest.json": manifest },
  };
  writeFileSync(config, JSON.stringify(settings));
  run([generator, ...REPRODUCIBLE, "--experimental-sea-config", config], { cwd: work });

  const { prepare, complete } = FORMATS[target.platform];
  const runtime = path.join(work, "runtime");
  prepare(target.node, runtime);
  const options = ["--sentinel-fuse", FUSE, "--macho-segment-name", "NODE_SEA"];
  // In a process of its own: it prints warnings about files that it reads correctly.
  run([process.execPath, INJECTOR, runtime, "NODE_SEA_BLOB", program, ...options], { cwd: work });
  writeFileSync(runtime, complete(readFileSync(runtime)));
  copyFileSync(runtime, output);
  chmodSync(output, 0o755);
}

/** Throws with what the program printed if it fails. */
function run([file, ...args], { cwd }) {
  execFileSync(file, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
}
