// Malicious documents: bombs, cycles and deep nesting. Generating a bomb takes few bytes and little memory.
import { constants, crc32, deflateRawSync } from "node:zlib";

import { pick, type Random } from "../quality/random.ts";
import { joined, whole } from "./mutate.ts";

type Make = (random: Random) => Uint8Array;

const PIECE = 1 << 20;
const DEPTH = 200_000;

/** Format name -> generators of its documents. */
export const HOSTILE: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  pdf: {
    "page tree in a circle": () =>
      pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>"]),
    "two billion pages": () =>
      pdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
      ]),
    "outline in a circle": () =>
      pdf([
        "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        "<< /First 5 0 R /Last 5 0 R /Count 1 >>",
        "<< /Title (a) /Parent 4 0 R /Next 5 0 R /First 4 0 R /Dest [3 0 R /Fit] >>",
      ]),
    "arrays nested": () =>
      pdf([`<< /Type /Catalog /Pages ${"[".repeat(DEPTH)}${"]".repeat(DEPTH)} >>`]),
    "form in itself": () => pagePdf(Buffer.from("/F Do"), "", "/XObject << /F 5 0 R >>"),
    "content that is a bomb": (random) =>
      pagePdf(deflated(100 + whole(random, 200), "BT (a) Tj ET q "), "/Filter /FlateDecode"),
    "content packed twice": () =>
      pagePdf(deflated(64, "\0"), "/Filter [/FlateDecode /FlateDecode /ASCIIHexDecode]"),
    "references in a circle": () => pdf(["2 0 R", "1 0 R"].map((reference) => reference)),
    "previous table in a circle": () =>
      Buffer.from(
        "%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer << /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF",
      ),
  },
  word: {
    ...zipBombs(
      "word/document.xml",
      WORD(),
      "<w:p><w:r><w:t>boom boom boom boom</w:t></w:r></w:p>",
    ),
    "paragraphs nested": () =>
      docx(`${"<w:sdt><w:sdtContent>".repeat(DEPTH)}${"</w:sdtContent></w:sdt>".repeat(DEPTH)}`),
    "tables nested": () =>
      docx(`${"<w:tbl><w:tr><w:tc>".repeat(DEPTH)}${"</w:tc></w:tr></w:tbl>".repeat(DEPTH)}`),
    "million columns": () => docx(`<w:tbl><w:tr>${"<w:tc/>".repeat(1_000_000)}</w:tr></w:tbl>`),
  },
  slides: {
    ...zipBombs("ppt/presentation.xml", '<p:presentation xmlns:p="p">', "<p:sldId/>"),
    "a million slides": () =>
      zipped({
        "[Content_Types].xml": "<Types/>",
        "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${'<p:sldId r:id="rId1"/>'.repeat(1_000_000)}</p:sldIdLst></p:presentation>`,
        "ppt/_rels/presentation.xml.rels":
          '<Relationships><Relationship Id="rId1" Type="slide" Target="slides/slide1.xml"/></Relationships>',
        "ppt/slides/slide1.xml":
          '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>again and again</a:t></a:r></a:p></p:sld>',
      }),
  },
  spreadsheet: {
    ...zipBombs(
      "xl/sharedStrings.xml",
      '<sst xmlns="x">',
      "<si><t>boom boom boom boom boom</t></si>",
    ),
    "cells far away": () =>
      xlsx('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>'),
    "row with a number that is none": () =>
      xlsx('<row r="1e999"><c r="ZZZZZZZ-1"><v>1</v></c></row>'),
    "a million times the longest text": () =>
      xlsx(
        `<row r="1">${'<c t="s"><v>0</v></c>'.repeat(1_000_000)}</row>`,
        "long ".repeat(200_000),
      ),
  },
  epub: {
    ...zipBombs("chapter.xhtml", "<html><body>", "<p>boom boom boom boom boom boom</p>"),
    "elements nested": () => epub(`${"<div>".repeat(DEPTH)}deep${"</div>".repeat(DEPTH)}`),
    "a chapter ten thousand times": () => epub("<h1>Again</h1><p>the same</p>", 10_000),
  },
  notebook: {
    "arrays nested": () => Buffer.from(`{"cells":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}`),
    "objects nested": () => Buffer.from(`${'{"cells":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`),
    "a million cells": () =>
      Buffer.from(
        `{"cells":[${'{"cell_type":"code","source":"1"},'.repeat(1_000_000)}{}],"nbformat":4}`,
      ),
    "one line of 30 MB": () =>
      Buffer.from(
        `{"cells":[{"cell_type":"markdown","source":"${"#[a](<".repeat(5_000_000)}"}],"nbformat":4}`,
      ),
  },
  email: {
    "parts nested": () => Buffer.from(nestedMail(2000)),
    "a header of 10 MB": () =>
      Buffer.from(`Subject: ${"=?utf-8?B?YQ==?= ".repeat(600_000)}\n\nbody\n`),
    "boundaries without end": () =>
      Buffer.from(
        `Content-Type: multipart/mixed; boundary=a\n\n${"--a\nContent-Type: message/rfc822\n\n".repeat(100_000)}`,
      ),
    "markup nested": () =>
      Buffer.from(
        `Content-Type: text/html\n\n${"<div><b>".repeat(DEPTH)}deep${"</b></div>".repeat(DEPTH)}`,
      ),
  },
};

