// BM25 scores of every chunk and file of a shard, computed term at a time in dense arrays.

import { eachPosting } from "../coding/posting-list.ts";
import type {
  BestFile,
  BestRound,
  CandidateShard,
  CollectionStatistics,
  ScoreMaxima,
  ShardStatistics,
  TermsRound,
  TermToScore,
} from "./candidate-shard.ts";
import type { BlendWeights, CandidateFile } from "./candidates.ts";
import { ChunkScores, FileCounts, TermWeights } from "./chunk-scores.ts";
import { chunksWith, sharesOf, sharesFor } from "./chunk-shares.ts";
import { collectionStatisticsOf } from "./collection-statistics.ts";
import { viewOf } from "./numbered-files.ts";
import type { ScoredSegments, ScoredView } from "./scored-segments.ts";
import type { LexicalLists, ScoredSegment, TermEntry } from "./scored-segment.ts";
import { addDocuments, NO_DOCUMENTS, type TermDocuments } from "./term-documents.ts";
import { TopCandidates } from "./top-candidates.ts";
import { similarityScale, VectorScores, type QueryVector } from "./vector-scores.ts";

/** Scores queries on one snapshot, one after the other, and reuses its arrays. Takes about 5 ns per posting. */
export class Bm25Scorer {
  readonly #snapshot: ScoredSegments;
  /** Arrays that no search uses. */
  #idle: ScoreArrays | undefined;
  #collection: CollectionStatistics | undefined;

  constructor(snapshot: ScoredSegments) {
    this.#snapshot = snapshot;
  }

