// Extracts the documents in the thread that indexing uses, and measures the cost.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { documentFormatOf } from "../../src/base/documents/document-formats.ts";
import type { DocumentText } from "../../src/base/documents/document.ts";
import { decodeDocument } from "../../src/base/documents/encode-document.ts";
import { DocumentThread } from "../../src/engine/indexing/document-thread.ts";
import type { ManifestEntry } from "./manifest.ts";

export interface Extraction {
  readonly file: string;
  /** Undefined if there is none. */
  readonly document: DocumentText | undefined;
  /** The reason for a missing text. */
  readonly failure?: string;
  /** Processor time of the whole process. */
  readonly cpuMs: number;
}

/** The cost of each document that svc extracts; HTML files are not extracted. The thread is warm. */
export async function extractAll(
  folder: string,
  manifest: readonly ManifestEntry[],
): Promise<readonly Extraction[]> {
  const thread = new DocumentThread(false);
  const done: Extraction[] = [];
  try {
    const files = manifest.map(({ file }) => file).filter((file) => documentFormatOf(file));
    for (const file of warmFirst(files)) {
      // oxlint-disable-next-line no-await-in-loop -- processor time is that of one document
      done.push(await extractOne(thread, folder, file));
    }
  } finally {
    await thread.close();
  }
  return done.slice(done.length / 2);
}

/** Each runs twice: the first run loads and compiles the code of its format. */
function warmFirst(files: readonly string[]): readonly string[] {
  return [...files, ...files];
}

async function extractOne(
  thread: DocumentThread,
  folder: string,
  file: string,
): Promise<Extraction> {
  const format = documentFormatOf(file);
  if (format === undefined) throw new RangeError(`${file} is no document`);
  const bytes = ownBytes(readFileSync(join(folder, file)));
  const before = process.cpuUsage();
  const reply = await thread.extract(format, bytes);
  const { user, system } = process.cpuUsage(before);
  const cost = { file, cpuMs: (user + system) / 1000 };
  if ("failure" in reply) return { ...cost, document: undefined, failure: reply.failure };
  return { ...cost, document: decodeDocument(Buffer.from(reply.encoded)) };
}

/** In memory that can be transferred to the thread. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(new ArrayBuffer(bytes.length));
  own.set(bytes);
  return own;
}
