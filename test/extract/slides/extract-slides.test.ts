import { describe, expect, it } from "vitest";

import { extractSlides } from "../../../src/extract/slides/extract-slides.ts";
import { failureOf, relationships, zipOf } from "../../helpers/office-files.ts";

const paragraph = (text: string, properties = ""): string =>
  `<a:p><a:pPr ${properties}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (type: string, ...paragraphs: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${type}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join("")}</p:txBody></p:sp>`;
const holder = (type: string): string => `<p:ph type="${type}"/>`;

/** Slides in the order of the presentation; their files are in the opposite order. `links`: of the first. */
function deck(
  slides: readonly string[],
  links: Readonly<Record<string, readonly [string, string]>> = {},
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const file = (index: number): string => `slide${slides.length - index}.xml`;
  return zipOf({
    "_rels/.rels": relationships({ r1: ["officeDocument", "ppt/presentation.xml"] }),
    "ppt/presentation.xml": `<p:presentation xmlns:p="p"><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      Object.fromEntries(
        slides.map((_, index) => [`r${index}`, ["slide", `slides/${file(index)}`]]),
      ),
    ),
    ...Object.fromEntries(
      slides.map((slide, index) => [
        `ppt/slides/${file(index)}`,
        `<p:sld xmlns:p="p">${slide}</p:sld>`,
      ]),
    ),
    [`ppt/slides/_rels/${file(0)}.rels`]: relationships(links),
    ...parts,
  });
}

describe("extractSlides", () => {
  it("numbers slides in the order of the presentation, empty and hidden ones included", () => {
    const { text, places, headings, unit } = extractSlides(
      deck([
        shape(holder("body"), paragraph("Alone.", ">")) +
          shape(holder("ctrTitle"), paragraph("Plan", ">")),
        "",
        shape("", paragraph("Third.", ">")) + shape(holder("sldNum"), paragraph("3", ">")),
      ]),
    );
    expect(text).toBe("Plan\n\nAlone.\n\nThird.\n");
    expect(unit).toBe("slide");
    expect(places).toEqual([
      { line: 1, name: "1" },
      { line: 5, name: "3" },
    ]);
    expect(headings).toEqual([{ line: 1, level: 1, title: "Plan" }]);
  });

  it("writes lists, tables, groups, and the text of either alternative once", () => {
    const body = shape(
      "<p:ph/>",
      paragraph("one", ">"),
      paragraph("inner", 'lvl="1">'),
      paragraph("first", "><a:buAutoNum startAt='3'/>"),
      paragraph("second", "><a:buAutoNum startAt='3'/>"),
      paragraph("plain", "><a:buNone/>"),
    );
    const cell = (text: string): string =>
      `<a:tc><a:txBody>${paragraph(text, ">")}</a:txBody></a:tc>`;
    const table = `<p:graphicFrame><a:tbl><a:tr>${cell("a")}${cell("b")}</a:tr><a:tr>${cell("c")}${cell("d")}</a:tr></a:tbl></p:graphicFrame>`;
    const group = `<p:grpSp><p:grpSp>${shape("", "<a:p><a:r><a:t>in</a:t></a:r><a:br/><a:fld><a:t>side</a:t></a:fld></a:p>")}</p:grpSp></p:grpSp>`;
    const either = `<mc:AlternateContent><mc:Choice>${shape("", paragraph("once", ">"))}</mc:Choice><mc:Fallback>${shape("", paragraph("once", ">"))}</mc:Fallback></mc:AlternateContent>`;
    const picture = '<p:pic><p:nvPicPr><p:cNvPr descr="A  map"/></p:nvPicPr></p:pic>';
    expect(extractSlides(deck([body + table + group + either + picture])).text).toBe(
      "- one\n  - inner\n3. first\n4. second\n\nplain\n\na | b\nc | d\n\nin\nside\n\nonce\n\n[Image: A map]\n",
    );
  });

  it("adds diagrams, notes and comments", () => {
    const file = deck(
      [shape("", paragraph("Slide.", ">"))],
      {
        n: ["notesSlide", "../notes/n.xml"],
        d: ["diagramData", "../d.xml"],
        c: ["comments", "../c.xml"],
      },
      {
        "ppt/notes/n.xml": `<n>${shape(holder("body"), paragraph("Say it.", ">"), paragraph("Twice.", ">"))}${shape(holder("sldNum"), paragraph("1", ">"))}</n>`,
        "ppt/d.xml": `<d><pt><t>${paragraph("Box", ">")}</t></pt></d>`,
        "ppt/c.xml": "<cmLst><cm><text>Why?</text></cm></cmLst>",
      },
    );
    expect(extractSlides(file).text).toBe(
      "Slide.\n\nBox\n\nNotes: Say it.\nTwice.\n\nComment: Why?\n",
    );
  });

  it("reads what is there if a slide is missing, and survives circles", () => {
    const slide = shape("", paragraph("Good.", ">"));
    const missing = deck(
      [slide],
      { n: ["notesSlide", "slide1.xml"] },
      {
        "ppt/presentation.xml": '<p><sldId r:id="r0"/><sldId r:id="r9"/></p>',
      },
    );
    const { text, omission } = extractSlides(missing);
    expect(text).toBe("Good.\n");
    expect(omission).toBe("The rest of the document is damaged.");
    expect(failureOf(() => extractSlides(deck([])))).toBe("document-empty");
    expect(failureOf(() => extractSlides(deck(["<<"])))).toBe("document-damaged");
    expect(failureOf(() => extractSlides(zipOf({ a: "" })))).toBe("document-damaged");
  });

  it("reads at most 5,000 slides", () => {
    const ids = '<sldId r:id="r0"/>'.repeat(6000);
    const file = deck(
      [shape("", paragraph("x", ">"))],
      {},
      { "ppt/presentation.xml": `<p>${ids}</p>` },
    );
    const { places, omission } = extractSlides(file);
    expect(places).toHaveLength(5000);
    expect(omission).toBe("Slides after 5,000 were left out.");
  });
});
