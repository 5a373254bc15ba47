import { strFromU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";

import { DocumentError } from "../../../src/base/documents/document.ts";
import { ZipArchive } from "../../../src/extract/archive/zip-archive.ts";
import { zipOf } from "../../helpers/office-files.ts";

const LONG = Array.from({ length: 5000 }, (_, at) => `line ${at * 7919}\n`).join("");

function textOf(archive: ZipArchive, name: string): { text: string; isWhole: boolean } {
  let text = "";
  const isWhole = archive.read(name, (bytes) => {
    text += strFromU8(bytes);
    return true;
  });
  return { text, isWhole };
}

function failure(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    if (error instanceof DocumentError) return error.failure;
    throw error;
  }
}

/** Writes a 32-bit number over the one at each place with a signature. */
function patch(zip: Uint8Array, signature: number, offset: number, value: number): Uint8Array {
  const copy = zip.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 4 <= copy.length; at += 1) {
    if (view.getUint32(at, true) === signature) view.setUint32(at + offset, value, true);
  }
  return copy;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

describe("ZipArchive", () => {
  it("reads packed and stored files, whatever the case of their names", () => {
    const archive = new ZipArchive(
      zipSync({
        "a/B.xml": new TextEncoder().encode(LONG),
        "b.xml": [new TextEncoder().encode("stored"), { level: 0 }],
      }),
    );
    expect(archive.names).toEqual(["a/B.xml", "b.xml"]);
    expect(archive.find("A/b.xml")).toBe("a/B.xml");
    expect(archive.find("c.xml")).toBeUndefined();
    expect(textOf(archive, "a/B.xml")).toEqual({ text: LONG, isWhole: true });
    expect(textOf(archive, "b.xml")).toEqual({ text: "stored", isWhole: true });
  });

  it("reads a zip after other data, and one with a comment", () => {
    const zip = zipOf({ "a.xml": LONG });
    const comment = zip.slice();
    new DataView(comment.buffer).setUint16(comment.length - 2, 5, true);
    for (const bytes of [
      Buffer.concat([Buffer.from("#!/bin/sh\n"), zip]),
      Buffer.concat([comment, Buffer.from("hello")]),
    ]) {
      expect(textOf(new ZipArchive(bytes), "a.xml")).toEqual({ text: LONG, isWhole: true });
    }
  });

  it("reads a zip whose directory is missing, and says what ends too early", () => {
    const zip = zipOf({ "a.xml": LONG, "b.xml": LONG });
    const cut = zip.subarray(0, zip.length - 250);
    const archive = new ZipArchive(cut);
    expect(textOf(archive, "a.xml")).toEqual({ text: LONG, isWhole: true });
    const { text, isWhole } = textOf(archive, "b.xml");
    expect(isWhole).toBe(false);
    expect(text.length).toBeGreaterThan(1000);
    expect(LONG.startsWith(text)).toBe(true);
  });

  it("finds a file whose place in the directory is wrong", () => {
    const archive = new ZipArchive(patch(zipOf({ "a.xml": LONG }), CENTRAL, 42, 77));
    expect(textOf(archive, "a.xml")).toEqual({ text: LONG, isWhole: true });
  });

  it("ignores wrong sizes of unpacked data", () => {
    const archive = new ZipArchive(patch(zipOf({ "a.xml": LONG }), CENTRAL, 24, 3));
    expect(textOf(archive, "a.xml")).toEqual({ text: LONG, isWhole: true });
  });

  it("notices damage by the checksum, and by data that cannot be unpacked", () => {
    const zip = zipOf({ "a.xml": LONG });
    expect(textOf(new ZipArchive(patch(zip, CENTRAL, 16, 1)), "a.xml").isWhole).toBe(false);
    const noise = zip.slice();
    noise.fill(0xff, 2000, 2100);
    expect(textOf(new ZipArchive(noise), "a.xml").isWhole).toBe(false);
  });

  it("reads the long fields of large zips", () => {
    // The offset of the file in a field of 64 bits.
    const name = Buffer.from("a.xml");
    const local = Buffer.alloc(30);
    local.writeUInt32LE(LOCAL, 0);
    local.writeUInt32LE(2, 18);
    local.writeUInt16LE(name.length, 26);
    const extra = Buffer.alloc(20);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeBigUInt64LE(2n, 4);
    extra.writeBigUInt64LE(0n, 12);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(CENTRAL, 0);
    central.writeUInt32LE(0x7dcf_2a43, 16);
    central.writeUInt32LE(0xffffffff, 20);
    central.writeUInt32LE(2, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(0xffffffff, 42);
    const data = Buffer.concat([local, name, Buffer.from("hi"), central, name, extra]);
    const end64 = Buffer.alloc(56);
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(BigInt(central.length + name.length + extra.length), 40);
    end64.writeBigUInt64LE(BigInt(local.length + name.length + 2), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(data.length), 8);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(END, 0);
    end.writeUInt32LE(0xffffffff, 12);
    end.writeUInt32LE(0xffffffff, 16);
    const archive = new ZipArchive(Buffer.concat([data, end64, locator, end]));
    expect(textOf(archive, "a.xml").text).toBe("hi");
  });

  it("takes the first of two files with one name", () => {
    const zip = Buffer.from(zipOf({ "a.xml": "first", "b.xml": "second" }));
    const name = Buffer.from("b.xml");
    for (let at = zip.indexOf(name); at !== -1; at = zip.indexOf(name, at + 1)) zip.write("a", at);
    const archive = new ZipArchive(zip);
    expect(archive.names).toEqual(["a.xml"]);
    expect(textOf(archive, "a.xml").text).toBe("first");
  });

  it("refuses encrypted files", () => {
    const archive = new ZipArchive(patch(zipOf({ "a.xml": LONG }), LOCAL, 6, 1));
    expect(failure(() => textOf(archive, "a.xml"))).toBe("document-encrypted");
    const ole = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(600),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    expect(failure(() => new ZipArchive(ole))).toBe("document-encrypted");
    expect(failure(() => new ZipArchive(ole.subarray(0, 512)))).toBe("document-damaged");
  });

  it("refuses bytes that are no zip, and a directory without end", () => {
    expect(failure(() => new ZipArchive(new Uint8Array(0)))).toBe("document-damaged");
    expect(failure(() => new ZipArchive(Buffer.from(LONG)))).toBe("document-damaged");
    const central = Buffer.alloc(46);
    central.writeUInt32LE(CENTRAL, 0);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(END, 0);
    const many = Buffer.concat([...Array.from({ length: 100_001 }, () => central), end]);
    expect(failure(() => new ZipArchive(many))).toBe("document-damaged");
  });

  it("unpacks at most 64 MiB of all files together", () => {
    const zeros = new Uint8Array(40 << 20);
    const archive = new ZipArchive(zipOf({ "a.xml": zeros, "b.xml": zeros }));
    let largest = 0;
    const count = (bytes: Uint8Array): boolean => {
      largest = Math.max(largest, bytes.length);
      return true;
    };
    expect(archive.read("a.xml", count)).toBe(true);
    expect(failure(() => archive.read("b.xml", count))).toBe("document-too-large");
    expect(largest).toBeLessThan(17 << 20);
  });

  it("stops at the end of the data, though the directory says that there is more", () => {
    const zip = Buffer.from(zipOf({ "a.xml": LONG }));
    const padded = Buffer.concat([zip.subarray(0, -22), Buffer.alloc(8 << 20), zip.subarray(-22)]);
    const archive = new ZipArchive(patch(padded, CENTRAL, 20, 8 << 20));
    expect(textOf(archive, "a.xml").text).toBe(LONG);
  });
});
