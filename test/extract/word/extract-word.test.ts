import { describe, expect, it } from "vitest";

import { extractWord } from "../../../src/extract/word/extract-word.ts";
import {
  failureOf,
  paragraph,
  relationships,
  wordFile,
  zipOf,
} from "../../helpers/office-files.ts";

const style = (id: string, name: string, more = ""): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
const styled = (id: string): string => `<w:pStyle w:val="${id}"/>`;
const inList = (id: number, level = 0): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
const level = (at: number, format: string, text: string): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const reference = (kind: string, id: number): string =>
  `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
const notes = (kind: string, texts: readonly string[]): string =>
  `<w:${kind}s xmlns:w="w">${texts.map((text, id) => `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}>`).join("")}</w:${kind}s>`;
const field = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const NUMBERING = `<w:numbering xmlns:w="w">
  <w:abstractNum w:abstractNumId="7">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "%1.%2)")}</w:abstractNum>
  <w:abstractNum w:abstractNumId="8">${level(0, "bullet", "·")}${level(1, "bullet", "o")}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
</w:numbering>`;

function textOf(body: string, parts?: Readonly<Record<string, string>>): string {
  return extractWord(wordFile(body, parts)).text;
}

const inFont = (text: string, font: string): string =>
  `<w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const codeLine = (...runs: string[]): string => `<w:p>${runs.join("")}</w:p>`;

