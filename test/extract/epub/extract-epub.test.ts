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

const point = (link: string, title: string, inner = ""): string =>
  `<navPoint><navLabel><text>${title}</text></navLabel><content src="text/${link}"/>${inner}</navPoint>`;

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

  it("leaves out pages of contents and the index of words", () => {
    const links = Array.from(
      { length: 12 },
      (_, at) => `<p>${at} <a href="b.xhtml#p${at}">Part</a></p>`,
    );
    const index = '<section epub:type="index-group"><p>Word, <a href="b.xhtml">1</a></p></section>';
    const { text } = extractEpub(
      book(
        { a: links.join(""), b: `<h1>B</h1>${index}` },
        '<itemref idref="a"/><itemref idref="b"/>',
      ),
    );
    expect(text).toBe("B\n");
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

  describe("a book with a table of contents", () => {
    const ncx = {
      "OEBPS/toc.ncx": `<ncx><navMap>${point("a%20x.xhtml", "1 First", point("a%20x.xhtml#o2", "1.1 Details", point("a%20x.xhtml#o9", "1.1.1 More")))}${point("b%20x.xhtml", "2 Second")}</navMap></ncx>`,
    };
    const item = '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';
    const extracted = (a: string, b = ""): ReturnType<typeof extractEpub> =>
      extractEpub(book({ a, b }, '<itemref idref="a"/><itemref idref="b"/>', ncx, item));

    it("has its titles as headings where the pages have only paragraphs", () => {
      const { text, headings, places } = extracted(
        '<h2>1 First</h2><p>A.</p><p id="o2"><a name="x"/>1.1 Details</p><p>B.</p><p>1.1.1 More</p><p>C.</p>',
      );
      expect(text).toBe("1 First\n\nA.\n\n1.1 Details\n\nB.\n\n1.1.1 More\n\nC.\n\n2 Second\n");
      expect(headings.map(({ level, title }) => [level, title])).toEqual([
        [2, "1 First"],
        [3, "1.1 Details"],
        [4, "1.1.1 More"],
        [1, "2 Second"],
      ]);
      expect(places[2]).toEqual({ line: 9, name: "111-more" });
    });

    it("has no lists and headings that only lead to other pages", () => {
      const list =
        '<ul><li><a href="b%20x.xhtml">2 Second</a><ul><li><a href="b%20x.xhtml#o">More</a></li></ul></li></ul>';
      const heading = '<h3><a href="b%20x.xhtml#top">2 Second</a></h3>';
      expect(extracted(`<h1>1 First</h1>${list}${heading}<p>A.</p>`).text).toBe(
        "1 First\n\nA.\n\n2 Second\n",
      );
    });

    it("has lists with text, links to the web, and headings that lead back to a list of contents", () => {
      const list =
        '<ul><li>See <a href="b%20x.xhtml">2</a> for all of it</li><li><pre>code</pre>and text</li></ul><ol><li><a href="https://example.com/x">example.com</a></li><li><a href="#o">Here</a></li></ol>';
      const { text, headings } = extracted(
        `<h1><a href="toc.xhtml#first">1 First</a></h1><h2><a href="toc.xhtml">Notes</a></h2>${list}`,
      );
      expect(headings.map(({ title }) => title)).toEqual(["1 First", "Notes", "2 Second"]);
      expect(text).toBe(
        "1 First\n\nNotes\n\n- See 2 for all of it\n\ncode\n\n- and text\n\n1. example.com\n2. Here\n\n2 Second\n",
      );
    });

    it("has no numbers of paragraphs that lead to themselves", () => {
      const numbered =
        '<label><a href="#o7">7</a></label><p id="o7">In 7 days<a href="#f">1</a></p>';
      expect(extracted(`<h1>1 First</h1><p>12</p>${numbered}`).text).toBe(
        "1 First\n\n12\n\nIn 7 days1\n\n2 Second\n",
      );
    });
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
