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

/** The least that git takes for a repository: faster than `git init` for hundreds of them. */
function repositoryFiles(ignoreCase: boolean, exclude: string | Uint8Array): Files {
  return {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tignorecase = ${ignoreCase}\n`,
    ".git/objects/": "",
    ".git/refs/heads/": "",
    ".git/info/exclude": exclude,
  };
}

/** A repository with these files, whose paths are as in src/base/path-bytes.ts. */
export function repository(
  files: Files,
  ignoreCase: boolean,
  exclude: string | Uint8Array = "",
): Tree {
  const made = tree(repositoryFiles(ignoreCase, exclude));
  plantPaths(made.path, files);
  return made;
}

/** Which of `paths` git ignores: with -v a negated rule is reported as well, so it is told by its `!`. */
export function ignoredByGit(directory: string, paths: readonly string[]): string[] {
  // It exits with 1 when nothing is ignored; the listing is complete all the same.
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
