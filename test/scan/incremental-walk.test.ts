// An incremental walk against a whole one, after every kind of change that a walk would see.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import * as fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

import { incrementalWalk } from "../../src/scan/incremental-walk.ts";
import { optionsText, type WalkMemory } from "../../src/scan/walk-memory.ts";
import { WalkRecorder } from "../../src/scan/walk-recorder.ts";
import type { WalkResult } from "../../src/scan/walk-result.ts";
import { walk, type WalkOptions } from "../../src/scan/walk.ts";
import { countedListings } from "../helpers/counted-listings.ts";
import { tree, type Tree } from "../helpers/tree.ts";

const LIMIT = 1000;
const OPTIONS: WalkOptions = { maxFileBytes: LIMIT, exclude: ["*.tmp"] };
const FILES = {
  "project/.gitignore": "*.log\n/build\n",
  "project/.svcignore": "private/\n",
  "project/README.md": "# Read me\n",
  "project/UPPER.LOG": "ignored in any case\n",
  "project/a.log": "ignored\n",
  "project/build/out.js": "ignored\n",
  "project/kept.log": "tracked\n",
  "project/node_modules/dep/index.js": "dependency\n",
  "project/private/secret.md": "closed\n",
  "project/src/.gitignore": "generated.ts\nbefore.ts\n",
  "project/src/.ignore": "!before.ts\n",
  "project/src/before.ts": "re-included\n",
  "project/src/deep/er/c.ts": "export {};\n",
  "project/src/b.ts": "export {};\n",
  "project/src/generated.ts": "ignored\n",
  "project/src.old.ts": "between src and src/\n",
  "project/large.txt": "x".repeat(LIMIT + 1),
  "project/z.tmp": "excluded\n",
};
const TRACKED = ["project/kept.log", "project/README.md", "project/src"];

/** A folder `project` in a repository, at a time when all its files are old, or just written with `isYoung`. */
function project({ isYoung = false } = {}): string {
  const { path, dispose } = tree(FILES);
  onTestFinished(dispose);
  makeRepository(path, "tracking");
  symlinkSync("README.md", join(path, "project/link.md"));
  if (!isYoung) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
  }
  return join(path, "project");
}

const templates: Record<"empty" | "tracking", Tree> = { empty: tree(), tracking: tree(FILES) };
beforeAll(() => {
  for (const { path } of Object.values(templates)) {
    git(path, "init", "-q");
    rmSync(join(path, ".git/hooks"), { recursive: true });
  }
  git(templates.tracking.path, "add", "-f", ...TRACKED);
});
afterAll(() => Object.values(templates).forEach(({ dispose }) => dispose()));

/**
 * A repository like one from `git init` and `git add`, because starting those takes longer than most of these tests.
 */
function makeRepository(root: string, kind: keyof typeof templates): void {
  cpSync(join(templates[kind].path, ".git"), join(root, ".git"), { recursive: true });
}

function git(directory: string, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd: directory, stdio: "ignore" });
}

function remembered(root: string): WalkMemory | undefined {
  const recorder = new WalkRecorder(root);
  const found = walk(root, { ...OPTIONS, recorder });
  awaitNextTick(root);
  return recorder.finish(optionsText(OPTIONS), found);
}

/**
 * Some kernels give all changes within 4 ms the same time. In a project such files are old; the recorder of these tests
 * treats them so.
 */
function awaitNextTick(root: string): void {
  const probe = join(root, "../probe");
  writeFileSync(probe, "");
  const { mtimeMs } = statSync(probe);
  while (statSync(probe).mtimeMs === mtimeMs) writeFileSync(probe, "");
}

function memoryOf(root: string): WalkMemory {
  const memory = remembered(root);
  if (memory === undefined) throw new Error("the walk cannot be remembered");
  return memory;
}

