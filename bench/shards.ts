// node bench/shards.ts [FOLDER] [--data DIR --namespace NAME] [--chunks 10000000] [--shards 4]: measures the processor
// time of the candidate search in one index, and in each of its shards, with this many chunks. The bench opens the
// largest segment of an index of webpack, of a folder, or of an existing index repeatedly until there are that many.
// All shards have equally many, and each represents a separate node. The questions are those of bench/questions.ts.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { openEmbeddedBackend } from "../src/backend/open-backend.ts";
import { createLogger } from "../src/base/log.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import { packedEmbeddings } from "../src/engine/embeddings.ts";
import { Catalog } from "../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../src/index/embedded/layout.ts";
import { IndexSnapshot, openSegment } from "../src/index/embedded/snapshot.ts";
import { diskStorage } from "../src/index/embedded/storage/storage-disk.ts";
import type { CandidateShard } from "../src/index/scoring/candidate-shard.ts";
import type { CandidateQuery } from "../src/index/scoring/candidates.ts";
import { findCandidates } from "../src/index/scoring/find-candidates.ts";
import { viewsOf } from "../src/index/scoring/scored-segments.ts";
import { aroundSearch } from "../src/index/shards/watched-search.ts";
import type { SegmentReader } from "../src/index/embedded/segment/segment-reader.ts";
import { createTokenizer } from "../src/parse/tokenizer.ts";
import { parseQuery } from "../src/search/parse-query.ts";
import { QueryEmbedder } from "../src/search/query-embedder.ts";
import {
  BLEND,
  BODY_BM25,
  CANDIDATE_DEPTH,
  FILE_BM25,
  FILE_TERM_COUNTS,
  NAMES_BM25,
} from "../src/search/weights.ts";
import { localOwner } from "../src/sources/principal.ts";
import { realProject } from "../test/helpers/real-project.ts";
import { QUESTIONS } from "./questions.ts";
import { publish, quantile } from "./report.ts";

