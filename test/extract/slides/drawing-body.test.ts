import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";

import { extractSlides } from "../../../src/extract/slides/extract-slides.ts";

const SHAPE = (type: string, text: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

function cell(text: string): string {
  return `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
}

function textOfSlide(shapes: string): string {
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const files = {
    "ppt/presentation.xml": `<p:presentation xmlns:r="${relations}"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="a" Type="${relations}/slide" Target="slides/slide1.xml"/></Relationships>`,
    "ppt/slides/slide1.xml": `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
  };
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return extractSlides(zipSync(Object.fromEntries(entries))).text;
}

test("a table is read after the number of the slide, which is not", () => {
  const table = `<p:graphicFrame><a:graphic><a:tbl><a:tr>${cell("Trait")}${cell("Use")}</a:tr></a:tbl></a:graphic></p:graphicFrame>`;
  const text = textOfSlide(SHAPE("title", "Ideas") + SHAPE("sldNum", "22") + table);
  expect(text).toBe("Ideas\n\nTrait | Use\n");
});