function edit(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

test.each([false, true])(
  "a tree without changes is found as it was walked (young: %s)",
  (isYoung) => {
    const root = project({ isYoung });
    const memory = memoryOf(root);
    expect(memory.folders.some(({ listing }) => listing !== "")).toBe(isYoung);
    const { found: again, memory: after } = incrementalWalk(root, OPTIONS, memory) ?? {};
    expect(again).toEqual(walk(root, OPTIONS));
    // There is nothing to record.
    expect(after).toBe(memory);
    expect(again?.files.map(({ path }) => path)).toEqual([
      ".gitignore",
      ".svcignore",
      "README.md",
      "UPPER.LOG",
      "kept.log",
      "src.old.ts",
      "src/.gitignore",
      "src/.ignore",
      "src/b.ts",
      "src/before.ts",
      "src/deep/er/c.ts",
      "src/generated.ts",
    ]);
    expect(again?.skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      "large.txt too-large",
      "link.md symbolic-link",
      "node_modules dependency-folder",
    ]);
  },
);

test("a changed file is found in its new state, without a walk", () => {
  const root = project();
  const memory = memoryOf(root);
  appendFileSync(join(root, "src/b.ts"), "// more\n");
  const { found: again } = incrementalWalk(root, OPTIONS, memory) ?? {};
  expect(again).toEqual(walk(root, OPTIONS));
  expect(again?.files.find(({ path }) => path === "src/b.ts")?.sizeBytes).toBe(19);
});

/** The parts of a walk that a run uses. The counts of ignored entries come from the last whole walk. */
function listOf({ files, skipped, complete }: WalkResult) {
  return { files, skipped, complete };
}

function incrementalList(root: string, memory: WalkMemory) {
  const again = incrementalWalk(root, OPTIONS, memory);
  return again && listOf(again.found);
}

type Change = (root: string) => void;
const SEEN: Readonly<Record<string, Change>> = {
  "a new file": (root) => writeFileSync(join(root, "src/new.ts"), ""),
  "a new folder": (root) => mkdirSync(join(root, "src/deep/new")),
  "a removed file": (root) => unlinkSync(join(root, "src/b.ts")),
  "a removed folder": (root) => rmSync(join(root, "src/deep/er"), { recursive: true }),
  "a renamed file": (root) => renameSync(join(root, "src/b.ts"), join(root, "src/c.ts")),
  "a file as a link": (root) => {
    unlinkSync(join(root, "src/b.ts"));
    symlinkSync("../README.md", join(root, "src/b.ts"));
  },
  "a folder moved out and replaced by a link to it": (root) => {
    const outside = join(root, "../outside");
    renameSync(join(root, "src"), outside);
    symlinkSync(outside, join(root, "src"));
  },
  "a folder replaced by a link into the tree": (root) => {
    rmSync(join(root, "src"), { recursive: true });
    mkdirSync(join(root, "other/deep"), { recursive: true });
    symlinkSync("other", join(root, "src"));
  },
  "a file that grows beyond the limit": (root) =>
    appendFileSync(join(root, "src/b.ts"), "x".repeat(LIMIT)),
  "a large file that shrinks": (root) => truncateSync(join(root, "large.txt"), 1),
  "a folder replaced by its copy": (root) => {
    const old = join(root, "../old");
    renameSync(join(root, "src/deep"), old);
    cpSync(old, join(root, "src/deep"), { recursive: true, preserveTimestamps: true });
  },
  "a rule of the root": (root) => edit(join(root, ".gitignore"), "*.log", "*.old"),
  "a rule of a folder": (root) => edit(join(root, "src/.gitignore"), "generated", "otherwise"),
  "a rule of svc": (root) => edit(join(root, ".svcignore"), "private", "project"),
  "a rule that re-includes": (root) => writeFileSync(join(root, ".ignore"), "!a.log\n!/build\n"),
  "a changed rule that re-includes": (root) => edit(join(root, "src/.ignore"), "!", "#"),
  "a new .ignore": (root) => writeFileSync(join(root, "src/deep/.ignore"), "*\n"),
  "an .ignore above the root": (root) => writeFileSync(join(dirname(root), ".ignore"), "*.ts\n"),
  "a new ignore file": (root) => writeFileSync(join(root, "src/deep/.gitignore"), "*\n"),
  "an ignore file above the root": (root) =>
    writeFileSync(join(dirname(root), ".gitignore"), "*.md\n"),
  "the rules of the repository": (root) =>
    writeFileSync(join(dirname(root), ".git/info/exclude"), "src.old.ts\n"),
  "a setting of the repository": (root) => git(dirname(root), "config", "core.ignorecase", "true"),
  "a tracked file in an ignored folder": (root) =>
    git(dirname(root), "add", "-f", "project/build/out.js"),
  "an ignored file that is tracked": (root) => git(dirname(root), "add", "-f", "project/a.log"),
  "a tracked file that is ignored": (root) =>
    git(dirname(root), "rm", "-q", "--cached", "project/kept.log"),
  "no repository": (root) => rmSync(join(dirname(root), ".git"), { recursive: true }),
  "a repository at the root": (root) => git(root, "init", "-q"),
  "a repository in a folder": (root) => git(join(root, "src"), "init", "-q"),
};

