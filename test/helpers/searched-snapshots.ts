// Snapshots of made segments, and searches in one or several of them.

import { findCandidates } from "../../src/index/scoring/find-candidates.ts";
import type { CandidateQuery, Candidates } from "../../src/index/scoring/candidates.ts";
import { viewsOf } from "../../src/index/scoring/scored-segments.ts";
import { IndexSnapshot } from "../../src/index/embedded/snapshot.ts";
import type { Part } from "./naive-candidates.ts";
import { segmentOf } from "./segments.ts";

/** A snapshot with a segment for each part. */
export function snapshotOf(parts: readonly Part[]): IndexSnapshot {
  return new IndexSnapshot(
    1,
    viewsOf(
      parts.map(({ files, dead, embeddings }, id) => ({
        id,
        reader: segmentOf(files, embeddings),
        tombstones: Uint8Array.from(dead),
      })),
    ),
  );
}

interface FindOptions {
  readonly vectorsInMemory?: number | undefined;
  readonly isLate?: () => boolean;
}

/** Searches snapshots, each of which is a shard of one index. */
export function findIn(
  shards: readonly IndexSnapshot[],
  query: CandidateQuery,
  { vectorsInMemory, isLate = () => false }: FindOptions = {},
): Promise<Candidates> {
  const terms = [...query.terms.keys()];
  const searches = shards.map((snapshot) => snapshot.scorer().begin(terms, isLate));
  return findCandidates(searches, query, vectorsInMemory === undefined ? {} : { vectorsInMemory });
}
