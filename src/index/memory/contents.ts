import { corpusStatsOf, type CorpusStats } from "../corpus-stats.ts";
import { symbolNamesOf, type SegmentSymbols } from "../names/symbol-names.ts";
import { Bm25Scorer } from "../scoring/bm25.ts";
import { viewsOf, type ScoredSegments, type ScoredView } from "../scoring/scored-segments.ts";
import { shardOf } from "../shards/shard-of.ts";
import { VectorStore } from "../vectors/vector-store.ts";
import type { IndexedContent } from "./indexed-content.ts";
import { MemorySegment } from "./segment.ts";

/** The content of the files of one version, and what is derived from it on first use. Never changes. */
export class IndexContents implements ScoredSegments<MemorySegment> {
  /** In index order: the file that was written last is the last one. */
  readonly byPath: ReadonlyMap<string, IndexedContent>;
  readonly vectors = new VectorStore();
  #views: readonly ScoredView<MemorySegment>[] | undefined;
  #fileLengths: Uint32Array | undefined;
  #scorer: Bm25Scorer | undefined;
  #symbols: readonly SegmentSymbols[] | undefined;
  readonly #ofShards = new Map<number, IndexContents>();

  constructor(byPath: ReadonlyMap<string, IndexedContent>) {
    this.byPath = byPath;
  }

  get files(): number {
    return this.byPath.size;
  }

  /** Returns the content of the files of one shard. All calls must have the same number of shards. */
  ofShard(number: number, shards: number): IndexContents {
    if (shards === 1) return this;
    let contents = this.#ofShards.get(number);
    if (contents === undefined) {
      const own = [...this.byPath].filter(([path]) => shardOf(path, shards) === number);
      contents = new IndexContents(new Map(own));
      this.#ofShards.set(number, contents);
    }
    return contents;
  }

  get chunks(): number {
    return this.segments.reduce((sum, { reader }) => sum + reader.chunks, 0);
  }

  /** One segment; several if the files were written with several embedding tables, whose vectors differ in form. */
  get segments(): readonly ScoredView<MemorySegment>[] {
    this.#views ??= viewsOf(
      [...Map.groupBy(this.byPath.values(), ({ embedder }) => embedder)].map(
        ([embedder, contents], id) => ({
          id,
          reader: new MemorySegment(contents, embedder),
          tombstones: new Uint8Array(contents.length),
        }),
      ),
    );
    return this.#views;
  }

  fileLengths(): Uint32Array {
    this.#fileLengths ??= Uint32Array.from(
      this.segments.flatMap(({ reader }) => reader.fileLengths),
    );
    return this.#fileLengths;
  }

  /** Returns the scorer of all queries on this version. */
  scorer(): Bm25Scorer {
    this.#scorer ??= new Bm25Scorer(this);
    return this.#scorer;
  }

  corpusStats(): CorpusStats {
    return corpusStatsOf(this);
  }

  segmentSymbols(): readonly SegmentSymbols[] {
    this.#symbols ??= this.segments.map(({ reader }) => ({
      names: symbolNamesOf(reader.contents),
    }));
    return this.#symbols;
  }
}
