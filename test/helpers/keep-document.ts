import { hash } from "node:crypto";

import type { DocumentText } from "../../src/base/documents/document.ts";
import { encodeDocument } from "../../src/base/documents/encode-document.ts";
import type { TextArchive } from "../../src/sources/text/port.ts";

/** Keeps the text of a document with these bytes, as an indexing run does. */
export function keepDocument(
  archive: Pick<TextArchive, "keep">,
  bytes: Buffer,
  text: DocumentText,
): void {
  archive.keep(hash("sha256", bytes).slice(0, 32), encodeDocument(text));
}
