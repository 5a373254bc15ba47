import { spawnSync } from "node:child_process";

import { expect } from "vitest";

import { pathFromBytes, pathToBytes } from "../../src/base/path-bytes.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { tree, type Tree } from "../helpers/tree.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const GIT_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  LC_ALL: "C.UTF-8",
};

/** The minimal files of a repository: faster than `git init` for hundreds of them. */
function repositoryFiles(ignoreCase: boolean, exclude: string | Uint8Array): Files {
  return {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tignorecase = ${ignoreCase}\n`,
    ".git/objects/": "",
    ".git/refs/heads/": "",
    ".git/info/exclude": exclude,
  };
}

/** Creates a repository with these files; paths are encoded as in src/base/path-bytes.ts. */
export function repository(
  files: Files,
  ignoreCase: boolean,
  exclude: string | Uint8Array = "",
): Tree {
  const folder = tree(repositoryFiles(ignoreCase, exclude));
  plantPaths(folder.path, files);
  return folder;
}

/** Returns those of `paths` that git ignores. With -v git also reports negated rules, which begin with `!`. */
export function ignoredByGit(directory: string, paths: readonly string[]): string[] {
  // Git exits with 1 if nothing is ignored; the output is complete anyway.
  const { stdout } = spawnSync("git", ["check-ignore", "--stdin", "-z", "-v", "-n", "--no-index"], {
    cwd: directory,
    env: GIT_ENVIRONMENT,
    input: pathToBytes(paths.join("\0")),
  });
  const fields = stdout.toString("latin1").split("\0");
  expect(fields).toHaveLength(paths.length * 4 + 1);
  const ignored: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, , pattern, path] = fields.slice(at, at + 4);
    if (source !== "" && pattern?.startsWith("!") === false) {
      ignored.push(pathFromBytes(Buffer.from(path ?? "", "latin1")));
    }
  }
  return ignored;
}
