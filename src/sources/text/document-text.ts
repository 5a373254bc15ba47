import { createHash } from "node:crypto";
import { readSync, type Stats } from "node:fs";
import { isAscii } from "node:buffer";

import type { DocumentText } from "../../base/documents/document.ts";
import { MIN_STABLE_AGE_MS } from "../../base/files.ts";
import { SvcError } from "../../base/errors.ts";
import type { TextProblem } from "./port.ts";
import { SourceText, type SourceTextParts } from "./source-text.ts";

/** The stored text of a document as the text of its file. */
export function textOfDocument(
  document: DocumentText,
  file: Omit<SourceTextParts, "bytes" | "text" | "isAscii" | "isBinary" | "document">,
): SourceText {
  const bytes = Buffer.from(document.text);
  return new SourceText({
    ...file,
    bytes,
    text: document.text,
    isAscii: isAscii(bytes),
    isBinary: false,
    document,
  });
}

/** What is returned for a document whose text is not stored. */
export function documentNotRead(path: string, stamp: string): TextProblem {
  const error = new SvcError("PATH_NOT_FOUND", `The document ${path} has no text in the index.`, {
    hint: "svc has not read it yet, or cannot read it; `svc status --skipped` lists such files.",
  });
  return { problem: "not-read", error, stamp };
}

const PIECE_BYTES = 1 << 20;
const MAX_HASHES = 1000;

/** Hashes of documents, which are too large to be read for every query. */
export class DocumentHashes {
  /** By the stamp of the file. */
  readonly #hashes = new Map<string, string>();

  /** Returns the first 128 bits of the SHA-256 of an open file, in hex. */
  hashOf(file: number, { ctimeMs }: Pick<Stats, "ctimeMs">, stamp: string): string {
    const known = this.#hashes.get(stamp);
    if (known !== undefined) return known;
    const hash = contentHash(file);
    // A file that was just written may change again with the same stamp.
    if (Date.now() - ctimeMs <= MIN_STABLE_AGE_MS) return hash;
    if (this.#hashes.size >= MAX_HASHES) this.#hashes.clear();
    this.#hashes.set(stamp, hash);
    return hash;
  }
}

function contentHash(file: number): string {
  const sum = createHash("sha256");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; ;) {
    const length = readSync(file, piece, 0, PIECE_BYTES, at);
    if (length === 0) break;
    sum.update(piece.subarray(0, length));
    at += length;
  }
  return sum.digest("hex").slice(0, 32);
}