test.each(Object.entries(SEEN))("%s is never missed", (_, change) => {
  const root = project();
  const memory = memoryOf(root);
  change(root);
  expect([undefined, listOf(walk(root, OPTIONS))]).toContainEqual(incrementalList(root, memory));
});

test.each(Object.entries(SEEN))("%s is never missed right after a walk", (_, change) => {
  const root = project({ isYoung: true });
  const memory = memoryOf(root);
  change(root);
  expect([undefined, listOf(walk(root, OPTIONS))]).toContainEqual(incrementalList(root, memory));
});

test.each([
  ["a new file", "src/new.ts", ["src/"]],
  ["a file in new folders", "src/new/er/c.ts", ["src/"]],
  ["an ignored file", "src/new.log", ["src/"]],
  ["a file in the root", "new.ts", [""]],
  ["a new folder of dependencies", "node_modules/other/index.js", []],
])("%s is found in the changed folders only", (_, path, changed) => {
  const root = project();
  const memory = memoryOf(root);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "");
  const listed = countedListings(root);
  const again = incrementalWalk(root, OPTIONS, memory);
  // The walk lists the folders above as well.
  expect(listed()).toBeLessThan(memory.folders.length + 3);
  expect(again && listOf(again.found)).toEqual(listOf(walk(root, OPTIONS)));
  const before = new Map(memory.folders.map((folder) => [folder.relative, folder]));
  const renewed = again?.memory.folders.filter((one) => before.get(one.relative) !== one);
  expect(renewed?.map(({ relative }) => relative).filter((one) => before.has(one))).toEqual(
    changed,
  );
});

test.each<[string, Change]>([
  [
    "an ignore file that came with it",
    (root) => edit(join(root, "new/.gitignore"), "*.md", "*.ts"),
  ],
  ["what git tracks in it", (root) => git(dirname(root), "add", "-f", "project/new/a.md")],
  ["a file", (root) => appendFileSync(join(root, "new/b.ts"), "// more\n")],
  ["a folder in it", (root) => mkdirSync(join(root, "new/er/est"), { recursive: true })],
  ["its removal", (root) => rmSync(join(root, "new"), { recursive: true })],
])(
  "a folder that was found in an incremental walk is remembered: %s is not missed",
  (_, change) => {
    const root = project();
    const memory = memoryOf(root);
    mkdirSync(join(root, "new/er"), { recursive: true });
    writeFileSync(join(root, "new/.gitignore"), "*.md\n");
    for (const name of ["a.md", "b.ts"]) writeFileSync(join(root, "new", name), "");
    const again = incrementalWalk(root, OPTIONS, memory);
    const paths = again?.found.files.map(({ path }) => path);
    expect([paths?.includes("new/a.md"), paths?.includes("new/b.ts")]).toEqual([false, true]);
    if (again === undefined) return;
    awaitNextTick(root);
    expect(incrementalWalk(root, OPTIONS, again.memory)?.memory).toBe(again.memory);
    change(root);
    expect([undefined, listOf(walk(root, OPTIONS))]).toContainEqual(
      incrementalList(root, again.memory),
    );
  },
);

test("warnings are not repeated after a change", () => {
  const root = project();
  const memory = { ...memoryOf(root), warnings: ["Ignore rules leave 1 of 90 files and folders."] };
  expect(incrementalWalk(root, OPTIONS, memory)?.found.warnings).toEqual(memory.warnings);
  writeFileSync(join(root, "src/new.ts"), "");
  expect(incrementalWalk(root, OPTIONS, memory)).toBeUndefined();
});

test("a commit that tracks nothing new needs no walk", () => {
  const root = project();
  const memory = memoryOf(root);
  git(dirname(root), "add", "project/src.old.ts");
  expect(incrementalList(root, memory)).toEqual(listOf(walk(root, OPTIONS)));
});

