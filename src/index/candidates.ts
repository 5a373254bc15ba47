// BM25 over every chunk and every file of a snapshot, term at a time into dense arrays.

import { eachPosting } from "./posting-list.ts";
import { ChunkScores, FileCounts, Gains, type Saturation } from "./chunk-scores.ts";
import { isCode } from "./format.ts";
import type { ChunkFacts } from "./outline.ts";
import type { FileFacts } from "./segment-reader.ts";
import type { SegmentView, Snapshot } from "./snapshot.ts";
import { TopCandidates, type Candidate } from "./top-candidates.ts";

export interface LexicalWeights {
  readonly body: Saturation;
  readonly names: Saturation;
  readonly file: Saturation;
  /** What a defined name, and a word of the path, count for in words of a file's text; and the most that count. */
  readonly fileTerms: { readonly names: number; readonly path: number; readonly cap: number };
  /** Shares of the blended score, each part first divided by its largest value. */
  readonly blend: { readonly body: number; readonly names: number; readonly file: number };
}

export interface LexicalQuery {
  /** Distinct terms with how much each counts. */
  readonly terms: ReadonlyMap<string, number>;
  readonly weights: LexicalWeights;
  /** Most files to give. */
  readonly limit: number;
  readonly filter?: ((file: FileFacts) => boolean) | undefined;
}

/** A chunk with its shares of the blended score. */
export interface LexicalChunk {
  readonly facts: ChunkFacts;
  readonly body: number;
  readonly names: number;
}

/** A file that holds terms of the question. */
export interface LexicalHit {
  readonly file: FileFacts;
  /** Share of the file as a whole in the blended score. */
  readonly score: number;
  /** Share of its best chunk. */
  readonly best: number;
  /** Whether any of its chunks defines a term. */
  readonly hasNames: boolean;
  /**
   * The chunks that hold terms; the first chunk where none does, as when only the path holds one. Costs a
   * read.
   */
  readonly chunks: () => Promise<readonly LexicalChunk[]>;
}

/**
 * Postings that one question may cost. Terms are taken rarest first, and when this many have been read
 * the commonest are left out: they tell documents apart least (BM25 gives a term in every fifth chunk a
 * seventh of the weight of one in a million). Reached above some 150,000 chunks only.
 */
const POSTINGS_PER_QUESTION = 200_000;
/** These many terms count whatever they cost. */
const LEAST_TERMS = 3;

