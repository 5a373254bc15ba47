// svc for npm: the chunks and assets of the executable, as files for the user's Node 24, and a command that runs the
// platform's executable if npm has installed one (channels/npm-platform.ts), otherwise these files.
// docs/decisions/0038-release.md has the reasons for this form.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { bundle, bundlePackageBoot } from "../bundle.mjs";
import { writeAssets, writeManifest } from "../program-assets.mjs";
import { components } from "../supply-chain/components.ts";
import { noticesText } from "../supply-chain/notices.ts";
import { readProduct } from "./channels/product.ts";
import { packageName } from "./channels/npm-platform.ts";
import type { ReleaseTarget } from "./targets.ts";

const ROOT = path.join(import.meta.dirname, "../..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Creates `folder` again, ready for `npm pack`. npm installs the packages of `platforms` with it. */
export async function makeNpmPackage(
  folder: string,
  platforms: readonly ReleaseTarget[] = [],
): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  copyFileSync(path.join(import.meta.dirname, "npm-bin.js"), path.join(folder, "bin/svc.js"));
  await writeProgram(path.join(folder, "lib"), manifest.version);
  const man = path.join(folder, "man");
  cpSync(path.join(ROOT, "man"), man, { recursive: true });
  for (const file of ["LICENSE", "README.md"])
    copyFileSync(path.join(ROOT, file), path.join(folder, file));
  const held = (await components({ keyring: null })).filter(({ kind }) => kind !== "runtime");
  writeFileSync(path.join(folder, "THIRD_PARTY_NOTICES"), noticesText(held));
  const described = describe(manifest, readdirSync(man), platforms);
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
}

async function writeProgram(lib: string, version: string): Promise<void> {
  const assets = path.join(lib, "assets");
  const boot = path.join(lib, "boot.cjs");
  await bundle({ assets, boot, version });
  // Replaces the boot code of the executable; workers read it from the assets.
  await bundlePackageBoot({ outfile: boot, version });
  copyFileSync(boot, path.join(assets, "code/boot.js"));
  await writeAssets(assets, { keyring: null });
  writeManifest(path.join(assets, "manifest.json"), { folder: assets, version });
}

function describe(
  { name, version, description, license, dependencies }: Manifest,
  pages: readonly string[],
  platforms: readonly ReleaseTarget[],
): object {
  const keyring = "@napi-rs/keyring";
  const { homepage, mcpName } = readProduct();
  const platformVersions = Object.fromEntries(
    platforms.map((target) => [packageName(target), version]),
  );
  return {
    name,
    version,
    description,
    license,
    homepage,
    mcpName,
    bin: { svc: "bin/svc.js" },
    man: pages.map((page) => `man/${page}`),
    files: ["bin", "lib", "man", "THIRD_PARTY_NOTICES"],
    engines: { node: ">=24" },
    optionalDependencies: { ...platformVersions, [keyring]: dependencies[keyring] },
  };
}
