import { expect, test } from "vitest";

import {
  DOCUMENT_EXTENSIONS,
  documentFormatOf,
  isDocumentation,
  isDocumentFormat,
  isProseDocument,
} from "../../../src/base/documents/document-formats.ts";
import { LANGUAGE_OF_EXTENSION } from "../../../src/scan/languages.ts";

test.each([
  ["docs/Manual.PDF", "pdf"],
  ["a/report.docx", "word"],
  ["b.odt", "word"],
  ["c.odp", "slides"],
  ["d.xlsm", "spreadsheet"],
  ["e.epub", "epub"],
  ["f.ipynb", "notebook"],
  ["g.eml", "email"],
  ["pdf", undefined],
  ["docs/.pdf", undefined],
  ["manual.pdf.ts", undefined],
  ["folder.pdf/a.ts", undefined],
  ["toString", undefined],
])("the format of %s is %s", (path, format) => {
  expect(documentFormatOf(path)).toBe(format);
});

test("each format is the language of its extensions, so that `language:pdf` filters", () => {
  for (const [format, extensions] of Object.entries(DOCUMENT_EXTENSIONS)) {
    expect(isDocumentFormat(format)).toBe(true);
    for (const extension of extensions.split(" ")) {
      expect(LANGUAGE_OF_EXTENSION.get(extension)).toBe(format);
      expect(documentFormatOf(`a.${extension}`)).toBe(format);
    }
  }
});

test("notebooks are mostly code, and other languages are no documents", () => {
  expect(isProseDocument("pdf")).toBe(true);
  expect(isProseDocument("notebook")).toBe(false);
  expect(isProseDocument("markdown")).toBe(false);
});

test.each([
  ["pdf", "docs", true],
  ["notebook", "code", true],
  ["html", "docs", true],
  ["html", "code", false],
  ["markdown", "docs", false],
] as const)("%s in the role %s is documentation with places: %s", (language, role, expected) => {
  expect(isDocumentation({ language, role })).toBe(expected);
});
