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

/** The table bundled with the program, loaded once per thread. */
export const packedEmbeddings: EmbeddingSource = {
  id: "svc-embed-v1",
  load: () => (table ??= readEmbeddingTable(readAsset("embedding-table"))),
};

/**
 * The model that model2vec saved into `folder`, or the bundled table. The id changes with the files. Throws
 * PATH_NOT_FOUND when a file is missing.
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

/** Path, size and modification time, which change with the file's content. */
function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return `${file} ${stats.size} ${stats.mtimeMs}`;
  throw new SvcError("PATH_NOT_FOUND", `${file} does not exist.`, {
    hint: "SERVICE_EMBEDDINGS names a folder with model.safetensors and tokenizer.json, as model2vec saves it.",
  });
}
