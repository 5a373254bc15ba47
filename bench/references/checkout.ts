// A repository of the bench as a folder of files, with the packages of its types.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { filesAt, mirrorDirectory, readFiles } from "../quality/mirror.ts";
import { PACKAGE_MANAGERS, type Repository } from "./repositories.ts";

export interface Checkout {
  readonly root: string;
  /** Paths of the repository at the commit. */
  readonly files: readonly string[];
  /** Why fewer types are known; undefined if the packages were installed. */
  readonly withoutPackages: string | undefined;
}

const MARK = ".svc-bench.json";

/** Creates `<folder>/<name>` once. Throws if the mirror does not hold the commit. */
export function checkOut(
  repository: Repository,
  { mirrors, folder }: { readonly mirrors: string; readonly folder: string },
): Checkout {
  const { name, github, commit } = repository;
  const root = join(folder, name);
  const known = readMark(root);
  if (known?.commit === commit) return { ...known, root };
  const making = `${root}.making-${process.pid}`;
  const files = writeTree(mirrorDirectory(mirrors, github), commit, making);
  const withoutPackages = installPackages(repository, making, folder);
  const mark = { commit, files, withoutPackages };
  writeFileSync(join(making, MARK), JSON.stringify(mark));
  rmSync(root, { recursive: true, force: true });
  renameSync(making, root);
  return { ...mark, root };
}

/** Installs one package of an exact version, `name@version`, once. Returns the folder of its files. */
export function installTool(specifier: string, folder: string): string {
  const prefix = join(folder, "tools", specifier);
  const place = join(prefix, "node_modules", specifier.slice(0, specifier.lastIndexOf("@")));
  if (!existsSync(place)) {
    mkdirSync(prefix, { recursive: true });
    const problem = run("npm", ["install", "--prefix", prefix, "--ignore-scripts", specifier], ".");
    if (problem !== undefined) throw new Error(problem);
  }
  return place;
}

/** The files of a commit as a folder. Returns their paths; those that the mirror lacks are omitted. */
export function writeTree(repository: string, commit: string, folder: string): readonly string[] {
  const files: string[] = [];
  for (const [path, content] of readFiles(repository, commit, filesAt(repository, commit))) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    files.push(path);
  }
  return files;
}

/** Returns why the packages are not there. */
function installPackages(
  { packageManager, installArguments }: Repository,
  root: string,
  folder: string,
): string | undefined {
  if (packageManager === "none") return "not installed";
  const specifier = PACKAGE_MANAGERS[packageManager];
  const all = ["install", "--ignore-scripts", ...installArguments];
  if (specifier === undefined) return run("npm", all, root);
  // It would replace itself by the version that is pinned there, or refuse.
  const file = join(root, "package.json");
  const text = readFileSync(file, "utf8");
  const {
    packageManager: _,
    engines: _engines,
    ...manifest
  }: Record<string, unknown> = JSON.parse(text);
  writeFileSync(file, JSON.stringify(manifest));
  const program = join(installTool(specifier, folder), "bin/pnpm.mjs");
  const problem = run(process.execPath, [program, ...all], root);
  writeFileSync(file, text);
  return problem;
}

function run(command: string, words: readonly string[], directory: string): string | undefined {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    cwd: directory,
    encoding: "utf8",
    timeout: 600_000,
  });
  if (status === 0) return undefined;
  const output = `${stdout}${stderr}`.trim().slice(-500);
  return `${command} ${words.join(" ")}: ${error?.message ?? output}`;
}

interface Mark extends Omit<Checkout, "root"> {
  readonly commit: string;
}

function readMark(root: string): Mark | undefined {
  const file = join(root, MARK);
  if (!existsSync(file)) return undefined;
  const mark: Mark = JSON.parse(readFileSync(file, "utf8"));
  return mark;
}
