import { expect, test } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import {
  decodeDocument,
  encodeDocument,
  isStoredDocument,
} from "../../../src/base/documents/encode-document.ts";

const DOCUMENT: DocumentText = {
  text: "Ünïcode ☂\n\nSecond line\n",
  unit: "page",
  places: [{ line: 1, name: "1" }],
  headings: [{ line: 1, level: 1, title: "Ünïcode ☂" }],
  code: [{ startLine: 3, endLine: 3, language: "python" }],
  omission: "Pages after 5,000 were left out.",
};

/** No checksum covers the version number: another number is another version. */
const VERSION_END = '{"version":1'.length;

test("a document is the same after it was stored", () => {
  const bytes = encodeDocument(DOCUMENT);
  expect(decodeDocument(bytes)).toEqual(DOCUMENT);
  expect(isStoredDocument(bytes)).toBe(true);
});

test("bytes that are damaged in any place, or cut, are no document", () => {
  const bytes = encodeDocument(DOCUMENT);
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x20;
    expect(isStoredDocument(damaged) && at > VERSION_END, `byte ${at}`).toBe(false);
  }
  expect(decodeDocument(bytes.subarray(0, -1))).toBeUndefined();
  expect(decodeDocument(Buffer.from("text"))).toBeUndefined();
  expect(isStoredDocument(Buffer.from("text"))).toBe(false);
  expect(isStoredDocument(bytes.subarray(0, -1))).toBe(false);
});

test("a document that another version has stored is read again", () => {
  const other = encodeDocument(DOCUMENT)
    .toString()
    .replace(/"version":\d/u, '"version":9');
  expect(decodeDocument(Buffer.from(other))).toBeUndefined();
  expect(isStoredDocument(Buffer.from(other))).toBe(true);
});
