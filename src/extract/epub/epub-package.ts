import { DocumentError } from "../../base/documents/document.ts";
import { resolvePart, type DocumentParts } from "../archive/document-parts.ts";
import { attributeOf } from "../archive/xml-reader.ts";

/** A file of a book. */
export interface BookItem {
  /** Name of the part. */
  readonly part: string;
  readonly mediaType: string;
  /** Words such as "nav". */
  readonly properties: readonly string[];
}

export interface Book {
  /** In the order of reading; those outside of it are last. */
  readonly chapters: readonly BookItem[];
  /** The table of contents, of EPUB 3 or of EPUB 2. */
  readonly contents: BookItem | undefined;
}

const MAX_ITEMS = 100_000;
const NCX = "application/x-dtbncx+xml";
/** Algorithms that hide fonts only. */
const FONT_ALGORITHMS = /idpf\.org\/2008\/embedding|adobe\.com\/pdf\/enc#RC/u;

/**
 * Returns what a book consists of. Throws DocumentError: `document-damaged` if that is not to be found,
 * `document-encrypted` if a chapter is encrypted.
 */
export function readBook(parts: DocumentParts): Book {
  const root = rootPart(parts);
  const folder = root.slice(0, root.lastIndexOf("/") + 1);
  const items = new Map<string, BookItem>();
  const order: { readonly id: string; readonly isAside: boolean }[] = [];
  parts.readXml(root, {
    open(name, attributes) {
      if (name === "item" && items.size < MAX_ITEMS) {
        items.set(attributeOf(attributes, "id") ?? "", {
          part: bookPartOf(folder, attributeOf(attributes, "href") ?? ""),
          mediaType: attributeOf(attributes, "media-type") ?? "",
          properties: (attributeOf(attributes, "properties") ?? "").split(" "),
        });
      } else if (name === "itemref" && order.length < MAX_ITEMS) {
        const isAside = attributeOf(attributes, "linear") === "no";
        order.push({ id: attributeOf(attributes, "idref") ?? "", isAside });
      }
      return false;
    },
  });
  const ordered = [
    ...order.filter((each) => !each.isAside),
    ...order.filter((each) => each.isAside),
  ];
  const chapters = ordered.flatMap(({ id }) => items.get(id) ?? []);
  refuseEncrypted(parts, new Set(chapters.map(({ part }) => part)));
  const all = [...items.values()];
  const contents =
    all.find(({ properties }) => properties.includes("nav")) ??
    all.find(({ mediaType }) => mediaType === NCX);
  return { chapters: eachPartOnce(chapters), contents };
}

/** Some books list a file once for each section in it ("chapter.xhtml#o8"). */
function eachPartOnce(items: readonly BookItem[]): readonly BookItem[] {
  const byPart = new Map<string, BookItem>();
  for (const item of items) if (!byPart.has(item.part)) byPart.set(item.part, item);
  return [...byPart.values()];
}

/** Returns the name of a part for a link of another one in a folder, without the place in it. */
export function bookPartOf(folder: string, link: string): string {
  const [path = ""] = link.split("#");
  try {
    return resolvePart(folder, decodeURIComponent(path));
  } catch (error) {
    if (error instanceof URIError) return resolvePart(folder, path);
    throw error;
  }
}

function rootPart(parts: DocumentParts): string {
  let root: string | undefined;
  parts.readXml("META-INF/container.xml", {
    open(name, attributes) {
      if (name === "rootfile") root ??= attributeOf(attributes, "full-path");
      return false;
    },
  });
  // Without it, the book is described by the only file of its kind.
  const found = [root, parts.names.find((name) => name.endsWith(".opf"))].find(
    (name) => name !== undefined && parts.has(name),
  );
  if (found === undefined) throw new DocumentError("document-damaged");
  return found;
}

function refuseEncrypted(parts: DocumentParts, chapters: ReadonlySet<string>): void {
  let algorithm = "";
  let isEncrypted = false;
  parts.readXml("META-INF/encryption.xml", {
    open(name, attributes) {
      if (name === "EncryptedData") algorithm = "";
      else if (name === "EncryptionMethod" && algorithm === "") {
        algorithm = attributeOf(attributes, "Algorithm") ?? "";
      } else if (name === "CipherReference" && !FONT_ALGORITHMS.test(algorithm)) {
        isEncrypted ||= chapters.has(bookPartOf("", attributeOf(attributes, "URI") ?? ""));
      }
      return name === "KeyInfo";
    },
  });
  if (isEncrypted) throw new DocumentError("document-encrypted");
}
