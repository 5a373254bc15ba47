// A copy of a tree for saving files, with a copy of its index. The files are hard links: a save replaces a file with a
// new one, and never writes into it.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { indexLayout } from "../../src/index/embedded/layout.ts";
import type { LocalRun } from "../../test/helpers/run-index.ts";
import type { IndexedTree } from "./tree.ts";

/** Files of `.git` that determine which files are tracked and ignored. */
const GIT_FILES = ["HEAD", "config", "index", "info"];
/** Arguments of one cp. */
const BATCH = 500;

export interface TreeCopy {
  readonly root: string;
  readonly job: LocalRun;
}

export function copyTree(tree: IndexedTree): TreeCopy {
  const root = join(tree.folder, "copy");
  const dataDirectory = join(tree.folder, "copy-data");
  mkdirSync(root);
  const names = readdirSync(tree.root).filter((name) => name !== ".git");
  for (let at = 0; at < names.length; at += BATCH) {
    link(tree.root, names.slice(at, at + BATCH), root);
  }
  copyGit(join(tree.root, ".git"), join(root, ".git"));
  const { directory } = indexLayout(dataDirectory, tree.namespace);
  cpSync(indexLayout(tree.dataDirectory, tree.namespace).directory, directory, { recursive: true });
  const sources = tree.sources.map((source) => ({ ...source, root }));
  return {
    root,
    job: { dataDirectory, namespace: tree.namespace, sources, rebuild: false, waitMs: 5000 },
  };
}

/** Replaces the text of a file, or creates it. */
export function save(root: string, path: string, text: string): void {
  const temporary = join(root, `.git-bench-${process.pid}`);
  writeFileSync(temporary, text);
  renameSync(temporary, join(root, path));
}

function link(from: string, names: readonly string[], to: string): void {
  const run = (how: string): void => {
    execFileSync("cp", [how, "--", ...names, to], { cwd: from, stdio: "ignore" });
  };
  try {
    run("-al");
  } catch {
    // Another file system, or files of another user. Links made before the failure are removed first.
    for (const name of names) rmSync(join(to, name), { recursive: true, force: true });
    run("-a");
  }
}

function copyGit(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (!statSync(from).isDirectory()) {
    copyFileSync(from, to);
    return;
  }
  mkdirSync(to);
  for (const name of GIT_FILES) {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true });
  }
}
