// The stored form of a document's text: a line of JSON with its parts, then the text.

import { hash } from "node:crypto";

import type { DocumentText } from "./document.ts";

/** Raise it when extraction changes: documents that were stored before are read again. */
const EXTRACTION_VERSION = 4;

interface DocumentHead extends Omit<DocumentText, "text"> {
  readonly version: number;
  /** SHA-256 of the parts and the text in hex, so that damage is noticed. */
  readonly sum: string;
}

export function encodeDocument(document: DocumentText): Buffer {
  const { text, ...parts } = document;
  const head: DocumentHead = { version: EXTRACTION_VERSION, sum: sumOf(parts, text), ...parts };
  return Buffer.from(`${JSON.stringify(head)}\n${text}`);
}

/** Returns undefined for bytes that are damaged, or of another version. */
export function decodeDocument(bytes: Buffer): DocumentText | undefined {
  const stored = storedDocument(bytes);
  return stored?.version === EXTRACTION_VERSION ? stored.document : undefined;
}

/** Whether bytes are the intact stored form of a document, also of another version. */
export function isStoredDocument(bytes: Buffer): boolean {
  return storedDocument(bytes) !== undefined;
}

function storedDocument(
  bytes: Buffer,
): { readonly version: number; readonly document: DocumentText } | undefined {
  const end = bytes.indexOf("\n");
  const head = headOf(bytes.toString("utf8", 0, Math.max(0, end)));
  if (head === undefined) return undefined;
  const { version, sum, ...parts } = head;
  const text = bytes.toString("utf8", end + 1);
  return sum === sumOf(parts, text) ? { version, document: { ...parts, text } } : undefined;
}

function sumOf(parts: Omit<DocumentText, "text">, text: string): string {
  return hash("sha256", `${JSON.stringify(parts)}\n${text}`);
}

function headOf(json: string): DocumentHead | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sum shows that svc wrote it
    const head = JSON.parse(json) as DocumentHead | null;
    return head === null || typeof head !== "object" ? undefined : head;
  } catch {
    return undefined;
  }
}