/** For each question, the best of this many rounds counts, because the first one reads from the disk. */
const ROUNDS = 3;
/** The target of a node, in milliseconds of processor time. */
const TARGET_MS = 100;
const WEIGHTS = {
  body: BODY_BM25,
  names: NAMES_BM25,
  file: FILE_BM25,
  fileTerms: FILE_TERM_COUNTS,
  blend: BLEND,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string" },
    namespace: { type: "string", default: "shards" },
    chunks: { type: "string", default: "10000000" },
    shards: { type: "string", default: "4" },
  },
});
const place = mkdtempSync(join(tmpdir(), "svc-shards-"));
try {
  await main(values.data ?? (await indexed(positionals[0])));
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** Indexes a folder. Returns the data directory. */
async function indexed(given: string | undefined): Promise<string> {
  const folder = given === undefined ? realProject(place) : join(place, "tree");
  if (given !== undefined) cpSync(given, folder, { recursive: true });
  const dataDirectory = join(place, "data");
  const engine = createEngine({
    dataDirectory,
    home: place,
    logger: createLogger({ level: "warn", write: () => undefined, human: false }),
    workspace: () => folder,
    backend: openEmbeddedBackend({ kind: "embedded", dataDirectory }),
  });
  const signal = new AbortController().signal;
  await engine.index({
    principal: localOwner(),
    signal,
    source: folder,
    namespace: values.namespace,
  });
  await engine.close();
  return dataDirectory;
}

async function main(data: string): Promise<void> {
  const { catalog: path, segments } = indexLayout(data, values.namespace);
  const catalog = Catalog.openToRead(path);
  if (catalog === undefined) throw new Error(`there is no index ${values.namespace} in ${data}`);
  const [largest] = catalog.segments.all().toSorted((one, other) => other.bytes - one.bytes);
  if (largest === undefined) throw new Error("the index has no segment");
  const { tombstones } = largest;
  const open = (): SegmentReader => openSegment(catalog, diskStorage(segments), largest);
  const readers = [open()];
  const chunks = readers[0]?.chunks ?? 1;
  const shards = Number(values.shards);
  const copies = Math.ceil(Number(values.chunks) / chunks / shards) * shards;
  while (readers.length < copies) readers.push(open());
  const queries = queriesOf();
  const divided = Array.from({ length: shards }, (_, shard) =>
    snapshotOf(
      readers.filter((_reader, at) => at % shards === shard),
      tombstones,
    ),
  );
  const whole = await measure([snapshotOf(readers, tombstones)], queries);
  const apart = await measure(divided, queries);
  catalog.close();
  const p95 = quantile(apart.shard, 0.95);
  publish({
    bench: "shards",
    corpus: `${copies} times a segment of ${chunks} chunks, ${(largest.bytes / 1e6).toFixed(0)} MB; ${queries.length} questions`,
    rows: [
      { name: `${million(copies * chunks)} chunks, one index`, unit: "cpu ms", samples: whole.all },
      {
        name: `${shards} shards, all of them`,
        unit: "cpu ms",
        samples: apart.all,
        ratio: {
          value: quantile(apart.all, 0.5) / quantile(whole.all, 0.5),
          to: "one index",
        },
      },
      {
        name: "each shard",
        unit: "cpu ms",
        samples: apart.shard,
        target: `p95 ${TARGET_MS}`,
        note: `${million((copies * chunks) / shards)} chunks`,
      },
      { name: "the node that asks them", unit: "cpu ms", samples: apart.asking },
    ],
    facts: [
      {
        text: `p95 of a shard is ${p95.toFixed(0)} ms, at most ${TARGET_MS} wanted`,
        holds: p95 <= TARGET_MS,
      },
      {
        text: "shards give the scores of one index",
        holds: JSON.stringify(apart.scores) === JSON.stringify(whole.scores),
      },
    ],
  });
}

function million(chunks: number): string {
  return `${(chunks / 1e6).toFixed(1)} M`;
}

function snapshotOf(readers: readonly SegmentReader[], tombstones: Uint8Array): IndexSnapshot {
  return new IndexSnapshot(1, viewsOf(readers.map((reader, id) => ({ id, reader, tombstones }))));
}

function queriesOf(): readonly CandidateQuery[] {
  const tokenizer = createTokenizer();
  const embedder = new QueryEmbedder(packedEmbeddings);
  return QUESTIONS.map((question) => ({
    terms: parseQuery(question, tokenizer).terms,
    vector: embedder.embed(question),
    weights: WEIGHTS,
    limit: CANDIDATE_DEPTH,
  }));
}

interface Measured {
  /** Processor time of each question, in all shards and the querying node. */
  readonly all: readonly number[];
  /** Processor time of each question and shard. */
  readonly shard: readonly number[];
  readonly asking: readonly number[];
  readonly scores: readonly (readonly number[])[];
}

async function measure(
  shards: readonly IndexSnapshot[],
  queries: readonly CandidateQuery[],
): Promise<Measured> {
  const best = queries.map(() => ({
    all: Infinity,
    shard: shards.map(() => Infinity),
    asking: Infinity,
    scores: [0],
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, query] of queries.entries()) {
      const known = best[at];
      if (known === undefined) continue;
      const spent = shards.map(() => 0);
      const begun = cpuMs();
      const searches = shards.map((snapshot, shard) =>
        timed(
          () => snapshot.scorer().begin([...query.terms.keys()], () => false),
          (ms) => (spent[shard] = (spent[shard] ?? 0) + ms),
        ),
      );
      const { files } = await findCandidates(searches, query);
      const all = cpuMs() - begun;
      known.all = Math.min(known.all, all);
      known.shard = known.shard.map((ms, shard) => Math.min(ms, spent[shard] ?? 0));
      known.asking = Math.min(known.asking, all - spent.reduce((sum, ms) => sum + ms));
      known.scores = files.map(({ score }) => score);
    }
  }
  return {
    all: best.map(({ all }) => all),
    shard: best.flatMap(({ shard }) => shard),
    asking: best.map(({ asking }) => asking),
    scores: best.map(({ scores }) => scores),
  };
}

/** A search that reports the processor time of each of its steps. */
function timed(begin: () => CandidateShard, spend: (ms: number) => void): CandidateShard {
  const step = <T>(call: () => T): T => {
    const begun = cpuMs();
    const result = call();
    spend(cpuMs() - begun);
    return result;
  };
  return aroundSearch(step(begin), async (call) => step(call));
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
