import type { Cover } from "./cover.ts";

/** Parts of the index without a test of their name, by the test that covers them. */
export const INDEX: Readonly<Record<string, Cover>> = {
  "test/index/references/reference-block.test.ts": {
    why: "writes and reads whole blocks",
    covers: ["src/index/references/use-block.ts"],
  },
  "test/app.test.ts": { why: "chooses the backend", covers: ["src/backend/open-registry.ts"] },
  "test/index/embedded/backend.test.ts": {
    why: "the backend as a whole, through its port",
    covers: [
      "src/index/embedded/catalog/meta-keys.ts",
      "src/index/embedded/{collector,layout,pending-changes,remove-index,segment-publisher}.ts",
      "src/index/read-limits.ts",
    ],
  },
  "test/index/embedded/fetch-index.test.ts": {
    why: "an index of another machine, from the list of its files to its verification",
    covers: ["src/index/embedded/{check-export,embedded-exports,fetched-layout}.ts"],
  },
  "test/engine/indexing/start-from-server.test.ts": {
    why: "takes contents from the fetched index and from earlier contents, like a run",
    covers: ["src/index/embedded/{fetched-contents,mark-places,restorable-contents}.ts"],
  },
  "test/transports/http/index-endpoint.test.ts": {
    why: "the index data that a server sends, and its recipients",
    covers: ["src/engine/index-exports.ts", "src/base/exported-index.ts"],
  },
  "test/remote/remote-index.test.ts": {
    why: "reads lists of every form",
    covers: ["src/remote/index-list.ts"],
  },
  "test/cli/commands/index-from-remote.test.ts": {
    why: "the flags with a server",
    covers: ["src/cli/index-offer.ts"],
  },
  "test/index/embedded/catalog/catalog.test.ts": {
    why: "tables of the catalogue are only opened through it",
    covers: [
      "src/index/embedded/catalog/{catalog-connection,catalog-version,file-row,file-table,meta-table,row-count,segment-table,tally}.ts",
    ],
  },
  "test/index/embedded/change-log/change-log.test.ts": {
    why: "tables of the change log are only opened through it",
    covers: [
      "src/index/change-log/{change-detail,fingerprint-block,flush-changes,monitored-baselines}.ts",
      "src/index/embedded/change-log/{baseline-files,change-log-reader,change-table,reported-sources}.ts",
    ],
  },
  "test/index/embedded/pagerank/segment-ranks.test.ts": {
    why: "ranks are made and carried over for a whole index",
    covers: ["src/index/embedded/pagerank/carry-ranks.ts"],
  },
  "test/index/embedded/segment/dictionary.test.ts": {
    why: "a dictionary is written, then read",
    covers: ["src/index/embedded/segment/{dictionary-reader,dictionary-writer}.ts"],
  },
  "test/index/embedded/segment/segment-flips.test.ts": {
    why: "damage of any byte is found",
    covers: ["src/index/damage.ts"],
  },
  "test/index/embedded/segment/segment.test.ts": {
    why: "a segment is written, then read",
    covers: [
      "src/index/coding/packed-facts.ts",
      "src/index/embedded/segment/{segment-reader,segment-writer}.ts",
    ],
  },
  "test/index/embedded/trigrams/trigrams.test.ts": {
    why: "trigrams are written, merged and searched",
    covers: [
      "src/index/embedded/trigrams/{trigram-format,trigram-lists,trigram-merge,trigram-pool,trigram-reader,trigram-sections}.ts",
      "src/index/{fold-text,literal-query}.ts",
    ],
  },
  "test/index/memory/backend.test.ts": {
    why: "the backend as a whole, through the contract of indexes",
    covers: [
      "src/index/memory/{changes,contents,index-state,indexed-content,indexes,monitor-state,reader,segment,writer,writer-lock}.ts",
    ],
  },
  "test/index/names/symbol-names.test.ts": {
    why: "parts of names, by which they are found",
    covers: ["src/index/names/sub-words.ts"],
  },
  "test/index/scoring/bm25.test.ts": {
    why: "compares all steps of scoring with a naive one",
    covers: [
      "src/index/scoring/{candidate-shard,chunk-scores,scored-segments,top-candidates,vector-scores}.ts",
    ],
  },
  "test/index/embedded/writer-shards.test.ts": {
    why: "merges divide an index",
    covers: ["src/index/embedded/divide-segments.ts"],
  },
  "test/index/shards/backend.test.ts": {
    why: "shards are only opened through the backend, and answer like one index",
    covers: [
      "src/index/shards/{merge-by-path,open-shards,present-shards,reader,watched-search}.ts",
    ],
  },
  "test/index/vectors/vector-store.test.ts": {
    why: "vectors are written, then compared",
    covers: ["src/index/vectors/vector-writer.ts"],
  },
  "test/index/postgres/replica.test.ts": {
    why: "commits of one node arrive in the copy of another",
    covers: ["src/index/postgres/{commit-log,publisher}.ts"],
  },
};
