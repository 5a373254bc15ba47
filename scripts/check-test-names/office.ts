import type { Cover } from "./cover.ts";

/** Parts of the readers of office files, books and mails, by the test that reads whole files with them. */
export const OFFICE: Readonly<Record<string, Cover>> = {
  "test/extract/archive/zip-archive.test.ts": {
    why: "zips with directories of all kinds, and none",
    covers: ["src/extract/archive/zip-directory.ts"],
  },
  "test/extract/word/extract-word.test.ts": {
    why: "DOCX files, whole and damaged",
    covers: [
      "src/extract/word/{word-body,word-lists,word-notes,word-styles}.ts",
      "src/extract/archive/document-parts.ts",
      "src/extract/block-lines.ts",
    ],
  },
  "test/extract/opendocument/extract-opendocument.test.ts": {
    why: "ODT, ODP and ODS files, whole and damaged",
    covers: [
      "src/extract/opendocument/{opendocument-body,opendocument-lists,opendocument-package}.ts",
      "src/extract/opendocument/{opendocument-styles,read-opendocument}.ts",
      "src/extract/slides/opendocument-slides.ts",
      "src/extract/spreadsheet/opendocument-sheets.ts",
    ],
  },
  "test/extract/slides/extract-slides.test.ts": {
    why: "PPTX files, whole and damaged",
    covers: ["src/extract/slides/slide-blocks.ts"],
  },
  "test/extract/spreadsheet/extract-spreadsheet.test.ts": {
    why: "XLSX files, whole and damaged",
    covers: ["src/extract/spreadsheet/{number-formats,sheet-rows,workbook-sheet}.ts"],
  },
  "test/extract/epub/extract-epub.test.ts": {
    why: "EPUB books, whole and damaged",
    covers: ["src/extract/epub/chapter-titles.ts"],
  },
  "test/extract/html/write-html.test.ts": {
    why: "pages with elements of all kinds",
    covers: ["src/extract/html/html-body.ts"],
  },
};
