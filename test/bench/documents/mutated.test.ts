import { unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";

import { HOSTILE, hostileDocument } from "../../../bench/documents/hostile.ts";
import { FORMATS, mutatedDocument, type Seeds } from "../../../bench/documents/mutated.ts";
import { BYTE_MUTATIONS, ZIP_MUTATIONS } from "../../../bench/documents/mutate.ts";
import { seededRandom } from "../../../bench/quality/random.ts";

const XML = Buffer.from(`<?xml version="1.0"?><a><b x="1">text</b>${"<c>y</c>".repeat(50)}</a>`);
const ZIP = zipSync({ "word/document.xml": XML, "_rels/.rels": XML });
const PDF = Buffer.from(`%PDF-1.4\n1 0 obj << /Pages 2 0 R >> endobj\n${"0 1 2 ".repeat(99)}`);
const NOTEBOOK = Buffer.from(
  '{"cells": [{"cell_type": "code", "source": ["a = 1"]}], "nbformat": 4}',
);
const SEEDS: Seeds = {
  pdf: [PDF],
  word: [ZIP],
  slides: [ZIP],
  spreadsheet: [ZIP],
  epub: [ZIP],
  notebook: [NOTEBOOK],
  email: [Buffer.from("Subject: a\n\nbody 1\n")],
};

test.each(FORMATS)("document %s of a number is the same in every run", (format) => {
  for (let index = 0; index < 5; index += 1) {
    const { kind, bytes } = mutatedDocument(format, index, SEEDS);
    expect(kind).not.toBe("");
    expect(Buffer.compare(mutatedDocument(format, index, SEEDS).bytes, bytes)).toBe(0);
  }
});

test.each(Object.keys(BYTE_MUTATIONS))("%s leaves the original as it was", (name) => {
  const original = Buffer.from(PDF);
  const changed = BYTE_MUTATIONS[name]?.(PDF, seededRandom(name), ZIP);
  expect(changed).toBeDefined();
  expect(PDF.equals(original)).toBe(true);
});

test("damage in a zip gets beyond its check sums", () => {
  const mutation = ZIP_MUTATIONS["bits flipped, in the zip"];
  const files = unzipSync(mutation?.(ZIP, seededRandom("zip"), ZIP) ?? new Uint8Array());
  expect(Object.keys(files)).toEqual(["word/document.xml", "_rels/.rels"]);
  const texts = Object.values(files).map((bytes) => Buffer.from(bytes).toString("latin1"));
  expect(texts.some((text) => text !== XML.toString("latin1"))).toBe(true);
});

test("relations lead back to their own file", () => {
  const rels = Buffer.from('<Relationship Id="a" Target="slides/slide1.xml"/>');
  const zip = zipSync({ "ppt/_rels/presentation.xml.rels": rels });
  const files = unzipSync(
    ZIP_MUTATIONS["links to themselves"]?.(zip, seededRandom(""), zip) ?? new Uint8Array(),
  );
  expect(Buffer.from(files["ppt/_rels/presentation.xml.rels"] ?? []).toString()).toContain(
    'Target="/ppt/presentation.xml"',
  );
});

test("a bomb is small until it is unpacked", () => {
  const bomb = HOSTILE["word"]?.["file that is a bomb"]?.(() => 0) ?? new Uint8Array();
  expect(bomb.length).toBeLessThan(4 << 20);
  let size = 0;
  unzipSync(bomb, { filter: ({ originalSize }) => ((size += originalSize), false) });
  expect(size === 0 || size > 100 << 20).toBe(true);
});

test("there are hostile documents of each format", () => {
  for (const format of FORMATS)
    expect(Object.keys(HOSTILE[format] ?? {}).length).toBeGreaterThan(1);
  expect(() => hostileDocument("mp3", () => 0)).toThrow(RangeError);
});
