import { expect, test } from "vitest";

import {
  decodeManifest,
  decodeNote,
  encodeManifest,
  encodeNote,
} from "../../../src/index/compiler-facts/manifest.ts";

const MANIFEST = new Map([
  ["src/a.ts", { hash: "a".repeat(32), facts: "b".repeat(32) }],
  ["größe.py", { hash: "c".repeat(32), facts: "d".repeat(32) }],
]);

test("a manifest is decoded as it was encoded", () => {
  expect(decodeManifest(encodeManifest(MANIFEST))).toEqual(MANIFEST);
});

test.each(["", "{}", "[1]", '[["a.ts", "x"]]', "[[]]"])("%j is no manifest", (text) => {
  expect(decodeManifest(Buffer.from(text))).toBeUndefined();
});

test("a note is decoded as it was encoded", () => {
  const note = { manifest: "e".repeat(32), tools: ["scip-go 1"], files: 2, stale: ["src/a.ts"] };
  expect(decodeNote(encodeNote(note))).toEqual(note);
});

test.each([undefined, "", "[]", "{", '{"manifest":1}'])("%j is no note", (text) => {
  expect(decodeNote(text)).toBeUndefined();
});
