// Snapshots of made segments, and searches in one or several of them.

import { findCandidates } from "../../src/index/scoring/find-candidates.ts";
import type { CandidateQuery, Candidates } from "../../src/index/scoring/candidates.ts";
import type { SegmentView } from "../../src/index/embedded/segment/live-segments.ts";
import { IndexSnapshot } from "../../src/index/embedded/snapshot.ts";
import type { Part } from "./naive-candidates.ts";
import { segmentOf } from "./segments.ts";

/** A snapshot with a segment for each part. */
export function snapshotOf(parts: readonly Part[]): IndexSnapshot {
  const views: SegmentView[] = [];
  let chunkBase = 0;
  let fileBase = 0;
  for (const [id, { files, dead, embeddings }] of parts.entries()) {
    const reader = segmentOf(files, embeddings);
    views.push({ id, reader, tombstones: Uint8Array.from(dead), chunkBase, fileBase });
    chunkBase += reader.chunks;
    fileBase += reader.files;
  }
  return new IndexSnapshot(1, views);
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
