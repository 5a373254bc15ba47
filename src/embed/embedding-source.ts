import type { EmbeddingTable } from "./embedding-table.ts";

/** An embedding table that is loaded on first use. */
export interface EmbeddingSource {
  /** Vectors with different ids are never compared: an index built with another id is rebuilt. */
  readonly id: string;
  /** Returns the table. The first call takes about 10 ms. */
  readonly load: () => EmbeddingTable;
}
