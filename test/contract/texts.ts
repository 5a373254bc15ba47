import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import type { DocumentText } from "../../src/base/documents/document.ts";
import type { TextReader } from "../../src/sources/text/port.ts";
import type { KnownFile, SourceText } from "../../src/sources/text/source-text.ts";

interface TestedTexts {
  /** Opens the texts for one query. */
  readonly open: () => TextReader;
  /** Writes a file with this time of its last change, in milliseconds since 1970. */
  readonly write: (path: string, bytes: Buffer, mtimeMs: number) => unknown;
  readonly remove: (path: string) => unknown;
  /** Writes a document; with `text` as an indexing run that has extracted this text. */
  readonly writeDocument: (path: string, bytes: Buffer, text?: DocumentText) => unknown;
  /** The data that an index has about a file read now, without `hash`; undefined if only the hash counts. */
  readonly rowNow?: (path: string) => Omit<KnownFile, "hash">;
}

const DOCUMENT: DocumentText = {
  text: "Größe\n\nTwo\n",
  unit: "page",
  places: [
    { line: 1, name: "1" },
    { line: 3, name: "2" },
  ],
  headings: [{ line: 1, level: 1, title: "Größe" }],
  code: [],
};

const T0 = 1_700_000_000_000;

async function text(texts: TextReader, path: string, known?: KnownFile): Promise<SourceText> {
  const result = await texts.read(path, known);
  if ("problem" in result) throw new Error(`${path} is ${result.problem}`);
  return result;
}

function knownFile(bytes: Buffer, mtimeMs: number): KnownFile {
  return {
    size: bytes.length,
    mtimeMs,
    inode: 0,
    indexedMs: 0,
    flags: 0,
    hash: hash("sha256", bytes).slice(0, 32),
  };
}

