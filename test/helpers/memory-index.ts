import { chunkFile, needsSyntax } from "../../src/chunk/chunk.ts";
import type { EmbeddingSource } from "../../src/embed/embedding-source.ts";
import { indexEntry } from "../../src/engine/indexing/index-entry.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { MemoryBackend } from "../../src/index/memory/backend.ts";
import type { IndexReader } from "../../src/index/port.ts";
import { authorized } from "./authorized.ts";

const NAMESPACE = "project";

/**
 * Reads an index of these files that was built without a folder, a database or a thread: for tests that read no file.
 * All files are indexed, with their grammars, in the order given.
 */
export async function memoryIndex(
  files: Readonly<Record<string, string>>,
  embeddings?: EmbeddingSource,
): Promise<IndexReader> {
  const backend = new MemoryBackend();
  const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings });
  if (writer === undefined) throw new Error("no other writer is open");
  const grammars = await packedGrammars();
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const times = { size: bytes.length, mtimeMs: 0, inode: 0, indexedMs: 0 };
    const file = { source: 1, path, pathInSource: path, text, bytes, hash: text, generated: false };
    const { state, content } = indexEntry({ ...file, times }, { chunkFile, needsSyntax }, grammars);
    writer.add(state, content);
  }
  await writer.commit();
  await writer.computePageRank();
  await writer.close();
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error("a commit creates an index");
  return reader;
}
