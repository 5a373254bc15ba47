// Repositories that keep their reader waiting, forever or for long.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { plant } from "../../helpers/tree.ts";
import { git, type Attack, type AttackSite } from "./attack-site.ts";

function pipe(path: string): void {
  rmSync(path, { force: true, recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
}

export const WAITING_FOR_EVER: readonly Attack[] = [
  "info/exclude",
  "HEAD",
  "config",
  "index",
  "packed-refs",
  "refs/heads/main",
  "logs/HEAD",
  "shallow",
  "commondir",
  "objects/info/alternates",
  "objects/pack/pack-0123456789012345678901234567890123456789.idx",
].map((name) => ({
  name: `a pipe at .git/${name}`,
  build: ({ root, ownRepository }: AttackSite) => {
    ownRepository();
    pipe(join(root, ".git", name));
  },
}));

export const WAITING_ELSEWHERE: readonly Attack[] = [
  {
    name: "a pipe in the place of .git",
    build: ({ root }) => {
      plant(root, { "ledger.ts": "export const own = 1;\n" });
      pipe(join(root, ".git"));
    },
  },
  {
    name: "a pipe in the place of the shared index",
    build: ({ root, ownRepository }) => {
      ownRepository();
      git(root, "update-index", "--split-index");
      const name = readdirSync(join(root, ".git")).find((one) => one.startsWith("sharedindex."));
      pipe(join(root, ".git", name ?? ""));
    },
  },
  {
    name: "pipes in the place of objects",
    build: ({ root, ownRepository }) => {
      ownRepository();
      const id = git(root, "rev-parse", "HEAD");
      pipe(join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
    },
  },
  {
    name: "a configuration that includes a pipe",
    build: ({ root, ownRepository }) => {
      ownRepository();
      pipe(join(root, ".git/endless"));
      appendFileSync(join(root, ".git/config"), "[include]\n\tpath = endless\n");
    },
  },
  {
    name: "pipes in the place of .gitignore and .gitattributes",
    build: ({ root, ownRepository }) => {
      ownRepository();
      pipe(join(root, ".gitignore"));
      pipe(join(root, ".gitattributes"));
    },
  },
  {
    name: "a nested repository whose HEAD is a pipe",
    build: ({ root, ownRepository }) => {
      ownRepository();
      const inner = join(root, "inner");
      mkdirSync(inner);
      git(inner, "init", "-q");
      pipe(join(inner, ".git/HEAD"));
    },
  },
  {
    name: "a large sparse file in the place of the index",
    build: ({ root, ownRepository }) => {
      ownRepository();
      const path = join(root, ".git/index");
      rmSync(path);
      writeFileSync(path, "");
      truncateSync(path, 8 * 2 ** 30);
    },
  },
];