  /** Begins a search for these terms. Once `isLate` returns true, the remaining terms are skipped. */
  begin(terms: readonly string[], isLate: () => boolean): CandidateShard {
    const take = (): ScoreArrays => {
      const arrays = this.#idle ?? new ScoreArrays(this.#snapshot);
      this.#idle = undefined;
      arrays.clear();
      return arrays;
    };
    // Two searches at once are rare: the arrays of one of them are then dropped.
    const giveBack = (arrays: ScoreArrays): void => void (this.#idle = arrays);
    const collection = (): CollectionStatistics =>
      (this.#collection ??= collectionStatisticsOf(this.#snapshot));
    return new ShardSearch(this.#snapshot, { terms, isLate, collection, take, giveBack });
  }
}

/** The scores of every chunk and file of a snapshot. */
class ScoreArrays {
  readonly body: ChunkScores;
  readonly names: ChunkScores;
  readonly similarity: VectorScores;
  readonly file: Float32Array;
  /** Terms in the path of each file, as a bit set. */
  readonly pathTerms: Uint32Array;
  maxFileScore = 0;
  /** Occurrences of each term by file. */
  readonly counts: FileCounts;

  constructor(snapshot: ScoredSegments) {
    this.body = new ChunkScores(snapshot);
    this.names = new ChunkScores(snapshot);
    this.similarity = new VectorScores(snapshot);
    this.file = new Float32Array(snapshot.files);
    this.pathTerms = new Uint32Array(snapshot.files);
    this.counts = new FileCounts(snapshot.files);
  }

  clear(): void {
    this.body.clear();
    this.names.clear();
    this.similarity.clear();
    this.file.fill(0);
    this.pathTerms.fill(0);
    this.counts.clear();
    this.maxFileScore = 0;
  }
}

interface SearchParts {
  readonly terms: readonly string[];
  readonly isLate: () => boolean;
  readonly collection: () => CollectionStatistics;
  /** Returns arrays without scores, which only this search uses. */
  readonly take: () => ScoreArrays;
  readonly giveBack: (arrays: ScoreArrays) => void;
}

/** A term in one segment. */
class TermPart {
  readonly view: ScoredView;
  readonly #entry: TermEntry;
  #lists: LexicalLists | undefined;

  constructor(view: ScoredView, entry: TermEntry) {
    this.view = view;
    this.#entry = entry;
  }

  documents(): TermDocuments {
    return this.view.live.documentsOf(this.#entry, this.lists);
  }

  /** Reads them once, for both counting and scoring. */
  readonly lists = (): LexicalLists =>
    (this.#lists ??= this.view.reader.dictionary.listsOf(this.#entry));
}

/** The search of one query in the segments of a snapshot. */
class ShardSearch implements CandidateShard {
  readonly #snapshot: ScoredSegments;
  readonly #isLate: () => boolean;
  readonly #collection: SearchParts["collection"];
  readonly #giveBack: SearchParts["giveBack"];
  readonly #take: SearchParts["take"];
  readonly #parts: ReadonlyMap<string, readonly TermPart[]>;
  #taken: ScoreArrays | undefined;
  /** Weights and averages of the terms that were scored last. */
  #round: Pick<TermsRound, "weights" | "averages"> | undefined;

  constructor(
    snapshot: ScoredSegments,
    { terms, isLate, collection, take, giveBack }: SearchParts,
  ) {
    this.#snapshot = snapshot;
    this.#isLate = isLate;
    this.#collection = collection;
    this.#take = take;
    this.#giveBack = giveBack;
    this.#parts = new Map(terms.map((term) => [term, partsOf(snapshot, term)]));
  }

  /** The first round needs none. */
  get #arrays(): ScoreArrays {
    this.#taken ??= this.#take();
    return this.#taken;
  }

  statistics(): ShardStatistics {
    return { ...this.#collection(), documents: Array.from(this.#parts.values(), documentsOf) };
  }

  scoreTerms(round: TermsRound): readonly number[] {
    this.#round = round;
    const files: number[] = [];
    for (const term of round.terms) {
      if (this.#isLate()) break;
      this.#scoreTerm(term, round);
      files.push(this.#arrays.counts.finishTerm());
    }
    return files;
  }

  #scoreTerm(
    { term, bit, body: bodyIdf, names: namesIdf }: TermToScore,
    { weights, averages }: TermsRound,
  ): void {
    const { body, names, counts, pathTerms } = this.#arrays;
    const bodyWeights = new TermWeights(weights.body, averages.body, bodyIdf);
    const namesWeights = new TermWeights(weights.names, averages.names, namesIdf);
    const { names: perName, path: perPath } = weights.fileTerms;
    counts.beginTerm();
    for (const part of this.#parts.get(term) ?? []) {
      const { view } = part;
      const { reader, tombstones, fileBase } = view;
      const lists = part.lists();
      body.add(lists.body, view, {
        codes: reader.bodyCodes(),
        weights: bodyWeights,
        counts,
        step: 0,
        bit,
      });
      names.add(lists.names, view, {
        codes: reader.namesCodes(),
        weights: namesWeights,
        counts,
        step: perName,
        bit,
      });
      eachPosting(lists.path, (file, frequency) => {
        if (tombstones[file] === 1) return;
        counts.add(fileBase + file, perPath * frequency);
        pathTerms[fileBase + file] = (pathTerms[fileBase + file] ?? 0) | bit;
      });
    }
  }

  scoreFiles(weights: readonly number[]): void {
    for (const [term, weight] of weights.entries()) this.#scoreFilesOf(term, weight);
    this.#arrays.counts.clear();
  }

  /** Adds the score of a term to the files that hold it. `term`: its index in the last round. */
  #scoreFilesOf(term: number, idf: number): void {
    if (this.#round === undefined) return;
    const {
      averages,
      weights: {
        file: { k1, b },
        fileTerms,
      },
    } = this.#round;
    const maxCount = fileTerms.cap * 4;
    const fixed = k1 * (1 - b);
    const perLength = (k1 * b) / Math.max(1e-9, averages.file);
    const scale = idf * (k1 + 1);
    const lengths = this.#snapshot.fileLengths();
    const arrays = this.#arrays;
    const scores = arrays.file;
    let max = arrays.maxFileScore;
    arrays.counts.eachOf(term, (file, count) => {
      const frequency = Math.min(maxCount, count);
      const norm = fixed + perLength * (lengths[file] ?? 0);
      const score = (scores[file] ?? 0) + (scale * frequency) / (frequency + norm);
      scores[file] = score;
      if (score > max) max = score;
    });
    arrays.maxFileScore = max;
  }

  compareAll(vector: QueryVector): void {
    this.#arrays.similarity.compareAll(vector);
  }

  compareFiles(vector: QueryVector, files: readonly number[]): void {
    for (const file of files) {
      const view = viewOf(this.#snapshot.segments, file);
      this.#arrays.similarity.compareFile(vector, view, file - view.fileBase);
    }
  }

  maxima(): ScoreMaxima {
    const { body, names, similarity, maxFileScore } = this.#arrays;
    return { body: body.max, names: names.max, file: maxFileScore, similarity: similarity.max };
  }

  /** Returns the best files by the blend of their own score and their best chunk's. */
  best({ limit, maxima, blend, ...round }: BestRound): readonly BestFile[] {
    const keeps = keeperOf(round);
    const top = new TopCandidates(limit);
    let { minScore } = top;
    const scale = scaleOf(blend, maxima);
    const arrays = this.#arrays;
    const { body, names, similarity, file: fileScores } = arrays;
    for (const view of this.#snapshot.segments) {
      const { reader, tombstones, chunkBase, fileBase } = view;
      const first = reader.column("firstChunk");
      for (let ordinal = 0; ordinal < first.length; ordinal += 1) {
        const file = fileBase + ordinal;
        const own = (fileScores[file] ?? 0) * scale.file;
        // The maximum of each part is an upper bound for every chunk: a file below the minimum score is
        // skipped.
        const maxChunkScore =
          body.maxOf(file) * scale.body +
          names.maxOf(file) * scale.names +
          similarity.maxOf(file) * scale.similarity;
        const bound = own + maxChunkScore;
        if (bound < minScore || bound === 0 || tombstones[ordinal] === 1) continue;
        const from = chunkBase + (first[ordinal] ?? 0);
        const end = chunkBase + (first[ordinal + 1] ?? reader.chunks);
        const score = own + bestChunk(arrays, scale, from, end);
        if (score < minScore || score === 0 || !top.takes(score, view, ordinal)) continue;
        if (!keeps(reader, ordinal)) continue;
        top.add(score, view, ordinal);
        ({ minScore } = top);
      }
    }
    return top.sorted();
  }

  /**
   * Builds the results with copies of their chunks' scores, because the next query, which may come before this
   * one is answered, reuses the arrays.
   */
  results(files: readonly BestFile[], maxima: ScoreMaxima): readonly CandidateFile[] {
    const { body, names, similarity, file: fileScores, pathTerms } = this.#arrays;
    const cosineScale = similarityScale(maxima.similarity);
    const places = files.map(({ file, score }) => {
      const view = viewOf(this.#snapshot.segments, file);
      const [from, to] = view.reader.chunkRange(file - view.fileBase);
      return { file, score, view, from: view.chunkBase + from, to: view.chunkBase + to };
    });
    const shares = sharesFor(places.reduce((sum, { from, to }) => sum + to - from, 0));
    let end = 0;
    return places.map(({ file, score, view, from, to }) => {
      const start = end;
      for (let chunk = from; chunk < to; chunk += 1) {
        shares.body[end] = body.at(chunk) / maxima.body;
        shares.names[end] = names.at(chunk) / maxima.names;
        shares.similarity[end] = similarity.at(chunk) / cosineScale;
        shares.bodyTerms[end] = body.termsOf(chunk);
        shares.namesTerms[end] = names.termsOf(chunk);
        end += 1;
      }
      const ordinal = file - view.fileBase;
      return {
        file: view.reader.file(ordinal),
        score,
        fileScore: (fileScores[file] ?? 0) / maxima.file,
        maxSimilarity: similarity.maxOf(file),
        pathTerms: pathTerms[file] ?? 0,
        chunkCount: to - from,
        scores: () => sharesOf(shares, start, to - from),
        chunks: async () => chunksWith(view.reader.chunksOf(ordinal), shares, start),
      };
    });
  }

  end(): void {
    if (this.#taken !== undefined) this.#giveBack(this.#taken);
    this.#taken = undefined;
  }
}

type KeepFile = (segment: ScoredSegment, ordinal: number) => boolean;

function keeperOf({ paths, filter }: Pick<BestRound, "paths" | "filter">): KeepFile {
  return (segment, ordinal) =>
    (paths?.has(segment.path(ordinal)) ?? true) && (filter?.(segment.file(ordinal)) ?? true);
}

/** Returns the score of the best of these chunks. */
// oxlint-disable-next-line max-params -- called for each of the files that may be the best
function bestChunk(
  { body, names, similarity }: ScoreArrays,
  scale: BlendWeights,
  from: number,
  end: number,
): number {
  let best = 0;
  for (let chunk = from; chunk < end; chunk += 1) {
    const score =
      body.at(chunk) * scale.body +
      names.at(chunk) * scale.names +
      similarity.at(chunk) * scale.similarity;
    if (score > best) best = score;
  }
  return best;
}

/** Factors that scale the maximum of each part to its weight. */
function scaleOf(blend: BlendWeights, maxima: ScoreMaxima): BlendWeights {
  return {
    body: blend.body / maxima.body,
    names: blend.names / maxima.names,
    file: blend.file / maxima.file,
    similarity: blend.similarity / similarityScale(maxima.similarity),
  };
}

function partsOf({ segments }: ScoredSegments, term: string): readonly TermPart[] {
  const parts: TermPart[] = [];
  for (const view of segments) {
    const entry = view.reader.dictionary.lookup(term);
    if (entry !== undefined) parts.push(new TermPart(view, entry));
  }
  return parts;
}

function documentsOf(parts: readonly TermPart[]): TermDocuments {
  return parts.map((part) => part.documents()).reduce(addDocuments, NO_DOCUMENTS);
}
