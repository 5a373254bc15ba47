// Which files say what packages a project defines and depends on, and how each is read.

import { readCargoLock, readCargoToml } from "./cargo.ts";
import { readGoMod } from "./go.ts";
import { readGradle, readGradleLock, readPom, readVersionCatalogue } from "./jvm.ts";
import { readPackageJson, readPackageLock, readPnpmLock, readYarnLock } from "./npm.ts";
import {
  readComposerJson,
  readComposerLock,
  readGemfile,
  readGemfileLock,
  readGemspec,
  readMsbuild,
  readNugetLock,
  readPackageResolved,
  readPackageSwift,
} from "./others.ts";
import type { ManifestFacts } from "./package-facts.ts";
import {
  readMetadata,
  readPipfileLock,
  readPyproject,
  readPythonLock,
  readRequirements,
  readSetupCfg,
  readSetupPy,
} from "./python.ts";

type ReadManifest = (text: string, stem: string) => ManifestFacts;

const BY_NAME: ReadonlyMap<string, ReadManifest> = new Map<string, ReadManifest>([
  ["package.json", readPackageJson],
  ["package-lock.json", readPackageLock],
  ["npm-shrinkwrap.json", readPackageLock],
  ["pnpm-lock.yaml", readPnpmLock],
  ["yarn.lock", readYarnLock],
  ["go.mod", readGoMod],
  ["Cargo.toml", readCargoToml],
  ["Cargo.lock", readCargoLock],
  ["pyproject.toml", readPyproject],
  ["setup.cfg", readSetupCfg],
  ["setup.py", readSetupPy],
  ["poetry.lock", readPythonLock],
  ["uv.lock", readPythonLock],
  ["Pipfile.lock", readPipfileLock],
  ["METADATA", readMetadata],
  ["pom.xml", readPom],
  ["build.gradle", readGradle],
  ["build.gradle.kts", readGradle],
  ["gradle.lockfile", readGradleLock],
  ["libs.versions.toml", readVersionCatalogue],
  ["composer.json", readComposerJson],
  ["composer.lock", readComposerLock],
  ["Gemfile", readGemfile],
  ["Gemfile.lock", readGemfileLock],
  ["Directory.Packages.props", readMsbuild],
  ["packages.lock.json", readNugetLock],
  ["Package.swift", readPackageSwift],
  ["Package.resolved", readPackageResolved],
]);

/** Folders whose packages are not those of the project. */
const FOREIGN = /(?:^|\/)(?:node_modules|testdata|__?fixtures?__?|fixtures?)\//;

/** Asked for each file of a project. */
function readerOf(path: string): ReadManifest | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  if (name.endsWith(".gemspec")) return readGemspec;
  if (name.endsWith("proj") && /\.(?:cs|vb|fs)proj$/.test(name)) return readMsbuild;
  if (!name.endsWith(".txt") && !name.endsWith(".in")) return undefined;
  return /(?:^|\/)requirements(?:[\w.-]*|\/[\w.-]+)\.(?:txt|in)$/.test(path)
    ? readRequirements
    : undefined;
}

/** Returns whether a file says something of packages. */
export function isManifest(path: string): boolean {
  return readerOf(path) !== undefined && !FOREIGN.test(path);
}

/** Returns what a manifest or lock file says; nothing if it is not valid. */
export function readManifest(path: string, text: string): ManifestFacts {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  return readerOf(path)?.(text, stem) ?? { defines: [], requires: [] };
}
