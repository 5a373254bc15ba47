// A recalled walk against a new one, after every kind of change that a walk would see.
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
import { expect, onTestFinished, test, vi } from "vitest";

import { recall } from "../../src/scan/recall.ts";
import { optionsText, type WalkMemory } from "../../src/scan/walk-memory.ts";
import { WalkRecorder } from "../../src/scan/walk-recorder.ts";
import { walk, type WalkOptions } from "../../src/scan/walk.ts";
import { tree } from "../helpers/tree.ts";

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
  "project/src/.gitignore": "generated.ts\n",
  "project/src/deep/er/c.ts": "export {};\n",
  "project/src/b.ts": "export {};\n",
  "project/src/generated.ts": "ignored\n",
  "project/src.old.ts": "between src and src/\n",
  "project/large.txt": "x".repeat(LIMIT + 1),
  "project/z.tmp": "excluded\n",
};

/** A folder `project` in a repository, at a time when all of it is old, or with `isYoung` just written. */
function project({ isYoung = false } = {}): string {
  const { path, dispose } = tree(FILES);
  onTestFinished(dispose);
  git(path, "init", "-q");
  git(path, "add", "-f", "project/kept.log", "project/README.md", "project/src");
  symlinkSync("README.md", join(path, "project/link.md"));
  if (!isYoung) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
  }
  return join(path, "project");
}

function git(directory: string, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd: directory, stdio: "ignore" });
}

function remembered(root: string, options = OPTIONS): WalkMemory | undefined {
  const recorder = new WalkRecorder(root);
  const found = walk(root, { ...options, recorder });
  return recorder.finish(optionsText(options), found);
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
  "a tree without changes is recalled as it was walked (young: %s)",
  (isYoung) => {
    const root = project({ isYoung });
    const memory = memoryOf(root);
    expect(memory.folders.some(({ listing }) => listing !== "")).toBe(isYoung);
    const recalled = recall(root, OPTIONS, memory);
    expect(recalled).toEqual(walk(root, OPTIONS));
    expect(recalled?.files.map(({ path }) => path)).toEqual([
      ".gitignore",
      ".svcignore",
      "README.md",
      "UPPER.LOG",
      "kept.log",
      "src.old.ts",
      "src/.gitignore",
      "src/b.ts",
      "src/deep/er/c.ts",
      "src/generated.ts",
    ]);
    expect(recalled?.skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      "large.txt too-large",
      "link.md symbolic-link",
      "node_modules dependency-folder",
    ]);
  },
);

test("a changed file is recalled in its new state, without a walk", () => {
  const root = project();
  const memory = memoryOf(root);
  appendFileSync(join(root, "src/b.ts"), "// more\n");
  const recalled = recall(root, OPTIONS, memory);
  expect(recalled).toEqual(walk(root, OPTIONS));
  expect(recalled?.files.find(({ path }) => path === "src/b.ts")?.sizeBytes).toBe(19);
});

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
  expect([undefined, walk(root, OPTIONS)]).toContainEqual(recall(root, OPTIONS, memory));
});

test.each(Object.entries(SEEN))("%s is never missed right after a walk", (_, change) => {
  const root = project({ isYoung: true });
  const memory = memoryOf(root);
  change(root);
  expect([undefined, walk(root, OPTIONS)]).toContainEqual(recall(root, OPTIONS, memory));
});

test("a commit that tracks nothing new needs no walk", () => {
  const root = project();
  const memory = memoryOf(root);
  git(dirname(root), "add", "project/src.old.ts");
  expect(recall(root, OPTIONS, memory)).toEqual(walk(root, OPTIONS));
});

test("a folder whose time stamp was set back is not taken for the same", () => {
  const root = project();
  const memory = memoryOf(root);
  const [, mtimeMs] = memory.folders.find(({ relative }) => relative === "src/")?.stamp ?? [0, 0];
  writeFileSync(join(root, "src/new.ts"), "");
  utimesSync(join(root, "src"), mtimeMs / 1000, mtimeMs / 1000);
  expect(recall(root, OPTIONS, memory)).toBeUndefined();
});

test("a young folder with the same time stamps is listed", () => {
  const root = project({ isYoung: true });
  const memory = memoryOf(root);
  writeFileSync(join(root, "src/new.ts"), "");
  const { ino, mtimeMs, ctimeMs } = statSync(join(root, "src"));
  const folders = memory.folders.map((folder) =>
    folder.relative === "src/" ? { ...folder, stamp: [ino, mtimeMs, ctimeMs] as const } : folder,
  );
  expect(recall(root, OPTIONS, { ...memory, folders })).toBeUndefined();
});

test("other options, and a root that is gone, need a walk", () => {
  const root = project();
  const memory = memoryOf(root);
  expect(recall(root, { ...OPTIONS, exclude: [] }, memory)).toBeUndefined();
  expect(recall(root, { ...OPTIONS, maxFileBytes: 5 }, memory)).toBeUndefined();
  rmSync(root, { recursive: true });
  expect(recall(root, OPTIONS, memory)).toBeUndefined();
});

const NAME = fc.constantFrom("a.ts", "b.md", "c.log", "src", "lib", ".gitignore", "build");
const PATH = fc.array(NAME, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const ACTION = fc.record({
  path: PATH,
  action: fc.constantFrom("write", "remove", "folder", "track", "untrack"),
});

test("after any changes, the recalled walk is a new one or none", () => {
  const actions = fc.array(ACTION, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(actions, actions, fc.boolean(), (first, second, isYoung) => {
      const { path: root, dispose } = tree({ "src/a.ts": "" });
      try {
        git(root, "init", "-q");
        for (const action of first) apply(root, action);
        if (!isYoung) vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
        const memory = remembered(root);
        if (memory === undefined) return;
        expect(recall(root, OPTIONS, memory)).toEqual(walk(root, OPTIONS));
        for (const action of second) apply(root, action);
        expect([undefined, walk(root, OPTIONS)]).toContainEqual(recall(root, OPTIONS, memory));
      } finally {
        vi.useRealTimers();
        dispose();
      }
    }),
    { numRuns: 60 },
  );
});

function apply(root: string, { path, action }: { path: string; action: string }): void {
  const at = join(root, path);
  try {
    if (action === "write") {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, path.endsWith(".gitignore") ? "*.log\nbuild/\n" : path);
    } else if (action === "folder") mkdirSync(at, { recursive: true });
    else if (action === "remove") rmSync(at, { recursive: true });
    else if (action === "track") git(root, "add", "-f", path);
    else git(root, "rm", "-q", "-r", "--cached", path);
  } catch {
    // A file cannot become a folder: such a step changes nothing.
  }
}
