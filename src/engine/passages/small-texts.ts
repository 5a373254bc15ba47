// Texts of chunks for comparison, not for display: only from files that are quick to read.

import { isDocumentFormat } from "../../base/documents/document-formats.ts";
import type { IndexReader } from "../../index/port.ts";
import type { ComparedChunk, NeighbourSource } from "../../search/neighbours.ts";
import type { TextOf } from "./fit-passages.ts";

/** In bytes. Pages of documentation have some 10 KB. */
const MAX_FILE_BYTES = 128 << 10;

/** Returns what reads the texts of chunks; undefined for those of large files and of documents such as PDF. */
export function smallTexts(
  { reader }: { readonly reader: Pick<IndexReader, "file"> },
  textOf: TextOf,
): NeighbourSource["textsOf"] {
  const textOfChunk = async ({ file, chunk }: ComparedChunk): Promise<string | undefined> => {
    if (isDocumentFormat(file.language)) return undefined;
    const row = await reader.file(file.path);
    if (row === undefined || row.size > MAX_FILE_BYTES) return undefined;
    const text = await textOf(file);
    return text?.lines.slice(chunk.startLine - 1, chunk.endLine).join("\n");
  };
  return (chunks) => Promise.all(chunks.map(textOfChunk));
}
