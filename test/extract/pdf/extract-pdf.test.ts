import { deflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import { DocumentError } from "../../../src/base/documents/document.ts";
import { extractPdf } from "../../../src/extract/pdf/extract-pdf.ts";
import {
  encryptedPdf,
  pdfOf,
  PdfObjects,
  type PdfPageSpec,
  type PdfTextSpec,
} from "../../helpers/pdf.ts";

/** Lines of text, one below the other. */
function lines(texts: readonly string[], from: Partial<PdfTextSpec> = {}): readonly PdfTextSpec[] {
  const { y = 700, size = 10 } = from;
  return texts.map((text, at) => ({ ...from, text, size, y: y - at * size * 1.2 }));
}

function page(...texts: readonly string[]): PdfPageSpec {
  return { texts: lines(texts) };
}

async function failureOf(bytes: Uint8Array): Promise<unknown> {
  const thrown: unknown = await extractPdf(bytes).then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof DocumentError ? thrown.failure : thrown;
}

/** The lines of a page. */
function textOf({ text, places }: DocumentText, name: string): string {
  const at = places.findIndex((place) => place.name === name);
  const end = places[at + 1]?.line;
  return text
    .split("\n")
    .slice((places[at]?.line ?? 0) - 1, end === undefined ? undefined : end - 1)
    .join("\n")
    .trim();
}

describe("text", () => {
  it("is that of the pages, by the number of the page", async () => {
    const document = await extractPdf(pdfOf([page("One."), {}, page("Two,", "and three.")]));
    expect(document).toEqual({
      text: "One.\n\nTwo,\nand three.\n",
      unit: "page",
      places: [
        { line: 1, name: "1" },
        { line: 3, name: "3" },
      ],
      headings: [],
      code: [],
      omission: undefined,
    });
  });

  it("has an empty line between paragraphs, and a space between words that are apart", async () => {
    const texts = [
      { text: "First", y: 700 },
      { text: "line,", x: 97, y: 700 },
      { text: "second line.", y: 688 },
      { text: "third line.", y: 676 },
      { text: "A paragraph", y: 650 },
      { text: "Value", x: 300, y: 650 },
    ];
    const { text } = await extractPdf(pdfOf([{ texts }]));
    expect(text).toBe("First line,\nsecond line.\nthird line.\n\nA paragraph  Value\n");
  });

  it("has the parts of a line from left to right, however they were written", async () => {
    const texts = [
      { text: "[Function]", x: 400, y: 700 },
      { text: "int read", x: 72, y: 700 },
    ];
    expect((await extractPdf(pdfOf([{ texts }]))).text).toBe("int read  [Function]\n");
  });

  it("joins words that a line end divides, with the hyphen if the document has the word so", async () => {
    const texts = lines([
      "For exam-",
      "ple, a well-known or well-",
      "known word of pre-",
      "Roman times",
    ]);
    expect((await extractPdf(pdfOf([{ texts }]))).text).toBe(
      "For example,\na well-known or well-known\nword of pre-\nRoman times\n",
    );
  });

  it("has no ligatures", async () => {
    const fonts = {
      L: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [65 /fi /ffl] >> >>",
    };
    const content = Buffer.from("BT /L 10 Tf 72 700 Td (A) Tj ET BT /L 10 Tf 72 680 Td (B) Tj ET");
    expect((await extractPdf(pdfOf([{ content, fonts }]))).text).toContain("fi\n");
    expect((await extractPdf(pdfOf([{ content, fonts }]))).text).toContain("ffl\n");
  });

  it("has Japanese of a font whose table of codes is not in the document", async () => {
    const fonts = {
      J:
        "<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts " +
        "[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo " +
        "<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>] >>",
    };
    // "日本語" in Shift JIS.
    const content = Buffer.from("BT /J 10 Tf 72 700 Td <93fa967b8cea> Tj ET");
    expect((await extractPdf(pdfOf([{ content, fonts }]))).text).toBe("日本語\n");
  });

  it("is the same each time", async () => {
    const bytes = pdfOf([page("One.", "Two."), page("Three.")], [{ title: "One.", page: 0 }]);
    expect(await extractPdf(bytes)).toEqual(await extractPdf(bytes));
  });
});

describe("code", () => {
  it("is lines in a font whose characters have one width, with their indentation", async () => {
    const texts = [
      { text: "Example of a loop:", y: 700 },
      ...lines(["while (more) {"], { y: 680, font: "Courier" }),
      ...lines(["next(0,  1);"], { y: 668, x: 72 + 2 * 6, font: "Courier" }),
      ...lines(["}"], { y: 656, font: "Courier" }),
      ...lines(["done()"], { y: 632, font: "Courier" }),
    ];
    const { text, code } = await extractPdf(pdfOf([{ texts }]));
    expect(text).toBe("Example of a loop:\n\nwhile (more) {\n  next(0,  1);\n}\n\ndone()\n");
    expect(code).toEqual([{ startLine: 3, endLine: 7, language: "" }]);
  });

  it("is not a line in a paragraph", async () => {
    const texts = [
      { text: "The function that is called", y: 700 },
      { text: "read_all_of_it", y: 688, font: "Courier" as const },
      { text: "does it.", y: 676 },
    ];
    const { text, code } = await extractPdf(pdfOf([{ texts }]));
    expect(text).toBe("The function that is called\nread_all_of_it\ndoes it.\n");
    expect(code).toEqual([]);
  });
});

describe("headings", () => {
  it("are those of the outline, at the lines with their titles", async () => {
    const pages = [
      page("Manual", "By nobody", "1 Be", "ginnings", "Text."),
      page("Text of Usage.", "Usage", "More text."),
    ];
    const outline = [
      { title: "Beginnings", page: 0, items: [{ title: "Usage", page: 1, y: 700 }] },
      { title: "Not there", page: 1, y: 680 },
    ];
    const document = await extractPdf(pdfOf(pages, outline));
    expect(document.headings).toEqual([
      { line: 4, level: 1, title: "Beginnings" },
      { line: 10, level: 2, title: "Usage" },
      { line: 12, level: 1, title: "Not there" },
    ]);
    expect(document.text.split("\n")[3]).toBe("1 Be ginnings");
    expect(textOf(document, "2")).toBe("Text of Usage.\n\nUsage\n\nNot there\n\nMore text.");
  });

  it("are large lines if there is no outline, in levels by size", async () => {
    const body = lines(["Some words of text", "that go on and on"], { y: 600 });
    const texts = [
      { text: "The guide", y: 740, size: 20 },
      { text: "Install it", y: 640, size: 14 },
      ...body,
      { text: "Remove it", y: 560, size: 14 },
      ...lines(["More words of text", "that go on and on, ", "and end."], { y: 530 }),
      ...lines(["And some others", "on lines", "of text", "to be read."], { y: 400 }),
    ];
    const { headings } = await extractPdf(pdfOf([{ texts }]));
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, "The guide"],
      [2, "Install it"],
      [2, "Remove it"],
    ]);
  });

  it("are lines in a font of their own if there is no outline", async () => {
    const bold = "Helvetica-Bold" as const;
    const texts = [
      { text: "Name of it", y: 740, font: bold },
      ...lines(["Some words of text that go on", "and on and on until the end"], { y: 728 }),
      { text: "Usage of it", y: 690, font: bold },
      { text: "Important", y: 678, font: bold },
      ...lines(["More words of text that go on", "and on and on until the end"], { y: 666 }),
      { text: "Never", y: 642, font: bold },
      { text: "do that with text that goes on", x: 110, y: 642 },
      ...lines(["More words of text that go on", "and on and on until the end"], { y: 630 }),
    ];
    const { headings } = await extractPdf(pdfOf([{ texts }]));
    expect(headings.map(({ level, title }) => [level, title])).toEqual([[1, "Name of it"]]);
  });
});