/** Scores questions on one snapshot, in arrays that are used again. Cost: about 5 ns a posting. */
export class LexicalScorer {
  readonly #snapshot: Snapshot;
  readonly #body: ChunkScores;
  readonly #names: ChunkScores;
  readonly #file: Float32Array;
  #bestFile = 0;
  /** Occurrences of the current term in each file, and which files have any. */
  readonly #counts: FileCounts;
  readonly #averages: { readonly body: number; readonly names: number; readonly file: number };

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#body = new ChunkScores(snapshot);
    this.#names = new ChunkScores(snapshot);
    this.#file = new Float32Array(snapshot.files);
    this.#counts = new FileCounts(snapshot.files);
    this.#averages = averagesOf(snapshot);
  }

  /**
   * The files that hold most of the question, best first. When `isLate` says so, terms that have not been
   * looked at are left out; the rarest come first.
   */
  search(
    query: LexicalQuery,
    isLate: () => boolean,
  ): { readonly hits: readonly LexicalHit[]; readonly isComplete: boolean } {
    this.#clear();
    let spent = 0;
    let isComplete = true;
    for (const [at, term] of this.#found(query).entries()) {
      if (at >= LEAST_TERMS && spent + term.postings > POSTINGS_PER_QUESTION) break;
      isComplete = !isLate();
      if (!isComplete) break;
      spent += term.postings;
      this.#scoreTerm(term, query.weights);
    }
    return { hits: this.#hits(this.#top(query), query.weights), isComplete };
  }

  #clear(): void {
    this.#body.clear();
    this.#names.clear();
    this.#file.fill(0);
    this.#bestFile = 1e-9;
  }

  /** The terms that occur, rarest first. */
  #found({ terms }: LexicalQuery): readonly FoundTerm[] {
    const found: FoundTerm[] = [];
    for (const [term, weight] of terms) {
      const parts: FoundTerm["parts"][number][] = [];
      for (const view of this.#snapshot.segments) {
        const entry = view.reader.dictionary.lookup(term);
        if (entry !== undefined) parts.push({ view, entry });
      }
      const total = (field: number): number =>
        parts.reduce((sum, { entry }) => sum + (entry.counts[field] ?? 0), 0);
      const [body, names, path] = [total(0), total(1), total(2)];
      const postings = body + names + path;
      if (postings > 0) found.push({ weight, parts, body, names, postings });
    }
    return found.toSorted((one, other) => one.postings - other.postings);
  }

  #scoreTerm({ weight, parts, body, names }: FoundTerm, weights: LexicalWeights): void {
    const { chunks, files } = this.#snapshot;
    const bodyIdf = weight * inverseFrequency(chunks, body);
    const namesIdf = weight * inverseFrequency(chunks, names);
    const bodyGains = new Gains(weights.body, this.#averages.body, bodyIdf);
    const namesGains = new Gains(weights.names, this.#averages.names, namesIdf);
    const { names: perName, path: perPath } = weights.fileTerms;
    for (const { view, entry } of parts) {
      const { reader } = view;
      const lists = reader.dictionary.lexicalLists(entry);
      const bodyCounts = { counts: this.#counts, step: 0 };
      this.#body.add(lists.body, view, {
        codes: reader.bodyCodes(),
        gains: bodyGains,
        ...bodyCounts,
      });
      const namesCounts = { counts: this.#counts, step: perName };
      this.#names.add(lists.names, view, {
        codes: reader.namesCodes(),
        gains: namesGains,
        ...namesCounts,
      });
      eachPosting(lists.path, (file, frequency) => {
        this.#counts.add(view.fileBase + file, perPath * frequency);
      });
    }
    this.#scoreFiles(weight * inverseFrequency(files, this.#counts.size), weights);
  }

  /** Gives the files that were counted their share, and forgets the counts. */
  #scoreFiles(idf: number, { file: { k1, b }, fileTerms }: LexicalWeights): void {
    const most = fileTerms.cap * 4;
    const fixed = k1 * (1 - b);
    const perLength = (k1 * b) / Math.max(1e-9, this.#averages.file);
    const gain = idf * (k1 + 1);
    const lengths = this.#snapshot.fileLengths();
    this.#counts.drain((file, count) => {
      const frequency = Math.min(most, count);
      const norm = fixed + perLength * (lengths[file] ?? 0);
      const score = (this.#file[file] ?? 0) + (gain * frequency) / (frequency + norm);
      this.#file[file] = score;
      if (score > this.#bestFile) this.#bestFile = score;
    });
  }

  /** The best files by the blend of their own score and their best chunk's. */
  #top({ limit, filter, weights: { blend } }: LexicalQuery): readonly Candidate[] {
    const top = new TopCandidates(limit);
    const fileScale = blend.file / this.#bestFile;
    const bodyScale = blend.body / this.#body.best;
    const namesScale = blend.names / this.#names.best;
    for (const view of this.#snapshot.segments) {
      const { reader, dead, chunkBase, fileBase } = view;
      const first = reader.column("firstChunk");
      for (let ordinal = 0; ordinal < first.length; ordinal += 1) {
        const file = fileBase + ordinal;
        const own = (this.#file[file] ?? 0) * fileScale;
        if (own <= 0 || dead[ordinal] === 1) continue;
        // No chunk has more than the most of each part: what that does not lift in stays out.
        const most = this.#body.most(file) * bodyScale + this.#names.most(file) * namesScale;
        if (own + most <= top.least) continue;
        const end = chunkBase + (first[ordinal + 1] ?? reader.chunks);
        let best = 0;
        for (let chunk = chunkBase + (first[ordinal] ?? 0); chunk < end; chunk += 1) {
          const score = this.#body.at(chunk) * bodyScale + this.#names.at(chunk) * namesScale;
          if (score > best) best = score;
        }
        const score = own + best;
        if (score > top.least && (filter === undefined || filter(reader.file(ordinal)))) {
          top.add({ view, file: ordinal, score, best });
        }
      }
    }
    return top.sorted();
  }

  /**
   * With copies of their chunks' shares: the next question, which may come before this one is answered,
   * uses the arrays again.
   */
  #hits(candidates: readonly Candidate[], { blend }: LexicalWeights): readonly LexicalHit[] {
    const ranges = candidates.map(({ view, file }) => {
      const first = view.reader.column("firstChunk");
      return [first[file] ?? 0, first[file + 1] ?? view.reader.chunks] as const;
    });
    const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const body = new Float32Array(count);
    const names = new Float32Array(count);
    const bodyScale = blend.body / this.#body.best;
    const namesScale = blend.names / this.#names.best;
    let end = 0;
    return candidates.map(({ view, file, score, best }, at) => {
      const [from, to] = ranges[at] ?? [0, 0];
      const start = end;
      for (let chunk = view.chunkBase + from; chunk < view.chunkBase + to; chunk += 1) {
        body[end] = this.#body.at(chunk) * bodyScale;
        names[end] = this.#names.at(chunk) * namesScale;
        end += 1;
      }
      return {
        file: view.reader.file(file),
        score: score - best,
        best,
        hasNames: this.#names.most(view.fileBase + file) > 0,
        chunks: async () => chunksWith(view.reader.chunksOf(file), { body, names, start }),
      };
    });
  }
}

/** The chunks of a file that have a share; those of its first one are at `start`. */
function chunksWith(
  all: readonly ChunkFacts[],
  shares: { readonly body: Float32Array; readonly names: Float32Array; readonly start: number },
): readonly LexicalChunk[] {
  const chunks: LexicalChunk[] = [];
  for (const [at, facts] of all.entries()) {
    const body = shares.body[shares.start + at] ?? 0;
    const names = shares.names[shares.start + at] ?? 0;
    if (body > 0 || names > 0) chunks.push({ facts, body, names });
  }
  const [first] = all;
  if (chunks.length === 0 && first !== undefined) chunks.push({ facts: first, body: 0, names: 0 });
  return chunks;
}

interface FoundTerm {
  readonly weight: number;
  readonly parts: readonly {
    readonly view: SegmentView;
    readonly entry: NonNullable<ReturnType<SegmentView["reader"]["dictionary"]["lookup"]>>;
  }[];
  /** Documents over the whole index. */
  readonly body: number;
  readonly names: number;
  readonly postings: number;
}

/** Robertson's form with 1 added, so that a term in most documents never counts against them. */
function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function averagesOf({ segments, chunks, files }: Snapshot): {
  body: number;
  names: number;
  file: number;
} {
  let body = 0;
  let names = 0;
  for (const { reader } of segments) {
    body += reader.directory.totals.body;
    names += reader.directory.totals.names;
  }
  return {
    body: body / Math.max(1, chunks),
    names: names / Math.max(1, chunks),
    file: body / Math.max(1, files),
  };
}

/** Share of code and tests among the files. */
export function codeShare({ segments, files }: Snapshot): number {
  let code = 0;
  for (const { reader } of segments) {
    for (const facts of reader.column("facts")) if (isCode(facts)) code += 1;
  }
  return code / Math.max(1, files);
}
