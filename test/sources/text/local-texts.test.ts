import {
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { localTexts } from "../../../src/sources/text/local-texts.ts";
import type { TextReader } from "../../../src/sources/text/port.ts";
import type { KnownFile } from "../../../src/sources/text/source-text.ts";
import { textsContract } from "../../contract/texts.ts";
import { keepDocument } from "../../helpers/keep-document.ts";
import { documentsInMemory } from "../../../src/sources/text/document-store.ts";
import { authorized } from "../../helpers/authorized.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";

function open(root: string, prefix = ""): TextReader {
  return localTexts().open(authorized("project"), [sourceAt(root, { prefix })]);
}

textsContract(() => {
  const { path: root, dispose } = tree();
  onTestFinished(dispose);
  const documents = documentsInMemory();
  const texts = localTexts(documents);
  return {
    open: () => texts.open(authorized("project"), [sourceAt(root)]),
    writeDocument: (path, bytes, text) => {
      writeFileSync(join(root, path), bytes);
      utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
      if (text !== undefined) keepDocument(documents.archiveOf("project"), bytes, text);
    },
    write: (path, bytes, mtimeMs) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
      utimesSync(join(root, path), mtimeMs / 1000, mtimeMs / 1000);
    },
    remove: (path) => rmSync(join(root, path)),
    rowNow: (path) => {
      const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, path));
      // As if the index had read it two seconds after its last change.
      return { size, mtimeMs, inode: ino, indexedMs: ctimeMs + 2001, flags: 0 };
    },
  };
});

test("a link that leads out of the source has no text and an error that says so", async () => {
  const { path, dispose } = tree({ "root/a.txt": "a", "outside.txt": "secret" });
  onTestFinished(dispose);
  const root = join(path, "root");
  symlinkSync(join(path, "outside.txt"), join(root, "link.txt"));
  symlinkSync(path, join(root, "up"));
  for (const name of ["link.txt", "up/outside.txt", "../outside.txt"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await open(root).read(name)).toMatchObject({
      problem: "outside",
      error: { code: "PATH_OUTSIDE_SOURCE" },
    });
  }
  expect(await open(root).stampOf("up/outside.txt")).toBe("");
});

test("a text is not the content of a row that was read soon after a change, or of another file", async () => {
  const { path: root, dispose } = tree({ "a/one.txt": "one", "b/one.txt": "two" });
  onTestFinished(dispose);
  const file = join(root, "a/one.txt");
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  utimesSync(join(root, "b/one.txt"), 1_700_000_000, 1_700_000_000);
  const { size, mtimeMs, ctimeMs, ino: inode } = statSync(file);
  const row = { size, mtimeMs, inode, indexedMs: ctimeMs + 60_000, flags: 0, hash: "" };
  const isContentOf = async (other: Partial<KnownFile> = {}): Promise<unknown> => {
    const text = await open(root).read("a/one.txt");
    return "text" in text && text.isContentOf({ ...row, ...other });
  };
  expect(await isContentOf()).toBe(true);
  expect(await isContentOf({ indexedMs: ctimeMs + 1999 })).toBe(false);
  expect(await isContentOf({ size: 4 })).toBe(false);
  expect(await isContentOf({ mtimeMs: mtimeMs + 1 })).toBe(false);
  // The file of another folder that took the place of this one, of the same size and times.
  renameSync(join(root, "a"), join(root, "old"));
  renameSync(join(root, "b"), join(root, "a"));
  expect(await isContentOf()).toBe(false);
});

test("another folder at the root of a source is reported as such", async () => {
  const { path, dispose } = tree({ "root/a.txt": "a", "other/a.txt": "b" });
  onTestFinished(dispose);
  const source = sourceAt(join(path, "root"), { identity: "1 2 3" });
  const texts = localTexts().open(authorized("project"), [source]);
  expect(await texts.read("a.txt")).toMatchObject({
    problem: "root-changed",
    error: { code: "PATH_NOT_FOUND" },
  });
});

test("the longest prefix decides which source a path belongs to; a folder has no text", async () => {
  const { path, dispose } = tree({ "app/lib/a.txt": "app", "lib/a.txt": "lib" });
  onTestFinished(dispose);
  const sources = [
    sourceAt(join(path, "app")),
    sourceAt(join(path, "lib"), { id: 2, prefix: "lib/" }),
  ];
  const texts = localTexts().open(authorized("project"), sources);
  expect(await texts.read("lib/a.txt")).toMatchObject({ text: "lib" });
  expect(await texts.read("lib")).toMatchObject({ problem: "gone" });
});

test.runIf(process.platform === "linux")(
  "a file whose size is reported as 0 is read to its end",
  async () => {
    const texts = open(`/proc/${process.pid}`);
    expect(await texts.read("status")).toMatchObject({ text: expect.stringContaining("Name:") });
  },
);
