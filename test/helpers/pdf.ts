// PDF documents, written byte by byte.

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A line of text: its left end and baseline in points from the lower left corner of the page. */
export interface PdfTextSpec {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  /** Helvetica by default; Courier has characters of one width. */
  readonly font?: "Helvetica" | "Helvetica-Bold" | "Courier";
}

export interface PdfPageSpec {
  readonly texts?: readonly PdfTextSpec[];
  /** Whether the page shows an image. */
  readonly hasImage?: boolean;
  /** Content instead of texts, in PDF syntax. */
  readonly content?: Uint8Array;
  /** More fonts of the page: objects by name. */
  readonly fonts?: Readonly<Record<string, string>>;
}

export interface PdfOutlineSpec {
  readonly title: string;
  /** From 0. */
  readonly page: number;
  readonly y?: number;
  readonly items?: readonly PdfOutlineSpec[];
}

/** Objects of a document. Number 0 is not used. */
export class PdfObjects {
  readonly #objects: Buffer[] = [];

  /** Adds an object and returns the reference to it. */
  add(body: string | Buffer): string {
    this.#objects.push(Buffer.from(body));
    return `${this.#objects.length} 0 R`;
  }

  /** Adds a stream; `dictionary` has its entries except the length. */
  stream(data: Uint8Array, dictionary = ""): string {
    return this.add(
      Buffer.concat([
        Buffer.from(`<< /Length ${data.length} ${dictionary} >>\nstream\n`),
        data,
        Buffer.from("\nendstream"),
      ]),
    );
  }