describe("headers and footers", () => {
  it("are left out: lines that repeat at one height, and numbers of pages", async () => {
    const pages = ["Apples", "Pears", "Plums", "Cherries"].map((fruit, at) => ({
      texts: [
        { text: `Chapter ${fruit} ${at + 1}`, y: 760 },
        { text: `About ${fruit}`, y: 700 },
        { text: "The fruit guide", y: 40 },
      ],
    }));
    expect((await extractPdf(pdfOf(pages))).text).toBe(
      "About Apples\n\nAbout Pears\n\nAbout Plums\n\nAbout Cherries\n",
    );
  });

  it("are not all that a page has", async () => {
    const document = await extractPdf(pdfOf(Array.from({ length: 4 }, () => page("The same."))));
    expect(document.text).toBe("The same.\n\nThe same.\n\nThe same.\n\nThe same.\n");
  });
});

describe("documents without text", () => {
  it.each([
    ["that need a password", encryptedPdf("Text", "secret"), "document-encrypted"],
    ["that are images", pdfOf([{ hasImage: true }, { hasImage: true }]), "document-images-only"],
    ["that are empty", pdfOf([{}]), "document-empty"],
    ["without pages", pdfOf([]), "document-damaged"],
    ["that are no PDF", Buffer.from("Hello"), "document-damaged"],
    ["of no bytes", new Uint8Array(), "document-damaged"],
  ])("%s", async (_, bytes, failure) => {
    expect(await failureOf(bytes)).toBe(failure);
  });

  it("are not those that anybody may read, encrypted or not", async () => {
    expect((await extractPdf(encryptedPdf("For all", ""))).text).toBe("For all\n");
  });
});

