import { statSync } from "node:fs";
import { join } from "node:path";

import { readAsset } from "../base/assets.ts";
import { SvcError } from "../base/errors.ts";
import { shortHash } from "../base/short-hash.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { EmbeddingTable } from "../embed/embedding-table.ts";
import { readModel2vec } from "../embed/model2vec.ts";
import { readEmbeddingTable } from "../embed/read-embedding-table.ts";

let table: EmbeddingTable | undefined;

/** The table that is packed into the program. One per thread. */
export const packedEmbeddings: EmbeddingSource = {
  id: "svc-embed-v1",
  load: () => (table ??= readEmbeddingTable(readAsset("embedding-table"))),
};

/**
 * The model that model2vec saved into `folder`, or the program's own table. Another file there is another
 * model. Throws PATH_NOT_FOUND where there is none.
 */
export function embeddingsFrom(folder: string | undefined): EmbeddingSource {
  if (folder === undefined) return packedEmbeddings;
  const files = ["model.safetensors", "tokenizer.json"].map((name) => stateOf(join(folder, name)));
  let model: EmbeddingTable | undefined;
  return {
    id: `model2vec-${shortHash(files.join("\n"))}`,
    load: () => (model ??= readModel2vec(folder)),
  };
}

/** What changes with a file's content, without reading it. */
function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return `${file} ${stats.size} ${stats.mtimeMs}`;
  throw new SvcError("PATH_NOT_FOUND", `${file} is not there.`, {
    hint: "SERVICE_EMBEDDINGS names a folder with model.safetensors and tokenizer.json, as model2vec saves it.",
  });
}
