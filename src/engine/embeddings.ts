import { readAsset } from "../base/assets.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { EmbeddingTable } from "../embed/embedding-table.ts";
import { readEmbeddingTable } from "../embed/table.ts";

let table: EmbeddingTable | undefined;

/** The table that is packed into the program. One per thread. */
export const packedEmbeddings: EmbeddingSource = {
  id: "svc-embed-v1",
  load: () => (table ??= readEmbeddingTable(readAsset("embedding-table"))),
};
