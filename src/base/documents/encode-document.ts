// The stored form of a document's text: a line of JSON with its parts, then the text.

import { hash } from "node:crypto";

import type { DocumentText } from "./document.ts";

/** Raise it when extraction changes: documents that were stored before are read again. */
export const EXTRACTION_VERSION = 1;

interface DocumentHead extends Omit<DocumentText, "text"> {
  readonly version: number;
  /** SHA-256 of the text in hex, so that damage is noticed. */
  readonly sum: string;
}

export function encodeDocument({ text, ...parts }: DocumentText): Buffer {
  const head: DocumentHead = { version: EXTRACTION_VERSION, sum: hash("sha256", text), ...parts };
  return Buffer.from(`${JSON.stringify(head)}\n${text}`);
}

/** Returns undefined for bytes that are damaged, or of another version. */
export function decodeDocument(bytes: Buffer): DocumentText | undefined {
  const end = bytes.indexOf("\n");
  if (end === -1) return undefined;
  const text = bytes.toString("utf8", end + 1);
  const head = headOf(bytes.toString("utf8", 0, end));
  if (head?.version !== EXTRACTION_VERSION || head.sum !== hash("sha256", text)) return undefined;
  const { unit, places, headings, code, omission } = head;
  return { text, unit, places, headings, code, omission };
}

/** Whether bytes are the intact stored form of a document, also of another version. */
export function isStoredDocument(bytes: Buffer): boolean {
  const end = bytes.indexOf("\n");
  const sum = headOf(bytes.toString("utf8", 0, Math.max(0, end)))?.sum;
  return sum !== undefined && sum === hash("sha256", bytes.subarray(end + 1));
}

function headOf(json: string): DocumentHead | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the version and the sum show that svc wrote it
    return JSON.parse(json) as DocumentHead;
  } catch {
    return undefined;
  }
}
