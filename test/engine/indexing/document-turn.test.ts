import { describe, expect, it } from "vitest";

import { divideDocuments } from "../../../src/engine/indexing/document-turn.ts";
import type { FoundFile } from "../../../src/engine/indexing/source-scan.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";

function found(path: string, sizeBytes: number): FoundFile {
  return { source: sourceAt("/"), path, record: { path, sizeBytes, mtimeMs: 0, inode: 0 } };
}

const FILES = [found("a.pdf", 30), found("b.ts", 9000), found("c.docx", 20), found("d.ipynb", 40)];

function pathsOf(maxBytes?: number): unknown {
  const { others, documents, later } = divideDocuments(FILES, maxBytes);
  return [others, documents, later].map((files) => files.map(({ path }) => path).join(" "));
}

describe("divideDocuments", () => {
  it("has all documents without a limit", () => {
    expect(pathsOf()).toEqual(["b.ts", "a.pdf c.docx d.ipynb", ""]);
  });

  it("leaves those above the limit to later runs, and has at least one", () => {
    expect(pathsOf(50)).toEqual(["b.ts", "a.pdf c.docx", "d.ipynb"]);
    expect(pathsOf(10)).toEqual(["b.ts", "a.pdf", "c.docx d.ipynb"]);
  });

  it("has none with the limit 0", () => {
    expect(pathsOf(0)).toEqual(["b.ts", "", "a.pdf c.docx d.ipynb"]);
  });
});
