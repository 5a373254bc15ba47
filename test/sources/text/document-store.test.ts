import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import { encodeDocument } from "../../../src/base/documents/encode-document.ts";
import {
  documentFiles,
  documentsInMemory,
  type DocumentStore,
} from "../../../src/sources/text/document-store.ts";

function documentOf(text: string): DocumentText {
  return { text, unit: "page", places: [{ line: 1, name: "1" }], headings: [], code: [] };
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const STORES: readonly (readonly [string, () => DocumentStore])[] = [
  [
    "in files",
    () => {
      const folder = freshFolder();
      return documentFiles((namespace) => join(folder, namespace));
    },
  ],
  ["in memory", documentsInMemory],
];

describe.each(STORES)("documents %s", (_, open) => {
  test("are read by their hash, by their own namespace only", async () => {
    const store = open();
    const document = documentOf("one\n");
    expect(store.read("zoo", "aa")).toBeUndefined();
    store.archiveOf("zoo").keep("aa", encodeDocument(document));
    expect(store.read("zoo", "aa")).toEqual(document);
    expect(await store.archiveOf("zoo").find("aa")).toEqual(encodeDocument(document));
    expect(store.read("farm", "aa")).toBeUndefined();
    expect(await store.archiveOf("farm").find("aa")).toBeUndefined();
  });

  test("that no file has any more are deleted", async () => {
    const store = open();
    const archive = store.archiveOf("zoo");
    archive.keep("aa", encodeDocument(documentOf("one\n")));
    archive.keep("bb", encodeDocument(documentOf("two\n")));
    store.archiveOf("farm").keep("bb", encodeDocument(documentOf("two\n")));
    await archive.collect(async () => new Set(["aa"]));
    expect(await archive.find("bb")).toBeUndefined();
    expect(store.read("zoo", "aa")?.text).toBe("one\n");
    expect(store.read("farm", "bb")?.text).toBe("two\n");
  });

  test("without any document, nobody lists the files", async () => {
    const list = vi.fn<() => Promise<ReadonlySet<string>>>(async () => new Set());
    await open().archiveOf("zoo").collect(list);
    expect(list).not.toHaveBeenCalled();
  });
});

test("files of documents are readable by their owner only", () => {
  const folder = freshFolder();
  const store = documentFiles((namespace) => join(folder, namespace));
  store.archiveOf("zoo").keep("aa", encodeDocument(documentOf("one\n")));
  expect(statSync(join(folder, "zoo")).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "zoo/aa")).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "zoo"))).toEqual(["aa"]);
});

test("a damaged file is no document", () => {
  const folder = freshFolder();
  const store = documentFiles(() => folder);
  store.archiveOf("zoo").keep("aa", encodeDocument(documentOf("one\n")));
  writeFileSync(join(folder, "aa"), "damage");
  expect(documentFiles(() => folder).read("zoo", "aa")).toBeUndefined();
});
