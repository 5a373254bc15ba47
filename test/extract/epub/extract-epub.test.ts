import { describe, expect, it } from "vitest";

import { extractEpub } from "../../../src/extract/epub/extract-epub.ts";
import { failureOf, zipOf } from "../../helpers/office-files.ts";

const XHTML = "application/xhtml+xml";

function book(
  chapters: Readonly<Record<string, string>>,
  spine: string,
  more: Readonly<Record<string, string>> = {},
  items = "",
): Uint8Array {
  const names = Object.keys(chapters);
  return zipOf({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>',
    "OEBPS/a.opf": `<package><manifest>${items}${names.map((name) => `<item id="${name}" href="text/${name}%20x.xhtml" media-type="${XHTML}"/>`).join("")}</manifest><spine>${spine}</spine></package>`,
    ...Object.fromEntries(
      names.map((name) => [
        `OEBPS/text/${name} x.xhtml`,
        `<?xml version="1.0"?><html><head><title/></head><body>${chapters[name]}</body></html>`,
      ]),
    ),
    ...more,
  });
}

const encryption = (algorithm: string, part: string): Readonly<Record<string, string>> => ({
  "META-INF/encryption.xml": `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${part}"/></CipherData></EncryptedData></encryption>`,
});

const read = (more: Readonly<Record<string, string>>): string =>
  failureOf(() => extractEpub(book({ a: "<p>Text.</p>" }, '<itemref idref="a"/>', more)));

describe("extractEpub", () => {
  it("reads chapters in the order of the spine, each once, what is outside of it last", () => {
    const { text, headings, places, unit } = extractEpub(
      book(
        { a: "<h1>Last</h1><p>A</p>", b: '<a id="x"/><h1>First</h1><p>B</p>', c: "<h2>Aside</h2>" },
        '<itemref idref="c" linear="no"/><itemref idref="b"/><itemref idref="a"/><itemref idref="b"/><itemref idref="z"/>',
      ),
    );
    expect(text).toBe("First\n\nB\n\nLast\n\nA\n\nAside\n");
    expect(headings.map(({ title }) => title)).toEqual(["First", "Last", "Aside"]);
    expect(unit).toBe("section");
    expect(places[1]).toEqual({ line: 5, name: "last" });
  });

  it("takes titles of chapters without headings from the contents, which are no text", () => {
    const nav = {
      "OEBPS/nav.xhtml":
        '<nav><ol><li><a href="text/a%20x.xhtml#p">The <b>beginning</b></a></li></ol></nav>',
    };
    const item = `<item id="n" href="nav.xhtml" properties="nav" media-type="${XHTML}"/>`;
    const spine = '<itemref idref="n"/><itemref idref="a"/>';
    expect(extractEpub(book({ a: "<p>Text.</p>" }, spine, nav, item)).text).toBe(
      "The beginning\n\nText.\n",
    );
    const ncx = {
      "OEBPS/toc.ncx":
        '<ncx><docTitle><text>Book</text></docTitle><navMap><navPoint><navLabel><text>Chapter 1</text></navLabel><content src="text/a%20x.xhtml"/></navPoint></navMap></ncx>',
    };
    const old = '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';
    expect(extractEpub(book({ a: "<p>Text.</p>" }, spine, ncx, old)).text).toBe(
      "Chapter 1\n\nText.\n",
    );
  });

  it("refuses books with encrypted chapters, and reads those whose fonts are hidden", () => {
    const chapter = "OEBPS/text/a%20x.xhtml";
    expect(read(encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", chapter))).toBe(
      "document-encrypted",
    );
    expect(read(encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/font.otf"))).toBe(
      "",
    );
    expect(read(encryption("http://www.idpf.org/2008/embedding", chapter))).toBe("");
  });

  it("says what is damaged", () => {
    const { text, omission } = extractEpub(
      book(
        { a: "<p>Good.</p>", b: "<b>".repeat(10_000) },
        '<itemref idref="a"/><itemref idref="b"/>',
      ),
    );
    expect(text).toBe("Good.\n");
    expect(omission).toBe("The rest of the document is damaged.");
    expect(failureOf(() => extractEpub(zipOf({ a: "" })))).toBe("document-damaged");
    expect(failureOf(() => extractEpub(book({}, "")))).toBe("document-empty");
    const circle = book(
      { a: "x" },
      '<itemref idref="o"/>',
      {},
      `<item id="o" href="a.opf" media-type="${XHTML}"/>`,
    );
    expect(failureOf(() => extractEpub(circle))).toBe("document-empty");
  });
});
