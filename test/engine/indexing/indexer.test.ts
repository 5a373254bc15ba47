import {
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { takeExclusiveLock } from "../../../src/base/exclusive-lock.ts";
import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import {
  age,
  indexedTree,
  indexOf,
  sourceAt,
  type IndexedTree,
} from "../../helpers/indexed-tree.ts";
import { pictureOf, searchIn, wordedIn } from "../../helpers/picture.ts";
import { plant, tree } from "../../helpers/tree.ts";

/** A folder with these files and an index, deleted at the end of the test. */
function notIndexed(files: Parameters<typeof tree>[0]): IndexedTree {
  const indexed = indexedTree(files);
  onTestFinished(indexed.dispose);
  return indexed;
}

/** Reads the catalog directly. */
function catalogOf({ data }: IndexedTree): Catalog {
  const catalog = Catalog.openToRead(indexLayout(data, "project").catalog);
  if (catalog === undefined) throw new Error("nothing is indexed yet");
  onTestFinished(() => catalog.close());
  return catalog;
}

const WORDS = ["alpha", "beta", "gamma", "revokeToken"] as const;
const PATHS = ["a.ts", "b.md", "src/c.py", "src/deep/d.ts", "e.txt", "src/blob", ".env"] as const;

const CONTENTS: readonly (string | Uint8Array)[] = [
  ...WORDS.map((word) => `// ${word}\nexport function ${word}() {\n  return ${word};\n}\n`),
  "# Alpha\n\nAll about gamma.\n\n## Beta\n\nMore.\n",
  "def alpha():\n    return beta\n",
  "",
  "alpha\r\nbeta\r\n",
  Uint8Array.of(0, 1, 2, 3),
];

type Step =
  | { readonly write: string; readonly content: string | Uint8Array }
  | { readonly remove: string }
  | { readonly rename: string; readonly to: string }
  | { readonly touch: string; readonly seconds: number }
  | { readonly ignore: string };

const path = fc.constantFrom(...PATHS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ write: path, content: fc.constantFrom(...CONTENTS) }) },
  { weight: 2, arbitrary: fc.record({ remove: path }) },
  { weight: 2, arbitrary: fc.record({ rename: path, to: path }) },
  { weight: 1, arbitrary: fc.record({ touch: path, seconds: fc.integer({ min: 1, max: 2e9 }) }) },
  { weight: 1, arbitrary: fc.record({ ignore: fc.constantFrom("*.ts\n", "src/\n", "") }) },
);

function apply(root: string, change: Step): void {
  if ("write" in change) return plant(root, { [change.write]: change.content });
  if ("ignore" in change) return plant(root, { ".gitignore": change.ignore });
  const name =
    "remove" in change ? change.remove : "rename" in change ? change.rename : change.touch;
  const place = join(root, name);
  if (!existsSync(place)) return undefined;
  if ("remove" in change) return rmSync(place);
  if ("touch" in change) return utimesSync(place, change.seconds, change.seconds);
  plant(root, { [`${dirname(change.to)}/`]: "" });
  return renameSync(place, join(root, change.to));
}

test("after any changes the index equals that of a fresh build", { timeout: 120_000 }, async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const indexed = indexedTree({ "a.ts": "export const alpha = 1;\n" });
      await indexed.run();
      for (const steps of all) {
        for (const one of steps) apply(indexed.root, one);
        await indexed.run();
        const fresh = indexOf(indexed.root);
        await fresh.run();
        expect(await pictureOf(indexed, WORDS)).toEqual(await pictureOf(fresh, WORDS));
        fresh.dispose();
      }
      indexed.dispose();
    }),
    { numRuns: 20 },
  );
});

test("the report counts added, changed, removed and unchanged files", async () => {
  const indexed = notIndexed({ "a.md": "one\n", "b.md": "two\n", "c.md": "three\n", blob: "\0\0" });
  expect(await indexed.run()).toMatchObject({
    outcome: "done",
    generation: 1,
    added: 3,
    changed: 0,
    removed: 0,
    unchanged: 0,
    skipped: 1,
    warnings: [],
  });
  plant(indexed.root, { "b.md": "changed\n", "new.md": "new\n" });
  rmSync(join(indexed.root, "c.md"));
  utimesSync(join(indexed.root, "a.md"), 5, 5);
  expect(await indexed.run()).toMatchObject({
    outcome: "done",
    added: 1,
    changed: 1,
    removed: 1,
    unchanged: 1,
    skipped: 1,
  });
});

test("a run without changes publishes and writes nothing", async () => {
  const indexed = notIndexed({ "a.md": "one\n", blob: "\0", "src/c.ts": "export const c = 1;\n" });
  age(indexed.root);
  await indexed.run();
  const catalog = catalogOf(indexed);
  const before = catalog.dataVersion();
  for (let round = 0; round < 2; round += 1) {
    expect(await indexed.run()).toMatchObject({
      generation: 1,
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 2,
      skipped: 1,
    });
  }
  expect(catalog.dataVersion()).toBe(before);
});

test("touched files make no new generation and are not read a third time", async () => {
  const indexed = notIndexed({ "a.md": "one\n" });
  await indexed.run();
  age(indexed.root);
  expect(await indexed.run()).toMatchObject({ generation: 1, changed: 0, unchanged: 1 });
  const catalog = catalogOf(indexed);
  const version = catalog.dataVersion();
  expect(await indexed.run()).toMatchObject({ generation: 1, changed: 0, unchanged: 1 });
  expect(catalog.dataVersion()).toBe(version);
});

