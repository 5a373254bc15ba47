import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, openSync, closeSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readOpenTextFile, readTextFile, skipReasonOf } from "../../src/scan/read-text-file.ts";
import { FolderReader } from "../../src/sources/folder-reader.ts";
import { tree } from "../helpers/tree.ts";

const LIMIT = 300_000;
const buffer = Buffer.alloc(LIMIT + 1);

function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

function read(content: string | Uint8Array, limitBytes = LIMIT): ReturnType<typeof readTextFile> {
  return readTextFile(join(folder({ file: content }), "file"), limitBytes, buffer);
}

/** ASCII that ends in half of a character of UTF-8. */
function cutUtf8(asciiBytes: number): Buffer {
  return Buffer.concat([Buffer.from("a".repeat(asciiBytes)), Buffer.from([0xe2, 0x98])]);
}

test("the result has the text, its size and the SHA-256 of its bytes", () => {
  const text = "const é = 1;\r\n";
  expect(read(text)).toEqual({
    text,
    isAscii: false,
    hash: createHash("sha256").update(text).digest("hex"),
    sizeBytes: 15,
    generated: false,
  });
});

test("a text in Windows-1252 is not ASCII, although it has as many characters as bytes", () => {
  expect(read(Buffer.from("// caf\u00e9\n", "latin1"))).toMatchObject({
    text: "// café\n",
    isAscii: false,
    sizeBytes: 8,
  });
  expect(read("// cafe\n")).toMatchObject({ isAscii: true });
});

test("a short file read after a long one contains nothing of it", () => {
  read("x".repeat(1000));
  expect(read("ab")).toMatchObject({ text: "ab", sizeBytes: 2 });
  expect(read("")).toMatchObject({ text: "", sizeBytes: 0 });
});

test.each([
  ["UTF-8 with a byte order mark", Buffer.from("\uFEFFhé")],
  ["UTF-16 little endian", Buffer.from("\uFEFFhé", "utf16le")],
  ["UTF-16 big endian", Buffer.from("\uFEFFhé", "utf16le").swap16()],
  [
    "UTF-16 with half a character at its end",
    Buffer.concat([Buffer.from("\uFEFFhé", "utf16le"), Buffer.from([1])]),
  ],
])("%s is decoded without the mark", (_form, bytes) => {
  expect(read(bytes)).toMatchObject({ text: "hé", sizeBytes: bytes.length });
});

test("half of a UTF-16 surrogate pair is replaced", () => {
  expect(read(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]))).toMatchObject({
    text: "\uFFFDa",
  });
});

test("bytes that are not UTF-8 are replaced; a file with mostly such bytes is skipped", () => {
  expect(read(cutUtf8(200))).toMatchObject({ text: `${"a".repeat(200)}\uFFFD`, sizeBytes: 202 });
  expect(read(cutUtf8(2))).toMatchObject({ text: "aa\uFFFD" });
  expect(read(cutUtf8(1))).toEqual({ skip: "encoding" });
});

test("with control characters, a file is text only if nearly all of it can be decoded", () => {
  const mark = Buffer.from("\x01");
  expect(read(Buffer.concat([mark, cutUtf8(200)]))).toMatchObject({
    text: `\x01${"a".repeat(200)}\uFFFD`,
  });
  expect(read(Buffer.concat([mark, cutUtf8(50)]))).toEqual({ skip: "encoding" });
});

test("text in old encodings is decoded, unless it is too short to know which", () => {
  const western = Buffer.from(
    "// le caf\u00e9 d\u00e9j\u00e0 \u0080\n".replace("\u0080", "\x80"),
    "latin1",
  );
  expect(read(western)).toMatchObject({ text: "// le café déjà €\n" });
  const greeting = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  expect(read(greeting)).toMatchObject({ text: "Привет" });
  expect(read(Buffer.from([0xb1, 0xf4]))).toEqual({ skip: "encoding" });
});

test("NUL in the first 8 KiB means binary, after them it is text", () => {
  expect(read(`a\0b`)).toEqual({ skip: "binary" });
  expect(read(`${"a".repeat(8191)}\0`)).toEqual({ skip: "binary" });
  expect(read(`${"a".repeat(8192)}\0`)).toMatchObject({ sizeBytes: 8193 });
  expect(read(Buffer.from("\uFEFFa\0", "utf16le"))).toEqual({ skip: "binary" });
});