describe("omissions", () => {
  it("count pages without text in a document with images", async () => {
    const pages = [page("One."), { hasImage: true }, { hasImage: true }];
    expect((await extractPdf(pdfOf(pages))).omission).toBe(
      "Pages without text, which may be images: 2 of 3.",
    );
  });

  it("count pages that cannot be read", async () => {
    const objects = new PdfObjects();
    const good = objects.stream(Buffer.from("BT /F 10 Tf 72 700 Td (Good) Tj ET"));
    const [tree, setTree] = objects.later();
    const fonts =
      "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    const first = objects.add(
      `<< /Type /Page /Parent ${tree} /MediaBox [0 0 612 792] /Contents ${good} ${fonts} >>`,
    );
    setTree(`<< /Type /Pages /Kids [${first} 99 0 R] /Count 2 >>`);
    const document = await extractPdf(
      objects.file(objects.add(`<< /Type /Catalog /Pages ${tree} >>`)),
    );
    expect(document.text).toBe("Good\n");
  });

  it("say that pages after 5,000 were left out", async () => {
    const objects = new PdfObjects();
    const [tree, setTree] = objects.later();
    const kids = Array.from({ length: 5001 }, () =>
      objects.add(`<< /Type /Page /Parent ${tree} /MediaBox [0 0 612 792] >>`),
    );
    const content = objects.stream(Buffer.from("BT /F 10 Tf 72 700 Td (Good) Tj ET"));
    const first = objects.add(
      `<< /Type /Page /Parent ${tree} /MediaBox [0 0 612 792] /Contents ${content} ` +
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    );
    setTree(`<< /Type /Pages /Kids [${[first, ...kids].join(" ")}] /Count 5002 >>`);
    const file = objects.file(objects.add(`<< /Type /Catalog /Pages ${tree} >>`));
    expect((await extractPdf(file)).omission).toBe("Pages after 5,000 were left out.");
  });
});

