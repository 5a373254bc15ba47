import type { EmbeddingTable } from "./embedding-table.ts";

/** A table that is loaded when the first vector is made. */
export interface EmbeddingSource {
  /** Vectors of different ids are never compared: an index made with another id is made anew. */
  readonly id: string;
  /** Costs some 10 ms the first time. */
  readonly load: () => EmbeddingTable;
}
