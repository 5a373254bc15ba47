import { describe, expect, it } from "vitest";

import {
  attributeOf,
  numberOf,
  relationshipOf,
  XmlReader,
} from "../../../src/extract/archive/xml-reader.ts";

function read(...pieces: readonly (string | Uint8Array)[]): { seen: string; isDamaged: boolean } {
  let seen = "";
  const reader = new XmlReader({
    open(name) {
      seen += `<${name}>`;
      return name === "skip";
    },
    text(text) {
      seen += text;
    },
    close(name) {
      seen += `</${name}>`;
    },
  });
  for (const piece of pieces) {
    if (!reader.write(typeof piece === "string" ? Buffer.from(piece) : piece)) break;
  }
  reader.end();
  return { seen, isDamaged: reader.isDamaged };
}

describe("XmlReader", () => {
  it("names elements without their prefixes, and skips some with their content", () => {
    expect(read("<w:a><x:skip>no<b/><skip/></x:skip>yes<c/>", "<![CDATA[<&]]></w:a>")).toEqual({
      seen: "<a><skip>yes<c></c><&</a>",
      isDamaged: false,
    });
  });

  it.each([
    ["utf16le", "\u{feff}"],
    ["utf16le", ""],
    ["latin1", '<?xml version="1.0" encoding="ISO-8859-1"?>'],
    ["utf8", '<?xml version="1.0" encoding="no-such-encoding"?>'],
    ["utf8", '<?xml version="1.0" encoding="UTF-16"?>'],
  ] as const)("reads %s, declared by %j", (encoding, mark) => {
    expect(read(Buffer.from(`${mark}<a>é</a>`, encoding)).seen).toBe("<a>é</a>");
  });

  it("joins characters that are divided between two pieces", () => {
    const bytes = Buffer.from("<a>€</a>");
    expect(read(bytes.subarray(0, 4), bytes.subarray(4)).seen).toBe("<a>€</a>");
  });

  it("replaces no entities but the five of XML", () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    expect(read(`${bomb}<a>&x;&f;&constructor;&amp;&#65;</a>`).seen).toBe(
      "<a>&x;&f;&constructor;&A</a>",
    );
  });

  it("keeps what precedes damage, and closes nothing after it", () => {
    expect(read("<a><b>text</b><<</a>")).toEqual({ seen: "<a><b>text</b>", isDamaged: true });
    expect(read("<a><b>text</b>")).toEqual({ seen: "<a><b>text</b>", isDamaged: true });
    expect(read("not XML").isDamaged).toBe(true);
  });

  it.each([
    ["deep nesting", "<a>".repeat(100_000)],
    ["many attributes", `<a ${Array.from({ length: 5000 }, (_, at) => `a${at}=""`).join(" ")}/>`],
    ["a long attribute", `<a b="${"x".repeat(9 << 20)}"/>`],
    ["a long text", `<a>${"x".repeat(9 << 20)}</a>`],
    ["a long comment", `<a><!--${"x".repeat(9 << 20)}--></a>`],
    ["a long document type", `<!DOCTYPE a [${"<!ENTITY x 'y'>".repeat(1 << 20)}]><a/>`],
  ])("stops at %s", (_, xml) => {
    expect(read(xml).isDamaged).toBe(true);
  });

  it("stops when its handler is done", () => {
    let count = 0;
    const reader = new XmlReader({
      open: () => {
        count += 1;
        return false;
      },
      isDone: () => count > 0,
    });
    expect(reader.write(Buffer.from(`<a>${"<b/>".repeat(100_000)}`))).toBe(false);
    reader.end();
    expect(reader.isDamaged).toBe(false);
    expect(count).toBeLessThan(20_000);
  });
});

describe("attributes", () => {
  it("are found without their prefixes", () => {
    const attributes = { id: "256", "r:id": "rId2", "w:val": "7", "w:long": "900" };
    expect(attributeOf(attributes, "val")).toBe("7");
    expect(attributeOf(attributes, "al")).toBeUndefined();
    expect(relationshipOf(attributes)).toBe("rId2");
    expect(numberOf(attributes, "val")).toBe(7);
    expect(numberOf(attributes, "long", 99)).toBeUndefined();
    expect(numberOf(attributes, "none")).toBeUndefined();
  });
});
