import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { productVersion } from "../../../src/base/assets.ts";
import {
  countsIfUnchanged,
  newWalkNote,
  scanIdentity,
  scanNote,
  walkMemories,
} from "../../../src/engine/indexing/last-scan.ts";
import { scanSources, type SourceScan } from "../../../src/engine/indexing/source-scan.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";

const COUNTS = { unchanged: 12, skipped: 3 };

function folder(): { readonly path: string; readonly scan: () => SourceScan } {
  const { path, dispose } = tree({ "a.md": "one\n", "b.md": "two\n" });
  onTestFinished(dispose);
  const options = { maxFileBytes: 1000, isRemembered: true, onSource: () => {} };
  return { path, scan: () => scanSources([sourceAt(path)], options) };
}

test("the note of a scan has the counts for a scan that finds the same", () => {
  const { scan } = folder();
  const note = scanNote(scanIdentity(scan(), [1]), COUNTS);
  expect(countsIfUnchanged(note, scanIdentity(scan(), [1]))).toEqual(COUNTS);
  expect(note).toContain(`/${productVersion()}/`);
});

test.each([
  ["a new time stamp", (path: string) => utimesSync(join(path, "a.md"), 5, 5)],
  ["a file that is gone", (path: string) => rmSync(join(path, "b.md"))],
])("%s makes another scan", (_name, change) => {
  const { path, scan } = folder();
  const note = scanNote(scanIdentity(scan()), COUNTS);
  change(path);
  expect(countsIfUnchanged(note, scanIdentity(scan()))).toBeUndefined();
});

test("other sources, another version, and no note are not the same scan", () => {
  const { scan } = folder();
  const identity = scanIdentity(scan(), [1]);
  const note = scanNote(identity, COUNTS);
  expect(countsIfUnchanged(note, scanIdentity(scan(), [1, 2]))).toBeUndefined();
  expect(countsIfUnchanged(note.replace(productVersion(), "0.0.1"), identity)).toBeUndefined();
  // A run that was interrupted leaves an empty note, and a run over some folders has no identity.
  for (const none of [undefined, ""]) expect(countsIfUnchanged(none, identity)).toBeUndefined();
  expect(countsIfUnchanged("", "")).toBeUndefined();
});

test("the note of walks is read by the version that wrote it", () => {
  const { scan } = folder();
  const found = scan();
  const note = newWalkNote(found, undefined) ?? "";
  expect(walkMemories(note)).toEqual(found.memories);
  expect(walkMemories(note.replace(productVersion(), "0.0.1"))).toBeUndefined();
  for (const none of [undefined, ""]) expect(walkMemories(none)).toBeUndefined();
});

test("the note of walks remains while no source is walked again", () => {
  const { scan } = folder();
  const found = scan();
  expect(newWalkNote(found, found.memories)).toBeUndefined();
  expect(newWalkNote(found, new Map())).toBe(newWalkNote(found, undefined));
  const forgotten = { ...found, memories: undefined };
  expect(newWalkNote(forgotten, found.memories)).toBe("");
  expect(newWalkNote(forgotten, undefined)).toBeUndefined();
});
