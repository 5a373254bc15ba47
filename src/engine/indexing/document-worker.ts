// A thread that extracts the text of documents for the indexing thread, which ends it when a document needs too much.

import { parentPort } from "node:worker_threads";

import type { DocumentFormat } from "../../base/documents/document-formats.ts";
import { DocumentError, type DocumentFailure } from "../../base/documents/document.ts";
import { encodeDocument } from "../../base/documents/encode-document.ts";
import { extractDocument } from "../../extract/extract-document.ts";
import { lowerPriority } from "./thread-priority.ts";

export interface ExtractCommand {
  readonly format: DocumentFormat;
  readonly bytes: Uint8Array;
  readonly hasLowPriority: boolean;
}

/** `encoded`: as `encodeDocument` returns it. */
export type ExtractReply = { readonly encoded: Uint8Array } | { readonly failure: DocumentFailure };

let isLow = false;

async function work({ format, bytes, hasLowPriority }: ExtractCommand): Promise<void> {
  if (hasLowPriority && !isLow) lowerPriority();
  isLow ||= hasLowPriority;
  const reply = await replyTo(format, bytes);
  const transfer = "encoded" in reply && reply.encoded.buffer instanceof ArrayBuffer;
  parentPort?.postMessage(reply, transfer ? [reply.encoded.buffer] : []);
}

async function replyTo(format: DocumentFormat, bytes: Uint8Array): Promise<ExtractReply> {
  try {
    // A copy: small buffers share their memory, which cannot be transferred.
    return { encoded: new Uint8Array(encodeDocument(await extractDocument(format, bytes))) };
  } catch (thrown) {
    const isKnown = thrown instanceof DocumentError;
    return { failure: isKnown ? thrown.failure : "document-damaged" };
  }
}

parentPort?.on("message", (command: ExtractCommand) => void work(command));
