// A project that svc may read but not write is indexed, queried, and not changed.
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, cpSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { smallDisk } from "../../credentials/faults/small-disk.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { svcProgram } from "../../helpers/svc-program.ts";
import { tree } from "../../helpers/tree.ts";
import { promise } from "../promise.ts";
import { type Answers, answersOf, projectFiles, runOver } from "./queried-index.ts";
import { needs } from "../../helpers/needs.ts";

const NOBODY = 65_534;

const FILES = Object.fromEntries(
  Object.entries(projectFiles()).filter(([name]) => !name.startsWith("words")),
);

/** A clone in normal use: its files and its `.git`. */
function repository(): string {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  commit(FILES);
  return path;
}

async function freshAnswers(root: string): Promise<Answers> {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  expect((await runOver(root, path)).outcome).toBe("done");
  // The time of indexing, which differs.
  const { changes: _changes, ...answers } = await answersOf(root, path);
  return answers;
}

needs(["mount"], () => {
  promise(
    [6],
    "a repository on a disk mounted read-only is indexed, and answers like a writable one",
    async () => {
      const root = repository();
      const disk = smallDisk(32 << 10);
      const copy = join(disk.root, "project");
      cpSync(root, copy, { recursive: true, preserveTimestamps: true });
      disk.remount("ro");
      const answers = await freshAnswers(copy);
      expect(answers).toEqual(await freshAnswers(root));
      return Object.keys(answers).length;
    },
  );
});

promise(
  [6],
  "a repository without write permission is indexed and searched, and stays unchanged",
  () => {
    const root = repository();
    const { path: home, dispose } = tree();
    onTestFinished(dispose);
    // Root can write everything, so the program runs as nobody.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      chownSync(home, NOBODY, NOBODY);
      execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, root]);
    }
    execFileSync("chmod", ["-R", "a-w,a+rX", root]);
    onTestFinished(() => void execFileSync("chmod", ["-R", "u+w", root]));
    const before = listing(root);
    const run = (...words: readonly string[]): unknown => {
      const [svc, ...first] = svcProgram();
      const { status, stdout, stderr } = spawnSync(svc, [...first, ...words, "--json"], {
        cwd: root,
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
          HOME: home,
          SERVICE_HOME: join(home, "data"),
        },
        ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
      });
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      return JSON.parse(stdout);
    };
    expect(run("index", root)).toMatchObject({
      added: Object.keys(FILES).length,
      warnings: [],
    });
    expect(JSON.stringify(run("search", "Wheel7 turn7"))).toContain("src/part7.ts");
    expect(listing(root)).toBe(before);
    return 2;
  },
);

/** Names, modes, sizes and times of all files. */
function listing(root: string): string {
  return execFileSync("find", [root, "-printf", "%P %m %s %T@\\n"], { encoding: "utf8" });
}
