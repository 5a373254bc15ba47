// Installs the tools into a separate folder, never into the project, and reports why one is left out.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";

import { SVC } from "../../workspace.ts";
import type { Contender } from "./contender.ts";
import { codegraph, codesearch, ctags, probe, ripgrep, svc } from "./contenders.ts";

export interface Installed {
  readonly contenders: readonly Contender[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

const CODEGRAPH = "1.6.1";
const PROBE = "0.6.0-rc325";
const TIMEOUT_MS = 180_000;

/** By name: installs the tool into `folder` if it is missing; throws with the reason if it cannot. */
const INSTALLERS: Readonly<Record<string, (folder: string) => Contender>> = {
  svc: () => svc({ path: SVC, version: firstLine([SVC, "--version"]).replace(/^svc /, "") }),
  ripgrep: () => {
    const version = firstLine([rgPath, "--version"]).split(" ")[1] ?? "";
    return ripgrep({ path: rgPath, version });
  },
  "universal-ctags": (folder) => {
    const bin = debianPackage("universal-ctags", folder);
    const path = join(bin, "ctags-universal");
    const version = /[\d.]+\d/.exec(firstLine([path, "--version"]))?.[0] ?? "";
    return ctags({ path, version }, join(bin, "readtags"));
  },
  codesearch: (folder) => {
    const bin = debianPackage("codesearch", folder);
    // The program reports no version.
    const version = "Debian, 2012";
    return codesearch({ path: join(bin, "cindex"), version }, join(bin, "csearch"));
  },
  probe: (folder) => probe({ path: probeProgram(folder), version: PROBE }),
  codegraph: (folder) => {
    const place = join(folder, "codegraph");
    const path = join(place, "node_modules/.bin/codegraph");
    if (!existsSync(path)) {
      const spec = `@colbymchenry/codegraph@${CODEGRAPH}`;
      run(["npm", "install", "--silent", "--ignore-scripts", "--prefix", place, spec], folder);
    }
    return codegraph({ path, version: firstLine([path, "--version"]) });
  },
  zoekt: () => {
    throw new Error("neither Debian 12 nor npm has it");
  },
};

export function install(folder: string): Installed {
  mkdirSync(folder, { recursive: true });
  const contenders: Contender[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const [name, installer] of Object.entries(INSTALLERS)) {
    try {
      contenders.push(installer(folder));
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      skipped.push({ name, reason });
    }
  }
  return { contenders, skipped };
}

/** Unpacks a Debian package without installing it. Returns the folder of its programs. */
function debianPackage(name: string, folder: string): string {
  const place = join(folder, name);
  const bin = join(place, "usr/bin");
  if (existsSync(bin)) return bin;
  mkdirSync(place, { recursive: true });
  run(["apt-get", "download", name], place);
  const archive = readdirSync(place).find((file) => file.endsWith(".deb")) ?? "";
  run(["dpkg-deb", "-x", archive, "."], place);
  return bin;
}

/** The package contains the programs for all systems. Its dependencies serve its chat, and some are not on npm. */
function probeProgram(folder: string): string {
  const build = `probe-v${PROBE}-${process.arch === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;
  const place = join(folder, "probe");
  const program = join(place, build, "probe");
  if (existsSync(program)) return program;
  mkdirSync(place, { recursive: true });
  run(["npm", "pack", "--silent", "--ignore-scripts", `@probelabs/probe@${PROBE}`], place);
  const archive = `package/bin/binaries/${build}.tar.gz`;
  run(["tar", "-xzf", `probelabs-probe-${PROBE}.tgz`, archive], place);
  run(["tar", "-xzf", archive], place);
  return program;
}

function firstLine(command: readonly string[]): string {
  return run(command).split("\n")[0]?.trim() ?? "";
}

function run([program = "", ...args]: readonly string[], cwd = "."): string {
  const child = spawnSync(program, args, { cwd, encoding: "utf8", timeout: TIMEOUT_MS });
  if (child.error) throw child.error;
  if (child.status === 0) return child.stdout;
  const why = child.stderr.trim().split("\n").at(-1) ?? "";
  throw new Error(`${program} ${args[0] ?? ""} ended with ${child.status}: ${why}`);
}
