import type { DocumentText } from "../../base/documents/document.ts";
import { linesOfText } from "../../base/lines-of-text.ts";

/** A file as the index knows it. */
export interface KnownFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** Time of reading in milliseconds since 1970. */
  readonly indexedMs: number;
  readonly flags: number;
  /** The first 128 bits of the content's SHA-256, in hex. */
  readonly hash: string;
}

export interface SourceTextParts {
  readonly bytes: Buffer;
  readonly text: string;
  readonly isAscii: boolean;
  readonly isBinary: boolean;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly stamp: string;
  readonly isChanged: boolean;
  readonly isContentOf: (known: KnownFile) => boolean;
  readonly showsSecrets: boolean;
  readonly document?: DocumentText | undefined;
}

/** The current text of a file. */
export class SourceText {
  readonly #parts: SourceTextParts;
  #lines: readonly string[] | undefined;
  #lineStarts: Uint32Array | undefined;

  constructor(parts: SourceTextParts) {
    this.#parts = parts;
  }

  /** As stored, before decoding; valid until the next read of the same reader. Of a document, its text in UTF-8. */
  get bytes(): Buffer {
    return this.#parts.bytes;
  }

  /** Decoded, with its line ends. */
  get text(): string {
    return this.#parts.text;
  }

  get isAscii(): boolean {
    return this.#parts.isAscii;
  }

  /** Whether the index would take it for a binary file. */
  get isBinary(): boolean {
    return this.#parts.isBinary;
  }

  /** Size as stored, before decoding. */
  get sizeBytes(): number {
    return this.#parts.sizeBytes;
  }

  /** Time of the last change of the content, in milliseconds since 1970. */
  get mtimeMs(): number {
    return this.#parts.mtimeMs;
  }

  /** Time of the last change of any kind, in milliseconds since 1970. */
  get ctimeMs(): number {
    return this.#parts.ctimeMs;
  }

  /** Identifies the file and its state: equal stamps mean equal content, if the file is not just being written. */
  get stamp(): string {
    return this.#parts.stamp;
  }

  /** True if its content differs from that of the row given to `read`; false without a row. */
  get isChanged(): boolean {
    return this.#parts.isChanged;
  }

  /** Whether this is certainly the content of the row. False where size and time are the only signs of it. */
  isContentOf(known: KnownFile): boolean {
    return this.#parts.isContentOf(known);
  }

  /** Whether the owner wants its secrets shown. */
  get showsSecrets(): boolean {
    return this.#parts.showsSecrets;
  }

  /** The parts of a document, and where they are in the text; undefined if the file is not a document. */
  get document(): DocumentText | undefined {
    return this.#parts.document;
  }

  /** Without line ends. */
  get lines(): readonly string[] {
    this.#lines ??= linesOfText(this.#parts.text);
    return this.#lines;
  }

  /** Offset of each line in `text`. */
  get lineStarts(): Uint32Array {
    this.#lineStarts ??= lineStartsOf(this.#parts.text);
    return this.#lineStarts;
  }

  /** The same file with another text, for example with its secrets masked. */
  withText(text: string): SourceText {
    return text === this.#parts.text ? this : new SourceText({ ...this.#parts, text });
  }
}

function lineStartsOf(text: string): Uint32Array {
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    starts.push(at);
    const end = text.indexOf("\n", at);
    if (end === -1) break;
    at = end + 1;
  }
  return Uint32Array.from(starts);
}