/** A document whose pages have these contents. */
function documentOf(contents: readonly Uint8Array[], filter: string): Uint8Array {
  const objects = new PdfObjects();
  const [tree, setTree] = objects.later();
  const kids = contents.map((content) => {
    const stream = objects.stream(content, `/Filter ${filter}`);
    return objects.add(
      `<< /Type /Page /Parent ${tree} /MediaBox [0 0 612 792] /Contents ${stream} ` +
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    );
  });
  setTree(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`);
  return objects.file(objects.add(`<< /Type /Catalog /Pages ${tree} >>`));
}

describe("hostile documents", () => {
  const bomb = deflateSync(Buffer.alloc(100 << 20, " "));
  const good = deflateSync(Buffer.from("BT /F 10 Tf 72 700 Td (Good) Tj ET"));

  it("do not unpack without limit", async () => {
    const before = process.memoryUsage.rss();
    const twice = deflateSync(bomb);
    expect(await failureOf(documentOf([bomb], "/FlateDecode"))).toBe("document-too-large");
    expect(await failureOf(documentOf([twice], "[/FlateDecode /FlateDecode]"))).toBe(
      "document-too-large",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(400e6);
  });

  it("keep the text of their other pages", async () => {
    const { text, omission } = await extractPdf(documentOf([bomb, good], "/FlateDecode"));
    expect(text).toBe("Good\n");
    expect(omission).toBe(
      "Pages that could not be read: 1 of 2. Parts of pages that are too large were left out.",
    );
  });

  it("with circles in their pages, outlines and forms end", async () => {
    const objects = new PdfObjects();
    const [tree, setTree] = objects.later();
    setTree(`<< /Type /Pages /Kids [${tree} ${tree}] /Count 1000000000 >>`);
    const pages = objects.file(objects.add(`<< /Type /Catalog /Pages ${tree} >>`));
    expect(await failureOf(pages)).toBe("document-damaged");

    const circle = new PdfObjects();
    const [kids, setKids] = circle.later();
    const [form, setForm] = circle.later();
    const [item, setItem] = circle.later();
    setForm(
      `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 5 /Resources << /XObject << /X ${form} >> >> >>\n` +
        "stream\n/X Do\nendstream",
    );
    const content = circle.stream(Buffer.from("BT /F 10 Tf 72 700 Td (Good) Tj ET /X Do"));
    const only = circle.add(
      `<< /Type /Page /Parent ${kids} /MediaBox [0 0 612 792] /Contents ${content} /Resources << ` +
        `/XObject << /X ${form} >> /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
    );
    setKids(`<< /Type /Pages /Kids [${only}] /Count 1 >>`);
    setItem(`<< /Title (Good) /Dest [${only} /Fit] /Next ${item} /First ${item} >>`);
    const root = circle.add(
      `<< /Type /Catalog /Pages ${kids} /Outlines << /First ${item} /Last ${item} >> >>`,
    );
    const document = await extractPdf(circle.file(root));
    expect(document.headings).toEqual([{ line: 1, level: 1, title: "Good" }]);
  });

  it("that are cut off or changed give text or a failure, and nothing else", async () => {
    const bytes = pdfOf(
      Array.from({ length: 3 }, (_, at) => page(`Page ${at}`, "Some text.", "More text.")),
      [{ title: "Some text", page: 1, items: [{ title: "More text", page: 2 }] }],
    );
    const outcomes = new Set<unknown>();
    for (let seed = 1; seed <= 120; seed += 1) {
      const changed = seed % 3 === 0 ? bytes.slice(0, (bytes.length * seed) / 120) : bytes.slice();
      for (let at = seed % 3 === 0 ? 20 : 0; at < 20; at += 1) {
        const place = (seed * 7919 + at * 104_729 * seed) % changed.length;
        changed[place] = (changed[place] ?? 0) ^ (1 << ((at * seed) % 8));
      }
      outcomes.add(await failureOf(changed));
    }
    outcomes.delete(undefined);
    expect([...outcomes].filter((outcome) => typeof outcome !== "string")).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(0);
  });
});
