import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";

import { extractSlides } from "../../../src/extract/slides/extract-slides.ts";

const SHAPE = (type: string, text: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

function cell(text: string): string {
  return `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
}

const codeLine = (text: string, properties = ""): string =>
  `<a:p><a:pPr>${properties}</a:pPr><a:r><a:rPr><a:latin typeface="Consolas"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`;

const box = (...lines: string[]): string => `<p:sp><p:txBody>${lines.join("")}</p:txBody></p:sp>`;

const latin = (font: string): string => `<a:defRPr><a:latin typeface="${font}"/></a:defRPr>`;

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

test("a program in a shape that has the font of an editor is kept line by line", () => {
  const line = "<a:p><a:r><a:t>if (a)</a:t></a:r></a:p><a:p><a:r><a:t>  b();</a:t></a:r></a:p>";
  const style = `<a:lstStyle><a:lvl1pPr>${latin("Consolas")}</a:lvl1pPr><a:lvl2pPr>${latin("Arial")}</a:lvl2pPr></a:lstStyle>`;
  const text = textOfSlide(SHAPE("title", "Ideas") + box(style, line) + box("<a:p/>", line));
  expect(text).toBe("Ideas\n\nif (a)\n  b();\n\nif (a)\n\nb();\n");
});

test("a program in the font of an editor is kept line by line, an item of a list is not", () => {
  const text = textOfSlide(
    SHAPE("title", "Ideas") +
      box(codeLine("class A {"), codeLine("    int b;"), codeLine("};")) +
      box(codeLine("run", "<a:buChar/>"), codeLine("stop", "<a:buChar/>")),
  );
  expect(text).toBe("Ideas\n\nclass A {\n    int b;\n};\n\n- run\n- stop\n");
});
