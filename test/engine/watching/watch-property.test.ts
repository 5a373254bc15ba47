import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { gitRepository } from "../../helpers/git-repository.ts";
import { tree, type Tree } from "../../helpers/tree.ts";
import { watchedTree } from "../../helpers/watched-tree.ts";

const FOLDERS = ["", "a", "a/b", "a/b/c", "d", "d/build", "e"];
const NAMES = ["one.ts", "two.md", "three.log", "build"];
const GLOBS = ["*.log", "build/", "/a/b", "!three.log", "*.md", "d"];
const WORDS = ["wombat", "quokka", "numbat"];

interface Place {
  readonly root: string;
  /** An unwatched folder. */
  readonly outside: string;
}
type Step = (place: Place) => void;

const folder = fc.constantFrom(...FOLDERS);
/** The root has separate tests. */
const below = fc.constantFrom(...FOLDERS.slice(1));
const file = fc.tuple(folder, fc.constantFrom(...NAMES)).map(([at, name]) => join(at, name));
const text = fc.constantFrom(...WORDS).map((word) => `export const ${word} = "${word}";\n`);

function git(root: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd: root,
    stdio: "ignore",
  });
}

const step: fc.Arbitrary<{ readonly name: string; readonly run: Step }> = fc.oneof(
  fc.tuple(file, text).map(([path, content]) => ({
    name: `write ${path}`,
    run: ({ root }: Place) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
  })),
  fc.tuple(file, text).map(([path, content]) => ({
    name: `append to ${path}`,
    run: ({ root }: Place) => appendFileSync(join(root, path), content),
  })),
  fc.tuple(file, text).map(([path, content]) => ({
    name: `save ${path} by renaming`,
    run: ({ root }: Place) => {
      writeFileSync(join(root, `${path}.tmp~`), content);
      renameSync(join(root, `${path}.tmp~`), join(root, path));
    },
  })),
  fc.oneof(file, below).map((path) => ({
    name: `remove ${path}`,
    run: ({ root }: Place) => rmSync(join(root, path), { recursive: true }),
  })),
  fc.tuple(below, text).map(([path, content]) => ({
    name: `replace ${path}`,
    run: ({ root }: Place) => {
      rmSync(join(root, path), { recursive: true });
      mkdirSync(join(root, path));
      writeFileSync(join(root, path, "one.ts"), content);
    },
  })),
  fc.tuple(fc.oneof(file, below), fc.oneof(file, below)).map(([from, to]) => ({
    name: `move ${from} to ${to}`,
    run: ({ root }: Place) => renameSync(join(root, from), join(root, to)),
  })),
  below.map((path) => ({
    name: `move ${path} out`,
    run: ({ root, outside }: Place) => renameSync(join(root, path), join(outside, "moved")),
  })),
  below.map((path) => ({
    name: `move in as ${path}`,
    run: ({ root, outside }: Place) => renameSync(join(outside, "moved"), join(root, path)),
  })),
  fc.tuple(fc.oneof(file, folder), fc.constantFrom(0o700, 0o755, 0o644)).map(([path, mode]) => ({
    name: `chmod ${path}`,
    run: ({ root }: Place) => chmodSync(join(root, path), mode | 0o700),
  })),
  file.map((path) => ({
    name: `touch ${path}`,
    run: ({ root }: Place) => utimesSync(join(root, path), 1_700_000_000, 1_700_000_000),
  })),
  fc.tuple(file, fc.oneof(file, folder)).map(([path, target]) => ({
    name: `link ${path}`,
    run: ({ root }: Place) => symlinkSync(join(root, target), join(root, path)),
  })),
  fc
    .tuple(folder, fc.constantFrom(".gitignore", ".ignore", ".svcignore"), fc.subarray(GLOBS))
    .map(([at, name, globs]) => ({
      name: `${name} of ${at}: ${globs.join(" ")}`,
      run: ({ root }: Place) => writeFileSync(join(root, at, name), globs.join("\n")),
    })),
  fc
    .constantFrom(
      ["checkout", "-q", "-f", "main"],
      ["checkout", "-q", "-f", "other"],
      ["stash", "-q", "-u"],
      ["stash", "pop", "-q"],
      ["add", "-f", "."],
      ["rm", "-r", "-q", "--cached", "a"],
    )
    .map((args) => ({
      name: `git ${args.join(" ")}`,
      run: ({ root }: Place) => git(root, ...args),
    })),
);

let template: Tree;

beforeAll(() => {
  const repository = gitRepository();
  repository.commit({ "one.ts": "export const wombat = 1;\n", "a/b/two.md": "quokka\n" });
  repository.git("checkout", "-q", "-b", "other");
  repository.commit({ "d/one.ts": "export const numbat = 1;\n", "a/b/two.md": "numbat\n" });
  repository.git("checkout", "-q", "main");
  template = repository;
});
afterAll(() => template.dispose());

test("after any changes of files and folders, the watched index equals a fresh one", async () => {
  const steps = fc.array(fc.tuple(step, fc.constantFrom(0, 0, 5, 40)), {
    minLength: 4,
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (wanted) => {
      const place = tree({ "outside/": "" });
      const root = join(place.path, "root");
      cpSync(template.path, root, { recursive: true });
      const watched = await watchedTree(root);
      try {
        for (const [{ run }, pauseMs] of wanted) {
          try {
            run({ root, outside: join(place.path, "outside") });
          } catch {
            // The step does not apply to the current files.
          }
          // eslint-disable-next-line no-await-in-loop -- one step after the other
          if (pauseMs > 0) await wait(pauseMs);
        }
        await watched.converged(WORDS);
        expect(watched.limits).toEqual([]);
      } finally {
        watched.dispose();
        place.dispose();
      }
    }),
    { numRuns: Number(process.env["SVC_WATCH_RUNS"] ?? 6), endOnFailure: true },
  );
}, 180_000);
