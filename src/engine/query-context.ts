import type { ReadDependencies } from "./middleware/read-dependencies.ts";
import type { IndexReader } from "../index/port.ts";
import type { Source } from "../sources/registry/records.ts";
import type { TextReader } from "../sources/text/port.ts";

/** What a query reads: one version of an index, and the current texts of its sources. */
export interface QueryContext {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  /** With their secrets masked. */
  readonly texts: TextReader;
  /** Of the answer, if it may be cached. */
  readonly dependencies?: Pick<ReadDependencies, "markUncacheable">;
}