test("a file written again with the same time stamp is read", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n" });
  const place = join(indexed.root, "a.md");
  const { atime, mtime } = statSync(place);
  await indexed.run();
  plant(indexed.root, { "a.md": "badgers!\n" });
  utimesSync(place, atime, mtime);
  await indexed.run();
  expect(await wordedIn(indexed, "badgers")).toEqual(["a.md"]);
});

test("an unavailable source keeps its files; an empty one loses them", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n" });
  const second = tree({ "b.md": "aardvark\n" });
  onTestFinished(second.dispose);
  const sources = [...indexed.sources, sourceAt(second.path, { id: 2, prefix: "second/" })];
  await indexed.run({ sources });
  const paths = (): string[] =>
    catalogOf(indexed)
      .files.all()
      .map((row) => row.path)
      .toSorted();
  expect(paths()).toEqual(["a.md", "second/b.md"]);
  await indexed.run({ sources: indexed.sources });
  expect(paths()).toEqual(["a.md", "second/b.md"]);
  rmSync(join(second.path, "b.md"));
  await indexed.run({ sources });
  expect(paths()).toEqual(["a.md"]);
});

test("when two sources have the same path, it belongs to the one with this prefix", async () => {
  const indexed = notIndexed({ "second/b.md": "badger of the first\n", "a.md": "badger\n" });
  const second = tree({ "b.md": "badger of the second\n" });
  onTestFinished(second.dispose);
  const sources = [...indexed.sources, sourceAt(second.path, { id: 2, prefix: "second/" })];
  for (let round = 0; round < 2; round += 1) {
    await indexed.run({ sources });
    const rows = catalogOf(indexed)
      .files.all()
      .map((row) => [row.path, row.source]);
    expect(rows).toEqual([
      ["a.md", 1],
      ["second/b.md", 2],
    ]);
    const { reader } = await indexed.queryContext();
    expect(await reader.summary()).toMatchObject({ files: 2 });
  }
});

test("a rebuild reads everything again, also unchanged files", async () => {
  const indexed = notIndexed({ "a.md": "one\n", "b.md": "two\n" });
  age(indexed.root);
  await indexed.run();
  const names = (): string[] =>
    catalogOf(indexed)
      .segments.all()
      .map(({ name }) => name);
  const before = names();
  expect(await indexed.run({ rebuild: true })).toMatchObject({ generation: 2, unchanged: 2 });
  expect(names()).toHaveLength(1);
  expect(names()).not.toEqual(before);
  expect(await wordedIn(indexed, "one two")).toEqual(["a.md", "b.md"]);
});

test("the first run of an empty folder is a generation without files", async () => {
  const indexed = notIndexed({});
  expect(await indexed.run()).toMatchObject({ outcome: "done", generation: 1, added: 0 });
  expect((await searchIn(indexed, "anything")).passages).toEqual([]);
});

test("while another process writes, a run that may not wait is busy and does nothing", async () => {
  const indexed = notIndexed({ "a.md": "one\n" });
  await indexed.run();
  plant(indexed.root, { "a.md": "changed\n" });
  const release = takeExclusiveLock(indexLayout(indexed.data, "project").writerLock, 0);
  expect(await indexed.run()).toMatchObject({ outcome: "busy", changed: 0 });
  release?.();
  expect(await indexed.run()).toMatchObject({ outcome: "done", changed: 1 });
});

test("a binary file is not read again until it changes", async () => {
  const indexed = notIndexed({ blob: "\0aardvark" });
  age(indexed.root);
  await indexed.run();
  const skipped = (): unknown => catalogOf(indexed).files.skippedCounts();
  // As text, the file would be indexed, so its absence shows that svc did not read it.
  plant(indexed.root, { blob: " aardvark" });
  age(indexed.root);
  expect(await indexed.run()).toMatchObject({ unchanged: 0, skipped: 1 });
  expect(skipped()).toEqual({ binary: 1 });
  utimesSync(join(indexed.root, "blob"), 2_000_000, 2_000_000);
  expect(await indexed.run()).toMatchObject({ generation: 2, skipped: 0 });
  expect(skipped()).toEqual({});
});

test("a file that became unfit for indexing has a reason and is not found any more", async () => {
  const indexed = notIndexed({ "a.md": "aardvark\n" });
  await indexed.run();
  plant(indexed.root, { "a.md": "aardvark\0" });
  await indexed.run();
  expect(catalogOf(indexed).files.skippedCounts()).toEqual({ binary: 1 });
  expect(await wordedIn(indexed, "aardvark")).toEqual([]);
  plant(indexed.root, { "a.md": "aardvark again\n" });
  await indexed.run();
  expect(catalogOf(indexed).files.skippedCounts()).toEqual({});
  expect(await wordedIn(indexed, "aardvark")).toEqual(["a.md"]);
});

interface Entry {
  readonly name: string;
  readonly facts: readonly (bigint | number | string)[];
}

function listing(root: string): Entry[] {
  return ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })]
    .toSorted()
    .map((name) => {
      const { mtimeNs, ctimeNs, size, mode, ino } = lstatSync(join(root, name), { bigint: true });
      return { name, facts: [mtimeNs, ctimeNs, size, mode, ino] };
    });
}

test("nothing in the indexed folder is changed", async () => {
  const indexed = notIndexed({
    "a.md": "one\n",
    "src/b.ts": "export const b = 1;\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "empty/": "",
  });
  symlinkSync("a.md", join(indexed.root, "link"));
  const before = listing(indexed.root);
  await indexed.run();
  await indexed.run({ rebuild: true });
  await searchIn(indexed, "one");
  expect(listing(indexed.root)).toEqual(before);
});
