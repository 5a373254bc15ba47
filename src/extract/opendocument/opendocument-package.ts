import { DocumentError } from "../../base/documents/document.ts";
import type { DocumentParts } from "../archive/document-parts.ts";

const MAX_TYPE_BYTES = 200;
export const CONTENT = "content.xml";

/**
 * Whether a document is one of OpenDocument (ODT, ODS, ODP), by its content. Throws DocumentError `document-encrypted`
 * if its content is encrypted.
 */
export function isOpenDocument(parts: DocumentParts): boolean {
  const type = parts.readText("mimetype", MAX_TYPE_BYTES) ?? "";
  const isOne = type.includes("opendocument") || (parts.has(CONTENT) && !parts.has("_rels/.rels"));
  if (isOne && hasEncryptedParts(parts)) throw new DocumentError("document-encrypted");
  return isOne;
}

function hasEncryptedParts(parts: DocumentParts): boolean {
  let isEncrypted = false;
  parts.readXml("META-INF/manifest.xml", {
    open(name) {
      isEncrypted ||= name === "encryption-data";
      return false;
    },
    isDone: () => isEncrypted,
  });
  return isEncrypted;
}
