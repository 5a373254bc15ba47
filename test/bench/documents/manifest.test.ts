import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { groupOf, missingFrom, readManifest } from "../../../bench/documents/manifest.ts";
import { readFurtherQuestions, readQuestions } from "../../../bench/documents/questions.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-manifest-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a document that is absent or has changed is missing", () => {
  const entry = { from: "npm", package: "a", version: "1", path: "a.pdf" } as const;
  const manifest = ["pdf/same.pdf", "pdf/changed.pdf", "pdf/absent.pdf"].map((file) => ({
    ...entry,
    file,
    sha256: hash("sha256", "content"),
  }));
  mkdirSync(join(folder, "pdf"));
  writeFileSync(join(folder, "pdf/same.pdf"), "content");
  writeFileSync(join(folder, "pdf/changed.pdf"), "other");
  expect(missingFrom(folder, manifest).map(({ file }) => file)).toEqual([
    "pdf/changed.pdf",
    "pdf/absent.pdf",
  ]);
});

test("the manifest has the documents, and each question is about one of them", () => {
  const manifest = readManifest();
  const counts = Object.groupBy(manifest, ({ file }) => groupOf(file));
  expect(Object.values(counts).map((entries) => entries?.length)).toEqual([20, 20, 10, 50, 5]);
  const files = new Set(manifest.map(({ file }) => file));
  const questions = [...readQuestions(), ...readFurtherQuestions()];
  for (const { document, group, pages, slides, cells, sheet, headings, text } of questions) {
    expect(files).toContain(document);
    expect(groupOf(document)).toBe(group);
    expect(pages ?? slides ?? cells ?? sheet ?? headings ?? text).toBeDefined();
  }
  expect(questions).toHaveLength(100 + 40);
});

test("no document has questions in both sets", () => {
  const sets = Map.groupBy(readQuestions(), ({ document }) => document);
  for (const questions of sets.values()) {
    expect(new Set(questions.map(({ set }) => set)).size).toBe(1);
  }
  for (const { document } of readFurtherQuestions()) {
    expect(sets.get(document)?.[0]?.set).toBe("judge");
  }
});

test("a path of no group is refused", () => {
  expect(() => groupOf("music/a.mp3")).toThrow("is in no group");
});
