// Ignore files that cannot be read must not let the files they may name into the index.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { createPlace, svc } from "../spec/program.ts";
import { promise } from "./promise.ts";

/** Ways to make `path` an ignore file that cannot be used; each begins with rules that name `hidden.ts`. */
const UNUSABLE: Readonly<Record<string, (path: string) => void>> = {
  "larger than 1 MiB": (path) => writeFileSync(path, `hidden.ts\n${"# padding\n".repeat(120_000)}`),
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a link to rules": (path) => {
    writeFileSync(`${path}-rules`, "hidden.ts\n");
    symlinkSync(`${path}-rules`, path);
  },
  "a link to nothing": (path) => symlinkSync("nowhere", path),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
};

const CANARY = "export const ignoredCanary = 1;\n";
const FILES = {
  "plain.ts": "export const plain = 1;\n",
  "sub/deep/hidden.ts": CANARY,
  "sub/hidden.ts": CANARY,
  "sub/tracked.ts": "export const trackedCanary = 1;\n",
};

interface Project {
  readonly root: string;
  /** The output of a command, on both streams. */
  readonly run: (...words: readonly string[]) => Promise<string>;
  /** Paths of FILES that a search for text finds. */
  readonly found: () => Promise<readonly string[]>;
}

/** A repository that tracks two files of its project. */
function project(): Project {
  const place = createPlace(FILES);
  onTestFinished(place.remove);
  const { root } = place;
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "plain.ts", "sub/tracked.ts"], { cwd: root });
  const run = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr, exit } = await svc(place, ...words);
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    return stdout + stderr;
  };
  return {
    root,
    run,
    async found() {
      await run("index");
      const lines = (await run("grep", "-l", "Canary|plain")).split("\n");
      return Object.keys(FILES).filter((path) => lines.includes(path));
    },
  };
}

/** The search results while each of the unusable files is at `name`, which `status` must list as `entry`. */
async function expectFound(name: string, paths: readonly string[], entry = name): Promise<number> {
  const { root, run, found } = project();
  const path = join(root, name);
  for (const [how, spoil] of Object.entries(UNUSABLE)) {
    rmSync(path, { force: true });
    spoil(path);
    // oxlint-disable-next-line no-await-in-loop -- one state of the project after the other
    expect([how, await found()]).toEqual([how, paths]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await run("status", "--skipped")).toMatch(
      new RegExp(`Warning: "${path}" .*\n(?:.*\n)*    ignore-rules  ${entry}\n`),
    );
    rmSync(`${path}-rules`, { force: true });
  }
  rmSync(path);
  expect(await found()).toEqual(Object.keys(FILES));
  return Object.keys(UNUSABLE).length;
}

promise([10, 33], "of what an unusable .gitignore may name only tracked files are indexed", () =>
  expectFound("sub/.gitignore", ["plain.ts", "sub/tracked.ts"]),
);

promise([10, 33], "an unusable info/exclude leaves only what git tracks", () =>
  expectFound(".git/info/exclude", ["plain.ts", "sub/tracked.ts"], ".git"),
);

promise([10, 33], "an unusable .svcignore closes its folder, also to tracked files", () =>
  expectFound("sub/.svcignore", ["plain.ts"]),
);

promise([10, 33], "a directory called .gitignore holds no rules, as for git", async () => {
  const { root, found } = project();
  mkdirSync(join(root, "sub/.gitignore"));
  expect(await found()).toEqual(Object.keys(FILES));
  return 1;
});
