// MCP bundles (.mcpb) for Claude Desktop and other hosts: a zip with a manifest and the program. A command in the manifest
// can differ by system but not by processor, so each platform has a bundle of its own; the one for Node fits all.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { unzipSync, zipSync, type ZipAttributes, type Zippable } from "fflate";

import { TOOL_LISTINGS } from "../../../src/tools/tool-listings.ts";
import type { ReleaseTarget } from "../targets.ts";
import { noticesOf, released, type Channel } from "./channel.ts";
import { programName } from "./npm-platform.ts";
import { ROOT, type Product } from "./product.ts";

interface BundledFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

type BundledFiles = ReadonlyMap<string, BundledFile>;

/** What the bundle runs: the executable of a target, or the folder of the npm package on the host's Node. */
type BundledProgram =
  | { readonly target: ReleaseTarget; readonly executable: string; readonly notices: string }
  | { readonly npmPackage: string };

const UNIX = 3;
const TOKEN = "${user_config.token}";
const FOLDER = "${user_config.folder}";

/** The bytes of the bundle. */
export function bundleArchive(
  program: BundledProgram,
  product: Product,
  level: 0 | 6 = 6,
): Uint8Array {
  const manifest = JSON.stringify(bundleManifest(program, product), null, 2);
  const files = new Map<string, BundledFile>([
    ["manifest.json", { bytes: Buffer.from(`${manifest}\n`), mode: 0o644 }],
    ["LICENSE", { bytes: readFileSync(path.join(ROOT, "LICENSE")), mode: 0o644 }],
    ...filesOf(program),
  ]);
  return zipOf(files, product.sourceTime, level);
}

export function bundleFile(program: BundledProgram, { version }: Product): string {
  return `svc-${version}-${"target" in program ? program.target.id : "node"}.mcpb`;
}

function bundleManifest(program: BundledProgram, product: Product): object {
  const { name, version, description, license, homepage, maintainer } = product;
  return {
    manifest_version: "0.4",
    name,
    display_name: name,
    version,
    description,
    author: maintainer,
    homepage,
    license,
    server: serverOf(program),
    tools: TOOL_LISTINGS.map(({ name: tool, descriptor }) => ({
      name: tool,
      description: descriptor.description,
    })),
    compatibility:
      "target" in program
        ? { platforms: [program.target.platform] }
        : { runtimes: { node: ">=24.0.0" } },
    user_config: {
      folder: {
        type: "directory",
        title: "Folder to search",
        description: "The project that svc indexes and answers about.",
        required: true,
      },
      token: {
        type: "string",
        title: "Access token",
        description:
          "Printed by `svc auth token create`. Leave it empty if svc is installed on this machine and has a saved token.",
        sensitive: true,
        required: false,
      },
    },
  };
}

function serverOf(program: BundledProgram): object {
  const words = ["mcp", "--stdio", "--root", FOLDER];
  const env = { SERVICE_TOKEN: TOKEN };
  if ("target" in program) {
    const file = `server/${programName(program.target)}`;
    const config = { command: `\${__dirname}/${file}`, args: words, env };
    return { type: "binary", entry_point: file, mcp_config: config };
  }
  const script = "server/bin/svc.js";
  const config = { command: "node", args: [`\${__dirname}/${script}`, ...words], env };
  return { type: "node", entry_point: script, mcp_config: config };
}

function filesOf(program: BundledProgram): readonly (readonly [string, BundledFile])[] {
  if ("target" in program) {
    const bytes = readFileSync(program.executable);
    return [
      [`server/${programName(program.target)}`, { bytes, mode: 0o755 }],
      ["THIRD_PARTY_NOTICES", { bytes: Buffer.from(program.notices), mode: 0o644 }],
    ];
  }
  const { npmPackage } = program;
  return readdirSync(npmPackage, { recursive: true, encoding: "utf8" })
    .toSorted()
    .filter((name) => !/^man\b/.test(name) && statSync(path.join(npmPackage, name)).isFile())
    .map((name) => {
      const bytes = readFileSync(path.join(npmPackage, name));
      return [`server/${name.split(path.sep).join("/")}`, { bytes, mode: 0o644 }];
    });
}

function zipOf(files: BundledFiles, time: number, level: 0 | 6): Uint8Array {
  const entries: Zippable = {};
  for (const [name, { bytes, mode }] of files) {
    const attributes: ZipAttributes = {
      os: UNIX,
      attrs: (mode | 0o100_000) * 0x10000,
      mtime: localTime(time),
    };
    entries[name] = [bytes, { ...attributes, level }];
  }
  return zipSync(entries);
}

/** A zip has times without a zone: these show UTC everywhere. */
function localTime(time: number): Date {
  const utc = new Date(time * 1000);
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  );
}

/** Unpacks the bundle: a zip that cannot be read, or lacks the program, must not be released. */
function requireProgram(archive: Uint8Array, program: BundledProgram): void {
  const [name, file] =
    "target" in program
      ? [`server/${programName(program.target)}`, program.executable]
      : ["server/lib/boot.cjs", path.join(program.npmPackage, "lib/boot.cjs")];
  const unpacked = unzipSync(archive, { filter: (entry) => entry.name === name })[name];
  if (unpacked === undefined || !readFileSync(file).equals(unpacked))
    throw new Error(`the bundle does not have ${file}`);
}

export const bundleChannel: Channel = {
  name: "mcpb",
  make({ product, folder, made, npmPackage }) {
    const programs: readonly BundledProgram[] = [
      ...made.map((one) => ({ ...one, notices: noticesOf(one) })),
      { npmPackage },
    ];
    const files = programs.map((program) => {
      const archive = bundleArchive(program, product);
      requireProgram(archive, program);
      const tried = "not opened in a host; unpacked, it has the program above";
      return released(folder, bundleFile(program, product), archive, { ran: false, tried });
    });
    return { files };
  },
};