test("one line of more than 50,000 characters is minified when lines are long on average", () => {
  const long = "x".repeat(50_001);
  expect(read(`// licence\n${long}\n`)).toEqual({ skip: "minified" });
  expect(read(long)).toEqual({ skip: "minified" });
  expect(read(`${"short\n".repeat(200)}${long}\n`)).toMatchObject({ generated: false });
  expect(read("x".repeat(50_000))).toMatchObject({ sizeBytes: 50_000 });
  expect(read(`${"y".repeat(40_000)}\n${"z".repeat(40_000)}\n`)).toMatchObject({
    sizeBytes: 80_002,
  });
});

test("a file of code with one line of data is read, a minified file with a licence or of markup is not", () => {
  const data = `const data = "${"x".repeat(200_000)}";\n`;
  const code = "test('decodes the data', () => {\n  expect(decode(data)).toBe(1);\n});\n".repeat(5);
  expect(read(`${code}${data}${code}`)).toMatchObject({ generated: false });
  expect(read(`${"/*! licence\n * of the bundle */\n".repeat(20)}${data}`)).toEqual({
    skip: "minified",
  });
  expect(read(`${"}\n".repeat(20)}${data}`)).toEqual({ skip: "minified" });
  expect(read(`${"  <path />\n".repeat(20)}<image href="${data}"/>`)).toEqual({ skip: "minified" });
});

test.each([
  "// @generated by protoc",
  "// Code generated by stringer; DO NOT EDIT.",
  "// <auto-generated>",
  "# This file is automatically generated. Do not edit it.",
  '<link rel="stylesheet" type="text/css" href="../css/jazzy.css" />',
  "<!-- Generated by javadoc (17) on Mon Jan 01 -->",
  '<meta name="generator" content="Doxygen 1.9.4"/>',
])("a file with %s is read and reported as generated", (line) => {
  expect(read(`${line}\nx`)).toMatchObject({ generated: true });
  expect(read(`${" ".repeat(1024)}${line}\n`)).toMatchObject({ generated: false });
});

test("a file above the limit is too large", () => {
  expect(read("abc", 2)).toEqual({ skip: "too-large" });
  expect(read("ab", 2)).toMatchObject({ text: "ab" });
});

test("a file with reported size 0 is read to its end", () => {
  expect(readTextFile("/proc/self/status", LIMIT, buffer)).toMatchObject({
    text: expect.stringContaining("Pid:"),
  });
  expect(readTextFile("/proc/self/status", 10, Buffer.alloc(11))).toEqual({ skip: "too-large" });
});

test("anything but a regular file is skipped without blocking", () => {
  const root = folder();
  execFileSync("mkfifo", [join(root, "pipe")]);
  mkdirSync(join(root, "folder"));
  symlinkSync("/etc/passwd", join(root, "link"));
  const reasonOf = (name: string): unknown => readTextFile(join(root, name), LIMIT, buffer);
  expect(reasonOf("pipe")).toEqual({ skip: "not-a-file" });
  expect(reasonOf("folder")).toEqual({ skip: "not-a-file" });
  expect(reasonOf("link")).toEqual({ skip: "symbolic-link" });
  expect(reasonOf("gone")).toEqual({ skip: "vanished" });
  expect(reasonOf("n".repeat(300))).toEqual({ skip: "too-deep" });
  expect(readTextFile("/dev/zero", LIMIT, buffer)).toEqual({ skip: "not-a-file" });
});

test("an error of a folder's reader gives the reason of the error that caused it", () => {
  const root = folder({ a: "text" });
  symlinkSync("/etc/passwd", join(root, "link"));
  const reader = new FolderReader({ root, namespace: "t" });
  const reasonOf = (path: string): unknown => {
    try {
      return reader.open(path);
    } catch (error) {
      return skipReasonOf(error);
    }
  };
  expect(["gone", "gone/a", "a/below"].map(reasonOf)).toEqual(Array(3).fill("vanished"));
  expect(reasonOf("n".repeat(300))).toBe("too-deep");
  expect(reasonOf("link")).toBe("symbolic-link");
  expect(skipReasonOf(new Error("no code"))).toBe("unreadable");
});

test("an open file is read from its descriptor, which stays open", () => {
  const file = openSync(join(folder({ a: "text" }), "a"), "r");
  onTestFinished(() => closeSync(file));
  expect(readOpenTextFile(file, LIMIT, buffer)).toMatchObject({ text: "text" });
});