  /** Adds an object that others may refer to before it is known; returns its reference and a function that sets it. */
  later(): readonly [reference: string, set: (body: string) => void] {
    const at = this.#objects.push(Buffer.from("null")) - 1;
    return [`${at + 1} 0 R`, (body) => (this.#objects[at] = Buffer.from(body))];
  }

  /** Returns the file. */
  file(root: string, trailer = ""): Uint8Array {
    const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\u{e2}\u{e3}\n")];
    const offsets: number[] = [];
    let size = parts[0]?.length ?? 0;
    for (const [at, body] of this.#objects.entries()) {
      const part = Buffer.concat([
        Buffer.from(`${at + 1} 0 obj\n`),
        body,
        Buffer.from("\nendobj\n"),
      ]);
      offsets.push(size);
      parts.push(part);
      size += part.length;
    }
    const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
    parts.push(
      Buffer.from(
        `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows.join("")}` +
          `trailer\n<< /Size ${offsets.length + 1} /Root ${root} ${trailer} >>\nstartxref\n${size}\n%%EOF\n`,
      ),
    );
    return new Uint8Array(Buffer.concat(parts));
  }
}

/** Returns a document with these pages. `trailer`: further entries of its trailer. */
export function pdfOf(
  pages: readonly PdfPageSpec[],
  outline: readonly PdfOutlineSpec[] = [],
): Uint8Array {
  const objects = new PdfObjects();
  const [tree, setTree] = objects.later();
  const references = pages.map((page) => addPage(objects, tree, page));
  setTree(`<< /Type /Pages /Kids [${references.join(" ")}] /Count ${references.length} >>`);
  const outlines =
    outline.length === 0 ? "" : `/Outlines ${addOutline(objects, outline, references)}`;
  return objects.file(objects.add(`<< /Type /Catalog /Pages ${tree} ${outlines} >>`));
}

const FONTS = ["Helvetica", "Helvetica-Bold", "Courier"];

function addPage(objects: PdfObjects, tree: string, page: PdfPageSpec): string {
  const fonts = FONTS.map(
    (name) =>
      `/${name} << /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
  );
  for (const [name, font] of Object.entries(page.fonts ?? {})) fonts.push(`/${name} ${font}`);
  const image =
    page.hasImage === true
      ? objects.stream(
          Buffer.alloc(4),
          "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8",
        )
      : undefined;
  const content = page.content ?? Buffer.from(contentOf(page, image !== undefined), "latin1");
  const stream = objects.stream(deflateSync(content), "/Filter /FlateDecode");
  const images = image === undefined ? "" : `/XObject << /I ${image} >>`;
  return objects.add(
    `<< /Type /Page /Parent ${tree} /MediaBox [0 0 612 792] /Contents ${stream} ` +
      `/Resources << /Font << ${fonts.join(" ")} >> ${images} >> >>`,
  );
}

function contentOf({ texts = [] }: PdfPageSpec, hasImage: boolean): string {
  const shown = texts.map(
    ({ text, x = 72, y, size = 10, font = "Helvetica" }) =>
      `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`,
  );
  return [...shown, ...(hasImage ? ["q 100 0 0 100 0 0 cm /I Do Q"] : [])].join("\n");
}

function addOutline(
  objects: PdfObjects,
  items: readonly PdfOutlineSpec[],
  pages: readonly string[],
): string {
  const [root, setRoot] = objects.later();
  const [first, last] = addItems(objects, items, pages, root);
  setRoot(`<< /Type /Outlines /First ${first} /Last ${last} /Count ${items.length} >>`);
  return root;
}

function addItems(
  objects: PdfObjects,
  items: readonly PdfOutlineSpec[],
  pages: readonly string[],
  parent: string,
): readonly [first: string, last: string] {
  const made = items.map(() => objects.later());
  for (const [at, item] of items.entries()) {
    const [reference, set] = made[at] ?? ["", (): void => undefined];
    const next = made[at + 1]?.[0];
    const children =
      item.items === undefined ? undefined : addItems(objects, item.items, pages, reference);
    const target = `[${pages[item.page] ?? "null"} /XYZ 0 ${item.y ?? "null"} null]`;
    set(
      `<< /Title ${hexText(item.title)} /Parent ${parent} /Dest ${target} ` +
        `${next === undefined ? "" : `/Next ${next}`} ` +
        `${children === undefined ? "" : `/First ${children[0]} /Last ${children[1]} /Count 1`} >>`,
    );
  }
  return [made[0]?.[0] ?? "null", made.at(-1)?.[0] ?? "null"];
}

/** A text of any characters, as PDF writes them in outlines. */
function hexText(text: string): string {
  return `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
}

const PADDING = Buffer.from(
  "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a",
  "hex",
);

/**
 * Returns a document of one page with this text, encrypted with 40 bits. A user without a password can read it if
 * `password` is "".
 */
export function encryptedPdf(text: string, password: string): Uint8Array {
  const id = Buffer.from("0123456789abcdef");
  const owner = Buffer.alloc(32, 7);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const padded = Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
  const key = md5(padded, owner, permissions, id).subarray(0, 5);
  const objects = new PdfObjects();
  const [tree, setTree] = objects.later();
  // The second object.
  const streamKey = md5(key, Buffer.from([2, 0, 0, 0, 0])).subarray(0, 10);
  const content = Buffer.from(`BT /F 10 Tf 72 700 Td (${text}) Tj ET`);
  const stream = objects.stream(rc4(streamKey, content));
  const page = objects.add(
    `<< /Type /Page /Parent ${tree} /MediaBox [0 0 612 792] /Contents ${stream} ` +
      "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
  );
  setTree(`<< /Type /Pages /Kids [${page}] /Count 1 >>`);
  const user = rc4(key, PADDING);
  const encrypt =
    `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString("hex")}> ` +
    `/U <${user.toString("hex")}> >> /ID [<${id.toString("hex")}> <${id.toString("hex")}>]`;
  return objects.file(objects.add(`<< /Type /Catalog /Pages ${tree} >>`), encrypt);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at);
  let j = 0;
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) % 256;
    swap(i, j);
  }
  let i = 0;
  j = 0;
  const coded = Buffer.alloc(data.length);
  for (const [at, byte] of data.entries()) {
    i = (i + 1) % 256;
    j = (j + (state[i] ?? 0)) % 256;
    swap(i, j);
    coded[at] = byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) % 256] ?? 0);
  }
  return coded;
}