describe("extractWord", () => {
  it("finds headings by the names, levels and bases of styles with localised ids", () => {
    const styles = `<w:styles xmlns:w="w">
      ${style("berschrift1", "heading 1")}
      ${style("Eigene", "Eigene", '<w:basedOn w:val="berschrift1"/>')}
      ${style("Inhalt", "TOC Heading", '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')}
      ${style("Tief", "Tief", '<w:pPr><w:outlineLvl w:val="3"/></w:pPr>')}
      ${style("Titel", "Title")}${style("TOC1", "toc 1")}
      ${style("Ring", "Ring", '<w:basedOn w:val="Kette"/>')}${style("Kette", "Kette", '<w:basedOn w:val="Ring"/>')}
    </w:styles>`;
    const { text, headings, places, unit } = extractWord(
      wordFile(
        [
          paragraph("Report", styled("Titel")),
          paragraph("Contents", styled("Inhalt")),
          paragraph("First 1", styled("TOC1")),
          paragraph("First", styled("berschrift1")),
          paragraph("Second", styled("Eigene")),
          paragraph("Deep", styled("Tief")),
          paragraph("Direct", '<w:outlineLvl w:val="1"/>'),
          paragraph("Round", styled("Ring")),
        ].join(""),
        { styles },
      ),
    );
    expect(text).toBe("Report\n\nContents\n\nFirst\n\nSecond\n\nDeep\n\nDirect\n\nRound\n");
    expect(headings.map((each) => [each.level, each.title])).toEqual([
      [1, "Report"],
      [1, "First"],
      [1, "Second"],
      [4, "Deep"],
      [2, "Direct"],
    ]);
    expect(unit).toBe("section");
    expect(places[1]).toEqual({ line: 5, name: "first" });
  });

  it("numbers lists, and headings that are in one", () => {
    const body = [
      paragraph("one", inList(1)),
      paragraph("two", inList(1)),
      paragraph("deep", inList(1, 1)),
      paragraph("deeper", inList(1, 1)),
      paragraph("three", inList(1)),
      paragraph("Between."),
      paragraph("dot", inList(2)),
      paragraph("inner", inList(2, 1)),
      paragraph("Break."),
      paragraph("five", inList(3)),
      paragraph("Part", `<w:outlineLvl w:val="0"/>${inList(3)}`),
      paragraph("unknown list", inList(99)),
    ].join("");
    const { text, headings } = extractWord(wordFile(body, { numbering: NUMBERING }));
    expect(text).toBe(
      "1. one\n2. two\n  2.a) deep\n  2.b) deeper\n3. three\n\nBetween.\n\n- dot\n  - inner\n\nBreak.\n\n" +
        "5. five\n\n6. Part\n\nunknown list\n",
    );
    expect(headings).toEqual([{ line: 16, level: 1, title: "Part" }]);
  });

  it("writes tables as rows, inner tables in their cell, and a frame as its text", () => {
    const inner = `<w:tbl><w:tr>${cell("x")}${cell("y")}</w:tr></w:tbl>`;
    const body =
      `<w:tbl><w:tr>${cell("a")}${cell("b\nc")}</w:tr><w:tr>${cell("")}${cell("d")}</w:tr>` +
      `<w:tr>${cell("e")}<w:tc>${inner}</w:tc></w:tr></w:tbl>` +
      `<w:tbl><w:tr><w:tc>${paragraph("One.")}${paragraph("Two.")}</w:tc></w:tr></w:tbl>`;
    expect(textOf(body)).toBe("a | b c\n | d\ne | x | y\n\nOne.\nTwo.\n");
  });

  it("keeps code line by line, by the name of its style or by its font", () => {
    const styles = `<w:styles xmlns:w="w">
      ${style("SourceCode", "Source Code")}
      ${style("Mono", "My listing", '<w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr>')}
    </w:styles>`;
    const { text, code } = extractWord(
      wordFile(
        paragraph("Text.") +
          paragraph(
            '<![CDATA[if (a < b) {]]></w:t><w:br/><w:t xml:space="preserve">  f();',
            styled("SourceCode"),
          ) +
          paragraph("}", styled("Mono")) +
          paragraph("More."),
        { styles },
      ),
    );
    expect(text).toBe("Text.\n\nif (a < b) {\n  f();\n}\n\nMore.\n");
    expect(code).toEqual([{ startLine: 3, endLine: 5, language: "" }]);
  });

  it("keeps a program line by line that was pasted in the font of an editor, also in a frame", () => {
    const body = [
      paragraph("Text."),
      codeLine(inFont("class ", "Consolas"), inFont("A {", "Cascadia Code")),
      codeLine(inFont("    int b;", "Consolas")),
      codeLine(inFont("};", "Consolas")),
      codeLine(inFont("Set ", "Arial"), inFont("b", "Consolas")),
      codeLine(inFont(`${"long ".repeat(50)}paragraph`, "Courier New")),
      `<w:tbl><w:tr><w:tc>${codeLine(inFont("if (a)", "Consolas"))}${codeLine(inFont("  f();", "Consolas"))}</w:tc></w:tr></w:tbl>`,
    ];
    const { text, code } = extractWord(wordFile(body.join("")));
    expect(text).toBe(
      `Text.\n\nclass A {\n    int b;\n};\n\nSet b\n\n${"long ".repeat(50)}paragraph\n\nif (a)\n  f();\n`,
    );
    expect(code.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [3, 5],
      [11, 12],
    ]);
  });

  it("leaves out what a reader does not see: deleted and hidden text, and the instructions of fields", () => {
    const body =
      `<w:p>${run("a")}<w:del>${run("no")}</w:del><w:ins>${run("b")}</w:ins>` +
      `<w:moveFrom>${run("no")}</w:moveFrom>${run("no", "<w:vanish/>")}${run("c", '<w:vanish w:val="0"/>')}` +
      `${field("begin")}<w:r><w:instrText>PAGE</w:instrText></w:r>${run("no")}${field("separate")}${run("d")}` +
      `${field("end")}<w:hyperlink>${run("e")}</w:hyperlink></w:p>` +
      `<w:p>${field("begin")}${run("no")}</w:p>${paragraph("f")}`;
    expect(textOf(body)).toBe("abcde\n\nf\n");
  });

  it("reads a text box once, after its paragraph", () => {
    const box = `<w:txbxContent>${paragraph("Box.")}</w:txbxContent>`;
    const both =
      `<mc:AlternateContent xmlns:mc="mc"><mc:Choice><wp:docPr descr="A  picture" xmlns:wp="wp"/>${box}</mc:Choice>` +
      `<mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
    const only = `<mc:AlternateContent xmlns:mc="mc"><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
    const body = `<w:p><w:r>${both}<w:t>Text.</w:t></w:r></w:p><w:p><w:r>${only}<w:t>More.</w:t></w:r></w:p>`;
    expect(textOf(body)).toBe("[Image: A picture]Text.\n\nBox.\n\nMore.\n\nBox.\n");
  });

  it("puts notes and comments at the end", () => {
    const body = `<w:p><w:r><w:t>One</w:t></w:r>${reference("endnote", 1)}<w:r><w:t> two</w:t></w:r>${reference("footnote", 2)}</w:p>`;
    const comments = `<w:comments xmlns:w="w"><w:comment w:author="Ann">${paragraph("Why?")}${paragraph("Tell me.")}</w:comment></w:comments>`;
    expect(
      textOf(body, {
        footnotes: notes("footnote", ["line", "unused", "Foot."]),
        endnotes: notes("endnote", ["line", "End."]),
        comments,
      }),
    ).toBe("One[1] two[2]\n\n[1] End.\n\n[2] Foot.\n\nComment by Ann: Why?\nTell me.\n");
  });

  it("reads tabs, breaks, hyphens, symbols, formulas and large first letters", () => {
    const body =
      `<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>` +
      `<w:p><w:r><w:t>nce</w:t><w:tab/><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:sym w:char="00B5"/>` +
      `<w:sym w:char="F0B7"/><w:t>c </w:t></w:r><m:oMath xmlns:m="m"><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e>` +
      `<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>`;
    expect(textOf(body)).toBe("Once\ta\nb-µc x^2\n");
  });

  it("reads documents in other namespaces, with other prefixes, and parts at other places", () => {
    const file = zipOf({
      "_rels/.rels": relationships({ r1: ["officeDocument", "/x/main.xml"] }),
      "x/main.xml": `<document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><t>Strict.</t></r></p></body></document>`,
    });
    expect(extractWord(file).text).toBe("Strict.\n");
  });

  it("keeps the text before damage, and says so", () => {
    const { text, omission } = extractWord(wordFile(`${paragraph("Good.")}<w:p><<`));
    expect(text).toBe("Good.\n");
    expect(omission).toBe("The rest of the document is damaged.");
    expect(failureOf(() => extractWord(wordFile("<<")))).toBe("document-damaged");
    expect(failureOf(() => extractWord(wordFile("")))).toBe("document-empty");
    expect(failureOf(() => extractWord(zipOf({ "a.txt": "text" })))).toBe("document-damaged");
    expect(failureOf(() => extractWord(Buffer.from("no zip")))).toBe("document-damaged");
  });

  it("keeps the text that precedes a bomb", { timeout: 60_000 }, () => {
    const many = `<w:p/>${" ".repeat(3 << 20)}`.repeat(22);
    const { text, omission } = extractWord(wordFile(paragraph("Good.") + many));
    expect(text).toBe("Good.\n");
    expect(omission).toBe("The rest of the document is too large.");
  });

  it("is not stopped by nesting, endless lists, and circles of parts", () => {
    const deep = "<w:tbl><w:tr><w:tc>".repeat(50_000);
    expect(extractWord(wordFile(paragraph("Good.") + deep)).text).toBe("Good.\n");
    const fields = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(50_000);
    expect(textOf(`<w:p>${fields}</w:p>${paragraph("Good.")}`)).toBe("Good.\n");
    const circle = zipOf({
      "_rels/.rels": relationships({ r1: ["officeDocument", "word/document.xml"] }),
      "word/document.xml": `<d>${paragraph("Good.")}</d>`,
      "word/_rels/document.xml.rels": relationships({
        a: ["styles", "document.xml"],
        b: ["numbering", "../../../word/document.xml"],
        c: ["comments", "document.xml"],
      }),
    });
    expect(extractWord(circle).text).toBe("Good.\n");
  });
});
