import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";

import { DocumentParts } from "../../../src/extract/archive/document-parts.ts";
import { readBook } from "../../../src/extract/epub/epub-package.ts";

function book(items: string, spine: string): DocumentParts {
  const files = {
    "META-INF/container.xml": '<container><rootfile full-path="OEBPS/book.opf"/></container>',
    "OEBPS/book.opf": `<package><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    "OEBPS/one.xhtml": "<html/>",
    "OEBPS/two.xhtml": "<html/>",
  };
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return new DocumentParts(zipSync(Object.fromEntries(entries)));
}

function item(id: string, href: string): string {
  return `<item id="${id}" href="${href}" media-type="application/xhtml+xml"/>`;
}

test("a file that is listed once for each of its sections is one chapter, at its first place", () => {
  const { chapters } = readBook(
    book(
      [item("a", "one.xhtml#o1"), item("b", "two.xhtml"), item("c", "one.xhtml#o2")].join(""),
      '<itemref idref="a"/><itemref idref="b"/><itemref idref="c"/><itemref idref="a"/>',
    ),
  );
  expect(chapters.map(({ part }) => part)).toEqual(["OEBPS/one.xhtml", "OEBPS/two.xhtml"]);
});
