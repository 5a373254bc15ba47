import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import type { DocumentWriter } from "../document-writer.ts";
import { attributeOf, encodingOf, XmlReader, type XmlHandler } from "./xml-reader.ts";
import { ZipArchive } from "./zip-archive.ts";

const MAX_RELATIONSHIPS = 100_000;

/** A link from one part of an office document to another. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type: "styles", "slide". */
  readonly type: string;
  /** Name of the part. */
  readonly target: string;
}

/** The parts of a document that is a zip of XML files. It remembers what could not be read. */
export class DocumentParts {
  readonly #archive: ZipArchive;
  #failure: "document-damaged" | "document-too-large" | undefined;

  /** Throws DocumentError: see ZipArchive. */
  constructor(bytes: Uint8Array) {
    this.#archive = new ZipArchive(bytes);
  }

  get names(): readonly string[] {
    return this.#archive.names;
  }

  has(name: string): boolean {
    return this.#archive.find(name) !== undefined;
  }

  /** Notes that something is missing or cannot be read. */
  markDamaged(): void {
    this.#failure ??= "document-damaged";
  }

  /**
   * Passes the bytes of a part to `take`, which returns whether it wants more. Returns false if there is no such part.
   * Damage and an exceeded budget are noted. Throws DocumentError `document-encrypted`.
   */
  read(name: string, take: (bytes: Uint8Array) => boolean): boolean {
    const found = this.#archive.find(name);
    if (found === undefined) return false;
    if (this.#failure === "document-too-large") return true;
    try {
      if (!this.#archive.read(found, take)) this.markDamaged();
    } catch (error) {
      if (!(error instanceof DocumentError) || error.failure !== "document-too-large") throw error;
      this.#failure = "document-too-large";
    }
    return true;
  }

  /** Passes a part, which is an XML file, to a handler. As `read`. */
  readXml(name: string, handler: XmlHandler): boolean {
    const reader = new XmlReader(handler);
    const isThere = this.read(name, (bytes) => reader.write(bytes));
    if (isThere) reader.end();
    if (reader.isDamaged) this.markDamaged();
    return isThere;
  }

  /** Returns the beginning of a part as text; undefined if there is no such part. */
  readText(name: string, maxBytes: number): string | undefined {
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    let text = "";
    let bytesLeft = maxBytes;
    const isThere = this.read(name, (bytes) => {
      decoder ??= new TextDecoder(encodingOf(bytes));
      text += decoder.decode(bytes.subarray(0, bytesLeft), { stream: true });
      bytesLeft = Math.max(0, bytesLeft - bytes.length);
      return bytesLeft > 0;
    });
    return isThere ? text : undefined;
  }

  /** Returns the links of a part to others in the document; "" for those of the document. */
  relationships(part: string): readonly Relationship[] {
    const slash = part.lastIndexOf("/") + 1;
    const folder = part.slice(0, slash);
    const links: Relationship[] = [];
    this.readXml(`${folder}_rels/${part.slice(slash)}.rels`, {
      open(name, attributes) {
        if (name !== "Relationship" || attributeOf(attributes, "TargetMode") === "External") return;
        if (links.length >= MAX_RELATIONSHIPS) return;
        const type = attributeOf(attributes, "Type") ?? "";
        links.push({
          id: attributeOf(attributes, "Id") ?? "",
          type: type.slice(type.lastIndexOf("/") + 1),
          target: resolvePart(folder, attributeOf(attributes, "Target") ?? ""),
        });
      },
    });
    return links;
  }

  /** Returns the name of the part with the content of an office document; undefined if there is none. */
  mainPart(usual: string): string | undefined {
    const main = this.relationships("").find(({ type }) => type === "officeDocument")?.target;
    return [main, usual].find((name) => name !== undefined && this.has(name));
  }

  /** Returns the text of a document with a note on what could not be read. Throws DocumentError if there is no text. */
  finish(writer: DocumentWriter): DocumentText {
    if (this.#failure === "document-damaged") writer.omit("The rest of the document is damaged.");
    if (this.#failure === "document-too-large") {
      writer.omit("The rest of the document is too large.");
    }
    try {
      return writer.finish();
    } catch (error) {
      if (!(error instanceof DocumentError) || this.#failure === undefined) throw error;
      throw new DocumentError(this.#failure, error);
    }
  }
}

/** Returns the name of a part that is named relative to a folder ("word/"). It cannot leave the document. */
export function resolvePart(folder: string, target: string): string {
  const path = target.startsWith("/") ? target : folder + target;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