export function hostileDocument(
  format: string,
  random: Random,
): { kind: string; bytes: Uint8Array } {
  const [kind, make] = pick(Object.entries(HOSTILE[format] ?? {}), random) ?? [];
  if (kind === undefined || make === undefined) throw new RangeError(`no hostile ${format}`);
  return { kind, bytes: make(random) };
}

/** Objects, numbered from 1. */
function pdf(objects: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = 9;
  for (const [at, object] of objects.entries()) {
    const body = [`${at + 1} 0 obj\n`, object, "\nendobj\n"].map((part) => Buffer.from(part));
    offsets.push(length);
    parts.push(...body);
    length += body.reduce((sum, part) => sum + part.length, 0);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return joined(...parts);
}

/** One page with this content. */
function pagePdf(content: Uint8Array, filter: string, resources = ""): Uint8Array {
  const stream = (more: string): Uint8Array =>
    joined(
      Buffer.from(`<< /Length ${content.length} ${filter} ${more} >>\nstream\n`),
      content,
      Buffer.from("\nendstream"),
    );
  return pdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << ${resources} >> >>`,
    stream(""),
    stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`),
  ]);
}

interface Packed {
  readonly deflated: Uint8Array;
  readonly crc: number;
  readonly size: number;
}

/**
 * `head`, then `text` repeated up to this many MiB. A piece is compressed once and repeated, which the format allows.
 */
function packed(mebibytes: number, text: string, head = ""): Packed {
  const start = Buffer.from(head);
  const piece = Buffer.from(text.repeat(Math.ceil(PIECE / text.length)));
  const options = { finishFlush: constants.Z_FULL_FLUSH };
  const [packedStart, packedPiece] = [start, piece].map((bytes) => deflateRawSync(bytes, options));
  let crc = crc32(start);
  for (let done = 0; done < mebibytes; done += 1) crc = crc32(piece, crc);
  const pieces = Array<Uint8Array>(mebibytes).fill(packedPiece ?? start);
  return {
    deflated: joined(packedStart ?? start, ...pieces, deflateRawSync("")),
    crc,
    size: start.length + mebibytes * piece.length,
  };
}

/** A zlib stream without its final checksum, which PDF readers do not need. */
function deflated(mebibytes: number, text: string): Uint8Array {
  return joined(Buffer.from([0x78, 0x9c]), packed(mebibytes, text).deflated);
}

/** Two bombs: one file that unpacks to hundreds of MiB, and a thousand files that unpack to one MiB each. */
function zipBombs(name: string, head: string, body: string): Readonly<Record<string, Make>> {
  return {
    "file that is a bomb": (random) =>
      zipOf({ [name]: packed(100 + whole(random, 200), body, head) }),
    "a thousand files": () => {
      const file = packed(1, body, head);
      const names = Array.from({ length: 1000 }, (_file, at) =>
        at === 0 ? name : `${at}/${name}`,
      );
      return zipOf(Object.fromEntries(names.map((each) => [each, file])));
    },
  };
}

function zipped(files: Readonly<Record<string, string>>): Uint8Array {
  return zipOf(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        { deflated: deflateRawSync(text), crc: crc32(text), size: Buffer.byteLength(text) },
      ]),
    ),
  );
}

/** All files are compressed, in this order. */
function zipOf(files: Readonly<Record<string, Packed>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, { deflated: bytes, crc, size }] of Object.entries(files)) {
    // Version 2.0, no flags, deflated, no time.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), bytes);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), common, place, Buffer.from(name));
    offset += 30 + name.length + bytes.length;
  }
  const count = Object.keys(files).length;
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(joined(...directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return joined(...parts, ...directory, end);
}

function WORD(): string {
  return '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';
}

function docx(body: string): Uint8Array {
  return zipped({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `${WORD()}${body}</w:body></w:document>`,
  });
}

function xlsx(rows: string, shared = "text"): Uint8Array {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return zipped({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/sharedStrings.xml": `<sst xmlns="${main}"><si><t>${shared}</t></si></sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}

function epub(body: string, times = 1): Uint8Array {
  return zipped({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "book.opf": `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="chapter.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${'<itemref idref="c"/>'.repeat(times)}</spine></package>`,
    "chapter.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`,
  });
}

function nestedMail(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_part, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`,
  );
  return `Subject: deep\nMIME-Version: 1.0\n${open.join("")}Content-Type: text/plain\n\ndeep\n`;
}