/** What every store of texts promises (src/sources/text/port.ts). */
export function textsContract(make: () => TestedTexts): void {
  test("a text has its bytes, its decoded text, its lines and their starts", async () => {
    const { open, write } = make();
    const bytes = Buffer.from("one\r\ntwo\n\nfour");
    await write("src/a.txt", bytes, T0);
    const file = await text(open(), "src/a.txt");
    expect(file.bytes).toEqual(bytes);
    expect(file.text).toBe("one\r\ntwo\n\nfour");
    expect(file.lines).toEqual(["one", "two", "", "four"]);
    expect([...file.lineStarts]).toEqual([0, 5, 9, 10]);
    expect(file).toMatchObject({ isAscii: true, isBinary: false, sizeBytes: 14, mtimeMs: T0 });
  });

  test.each<[string, Buffer, string]>([
    ["UTF-8", Buffer.from("naïve ☂"), "naïve ☂"],
    ["UTF-8 with a byte order mark", Buffer.from("\uFEFFnaïve"), "naïve"],
    ["UTF-16, little endian", Buffer.from("\uFEFFnaïve", "utf16le"), "naïve"],
    ["UTF-16, big endian", Buffer.from("\uFEFFnaïve", "utf16le").swap16(), "naïve"],
    ["Windows-1252", Buffer.from("// na\u00efve caf\u00e9\n", "latin1"), "// naïve café\n"],
  ])("%s is decoded", async (_, bytes, expected) => {
    const { open, write } = make();
    await write("a.txt", bytes, T0);
    const file = await text(open(), "a.txt");
    expect([file.text, file.isAscii, file.isBinary]).toEqual([expected, false, false]);
  });

  test("a binary file is named as such", async () => {
    const { open, write } = make();
    await write("a.bin", Buffer.from([1, 2, 0, 3]), T0);
    expect((await text(open(), "a.bin")).isBinary).toBe(true);
  });

  test("a file that does not exist, was removed, or is too large has no text, and says why", async () => {
    const { open, write, remove } = make();
    await write("a.txt", Buffer.from("a"), T0);
    await write("large.txt", Buffer.alloc((4 << 20) + 1, "a"), T0);
    const texts = open();
    expect(await texts.read("missing.txt")).toMatchObject({ problem: "gone", stamp: "" });
    expect(await texts.read("large.txt")).toMatchObject({ problem: "too-large" });
    await remove("a.txt");
    expect(await texts.read("a.txt")).toMatchObject({ problem: "gone", stamp: "" });
    expect(await texts.stampOf("a.txt")).toBe("");
  });

  test("a text says whether it has changed since the index read it", async () => {
    const { open, write } = make();
    const bytes = Buffer.from("one");
    await write("a.txt", bytes, T0);
    const known = knownFile(bytes, T0);
    expect((await text(open(), "a.txt")).isChanged).toBe(false);
    expect((await text(open(), "a.txt", known)).isChanged).toBe(false);
    await write("a.txt", bytes, T0 + 1000);
    expect((await text(open(), "a.txt", known)).isChanged).toBe(false);
    await write("a.txt", Buffer.from("two"), T0 + 2000);
    expect((await text(open(), "a.txt", known)).isChanged).toBe(true);
    await write("a.txt", Buffer.from("three"), T0);
    expect((await text(open(), "a.txt", known)).isChanged).toBe(true);
  });

  test("a text is the content of its row until it changes, whatever its size and time", async () => {
    const { open, write, rowNow } = make();
    const bytes = Buffer.from("one");
    await write("a.txt", bytes, T0);
    const row = { ...knownFile(bytes, T0), ...rowNow?.("a.txt") };
    expect((await text(open(), "a.txt")).isContentOf(row)).toBe(true);
    expect((await text(open(), "a.txt", row)).withText("***").isContentOf(row)).toBe(true);
    await delay(20);
    await write("a.txt", Buffer.from("two"), T0);
    expect((await text(open(), "a.txt", row)).isContentOf(row)).toBe(false);
  });

  test("the stamp of a file is that of its text, and another once it has changed", async () => {
    const { open, write } = make();
    await write("a.txt", Buffer.from("one"), T0);
    const { stamp } = await text(open(), "a.txt");
    expect(await open().stampOf("a.txt")).toBe(stamp);
    await write("a.txt", Buffer.from("two"), T0 + 1000);
    expect(await open().stampOf("a.txt")).not.toBe(stamp);
  });

  test("a prefetched file is read without waiting", async () => {
    const { open, write } = make();
    await write("package.json", Buffer.from("{}"), T0);
    const texts = open();
    const readNow = await texts.prefetch(["package.json", "missing.json"]);
    expect(readNow("package.json")).toMatchObject({ text: "{}" });
    expect(readNow("missing.json")).toMatchObject({ problem: "gone" });
    // Also after many others have been read.
    for (let other = 0; other < 20; other += 1) {
      const name = `other${other}.txt`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await write(name, Buffer.alloc(4_000_000, other), T0);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await texts.read(name);
    }
    expect(readNow("package.json")).toMatchObject({ text: "{}" });
  });

  test("a document has the text that was extracted from its content, with its parts", async () => {
    const { open, writeDocument } = make();
    const bytes = Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(5 << 20)]);
    await writeDocument("manual.pdf", bytes, DOCUMENT);
    const file = await text(open(), "manual.pdf", knownFile(bytes, T0));
    expect(file.document).toEqual(DOCUMENT);
    expect(file.lines).toEqual(["Größe", "", "Two"]);
    expect(file.bytes.toString()).toBe(DOCUMENT.text);
    expect(file).toMatchObject({
      isAscii: false,
      isBinary: false,
      isChanged: false,
      sizeBytes: bytes.length,
    });
    const readNow = await open().prefetch(["manual.pdf"]);
    expect(readNow("manual.pdf")).toMatchObject({ text: DOCUMENT.text });
    expect(await open().stampOf("manual.pdf")).toBe(file.stamp);
  });

  test("a document whose text was not extracted yet has none, and says so", async () => {
    const { open, writeDocument } = make();
    await writeDocument("manual.pdf", Buffer.from("%PDF-1.7 one"), DOCUMENT);
    await writeDocument("manual.pdf", Buffer.from("%PDF-1.7 two"));
    expect(await open().read("manual.pdf")).toMatchObject({
      problem: expect.stringMatching(/^(?:not-read|gone)$/),
      error: { code: "PATH_NOT_FOUND" },
    });
  });

  test("a text outlives the next read; an empty file has no lines", async () => {
    const { open, write } = make();
    await write("a.txt", Buffer.from("one\ntwo"), T0);
    await write("b.txt", Buffer.from("three"), T0);
    await write("empty.txt", Buffer.alloc(0), T0);
    const texts = open();
    const first = await text(texts, "a.txt");
    const second = await text(texts, "b.txt");
    expect([first.lines, second.lines]).toEqual([["one", "two"], ["three"]]);
    expect((await text(texts, "empty.txt")).lines).toEqual([]);
  });
}