test("a folder whose time stamp was set back is not taken for the same", () => {
  const root = project();
  const memory = memoryOf(root);
  const [, mtimeMs] = memory.folders.find(({ relative }) => relative === "src/")?.stamp ?? [0, 0];
  writeFileSync(join(root, "src/new.ts"), "");
  utimesSync(join(root, "src"), mtimeMs / 1000, mtimeMs / 1000);
  expect(incrementalList(root, memory)).toEqual(listOf(walk(root, OPTIONS)));
});

test("a young folder with the same time stamps is listed", () => {
  const root = project({ isYoung: true });
  const memory = memoryOf(root);
  writeFileSync(join(root, "src/new.ts"), "");
  const { ino, mtimeMs, ctimeMs } = statSync(join(root, "src"));
  const folders = memory.folders.map((folder) =>
    folder.relative === "src/" ? { ...folder, stamp: [ino, mtimeMs, ctimeMs] as const } : folder,
  );
  expect(incrementalList(root, { ...memory, folders })).toEqual(listOf(walk(root, OPTIONS)));
});

test("other options, and a root that is gone, need a walk", () => {
  const root = project();
  const memory = memoryOf(root);
  expect(incrementalWalk(root, { ...OPTIONS, exclude: [] }, memory)).toBeUndefined();
  expect(incrementalWalk(root, { ...OPTIONS, maxFileBytes: 5 }, memory)).toBeUndefined();
  rmSync(root, { recursive: true });
  expect(incrementalWalk(root, OPTIONS, memory)).toBeUndefined();
});

/** Names with rules of their own, and others. */
const NAMES = ["a.ts", "b.md", "c.log", "d.tmp", "src", "lib", "build", "node_modules"] as const;
const RULE_FILES = [".gitignore", ".ignore", ".svcignore"] as const;
const CONTENTS = [
  "",
  "*.log\nbuild/\n",
  "*.ts\n!a.ts\n",
  "/src\n",
  "!*.log\n!build\n",
  "x".repeat(LIMIT + 1),
] as const;
const PATH = fc
  .array(fc.constantFrom(...NAMES, ...RULE_FILES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/"));
const ACTION = fc.record({
  path: PATH,
  content: fc.constantFrom(...CONTENTS),
  action: fc.constantFrom(
    "write",
    "write",
    "remove",
    "folder",
    "rename",
    "link",
    "track",
    "untrack",
  ),
});

test("after any changes, and those after them, an incremental walk is a whole one or none", () => {
  const actions = fc.array(fc.array(ACTION, { minLength: 1, maxLength: 5 }), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(actions, fc.boolean(), (rounds, isYoung) => {
      const { path: root, dispose } = tree({ "src/a.ts": "" });
      try {
        makeRepository(root, "empty");
        if (!isYoung) vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
        let memory = remembered(root);
        for (const round of rounds) {
          for (const action of round) apply(root, action);
          const walked = listOf(walk(root, OPTIONS));
          const again = memory && incrementalWalk(root, OPTIONS, memory);
          expect([undefined, walked]).toContainEqual(again && listOf(again.found));
          memory = again?.memory ?? remembered(root);
          awaitNextTick(root);
          // The record that was just written is known.
          expect(memory === undefined ? walked : incrementalList(root, memory)).toEqual(walked);
        }
      } finally {
        vi.useRealTimers();
        dispose();
      }
    }),
    { numRuns: 60 },
  );
});

function apply(
  root: string,
  { path, content, action }: Readonly<Record<"path" | "content" | "action", string>>,
): void {
  const at = join(root, path);
  try {
    if (action === "write") {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, content);
    } else if (action === "folder") mkdirSync(at, { recursive: true });
    else if (action === "remove") rmSync(at, { recursive: true });
    else if (action === "rename") renameSync(at, join(root, "renamed"));
    else if (action === "link") {
      // The former content is now behind a link to it.
      renameSync(at, join(root, "moved"));
      symlinkSync(join(root, "moved"), at);
    } else if (action === "track") git(root, "add", "-f", path);
    else git(root, "rm", "-q", "-r", "--cached", path);
  } catch {
    // A file cannot become a folder: such a step changes nothing.
  }
}
