// The sources of svc themselves, ready to be indexed: a real project that every checkout has.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { chunkFile, needsSyntax } from "../../src/chunk/chunk.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { indexEntry } from "../../src/engine/indexing/index-entry.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import type { IndexBackend } from "../../src/index/port.ts";
import { NAMESPACE } from "./equal-readers.ts";

const CHECKOUT = join(import.meta.dirname, "../..");

export interface IndexedSources {
  /** By path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly entries: readonly ReturnType<typeof indexEntry>[];
}

/** With `every`, only one file in that many. */
export async function sourcesOfSvc({ every = 1 } = {}): Promise<IndexedSources> {
  const texts = new Map(
    readdirSync(join(CHECKOUT, "src"), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .filter((_, at) => at % every === 0)
      .map((file) => [relative(CHECKOUT, file), readFileSync(file, "utf8")]),
  );
  const grammars = await packedGrammars();
  const entries = Array.from(texts, ([path, text], at) =>
    indexEntry(
      {
        source: 1,
        path,
        pathInSource: path,
        text,
        bytes: Buffer.from(text),
        hash: String(at),
        generated: false,
        times: { size: Buffer.byteLength(text), mtimeMs: at, inode: at, indexedMs: at },
      },
      { chunkFile, needsSyntax },
      grammars,
    ),
  );
  return { texts, entries };
}

/** Writes the sources in some commits. Their segments are not merged, unless `merges`. */
export async function writeSources(
  backend: IndexBackend,
  { entries }: IndexedSources,
  { commits = 3, merges = false } = {},
): Promise<void> {
  const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings: packedEmbeddings });
  if (writer === undefined) throw new Error("another is writing");
  for (const [at, { state, content }] of entries.entries()) {
    writer.add(state, content);
    // oxlint-disable-next-line no-await-in-loop -- one commit after the other
    if (at % Math.ceil(entries.length / commits) === 0) await writer.commit();
  }
  await writer.commit();
  // oxlint-disable-next-line no-await-in-loop -- one merge after the other
  if (merges) while (await writer.merge());
  if (!(await writer.computePageRank())) throw new Error("the ranks are not due");
  await writer.close();
}
