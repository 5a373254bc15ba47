import * as v from "valibot";

import type {
  BestFile,
  BestRound,
  CandidateShard,
  ScoreMaxima,
  ShardStatistics,
  TermsRound,
} from "../../index/scoring/candidate-shard.ts";
import type { CandidateFile } from "../../index/scoring/candidates.ts";
import type { NumberedFiles } from "../../index/scoring/numbered-files.ts";
import type { QueryVector } from "../../index/scoring/vector-scores.ts";
import {
  packed,
  packFiles,
  packVector,
  ROUND_RESULTS,
  unpackFiles,
  unpackResults,
  type BeginMessage,
  type SearchMessage,
  type SearchReply,
  type ShardCall,
} from "./messages.ts";

/** Sends a message to one node. Rejects if it does not reply, or with an error. */
export type SendMessage = (message: SearchMessage) => Promise<SearchReply>;

interface RemoteSearchOptions {
  /** Random. */
  readonly id: string;
  readonly begin: BeginMessage;
  /** The files of the same version of the shard on this machine. */
  readonly files: NumberedFiles;
  readonly send: SendMessage;
}

/** The node has refused the search. */
export class SearchRefused extends Error {
  readonly refusal: string;

  constructor(refusal: string) {
    super(`the node refused a search: ${refusal}`);
    this.refusal = refusal;
  }
}

/** How many times more files are asked for when the filter has left too few. */
const GROWTH = 8;

/**
 * A search in a shard that another node does. Calls without a result wait for the next one, and the results end it, so
 * a search takes five messages; seven if the vectors of only some files are compared. The filter of a query is a function: the node returns more files than wanted, and they are filtered here.
 */
export class RemoteSearch implements CandidateShard {
  readonly #options: RemoteSearchOptions;
  /** Calls that the next message takes along. */
  #waiting: ShardCall[] = [];
  #state: "new" | "begun" | "ended" = "new";

  constructor(options: RemoteSearchOptions) {
    this.#options = options;
  }

  async statistics(): Promise<ShardStatistics> {
    return v.parse(ROUND_RESULTS.statistics, await this.#call({ method: "statistics" }));
  }

  async scoreTerms({ terms, weights, averages }: TermsRound): Promise<readonly number[]> {
    const round = { terms: [...terms], weights, averages };
    return v.parse(ROUND_RESULTS.scoreTerms, await this.#call({ method: "scoreTerms", round }));
  }

  compareAll(vector: QueryVector): void {
    this.#waiting.push({ method: "compareAll", vector: packVector(vector) });
  }

  scoreFiles(weights: readonly number[]): void {
    this.#waiting.push({ method: "scoreFiles", weights: [...weights] });
  }

  async maxima(): Promise<ScoreMaxima> {
    return v.parse(ROUND_RESULTS.maxima, await this.#call({ method: "maxima" }));
  }

  async best({ limit, filter, ...round }: BestRound): Promise<readonly BestFile[]> {
    const { facts } = this.#options.files;
    for (let asked = limit; ; asked *= GROWTH) {
      // oxlint-disable-next-line no-await-in-loop -- again only if the filter has left too few
      const found = await this.#best({ ...round, limit: asked });
      const kept = filter === undefined ? found : found.filter(({ file }) => filter(facts(file)));
      if (kept.length >= limit || found.length < asked) return kept.slice(0, limit);
    }
  }

  async #best({ limit, paths, maxima, blend }: Omit<BestRound, "filter">): Promise<BestFile[]> {
    const only = paths === undefined ? {} : { paths: [...paths] };
    const result = await this.#call({ method: "best", limit, ...only, maxima, blend });
    return unpackFiles(v.parse(ROUND_RESULTS.best, result), this.#options.files);
  }

  compareFiles(vector: QueryVector, files: readonly number[]): void {
    const numbers = packed(Uint32Array.from(files));
    this.#waiting.push({ method: "compareFiles", vector: packVector(vector), files: numbers });
  }

  async results(
    found: readonly BestFile[],
    maxima: ScoreMaxima,
  ): Promise<readonly CandidateFile[]> {
    if (found.length === 0) return [];
    const result = await this.#call({ method: "results", found: packFiles(found), maxima });
    this.#state = "ended";
    return unpackResults(v.parse(ROUND_RESULTS.results, result), found, this.#options.files);
  }

  end(): void {
    if (this.#state === "begun") {
      // The node forgets a search by itself, later.
      this.#call({ method: "end" }).catch(() => undefined);
    }
    this.#state = "ended";
  }

  /** Sends the calls that wait and this one. Returns the result of this one. */
  async #call(call: ShardCall): Promise<unknown> {
    const { id, begin, send } = this.#options;
    const calls = [...this.#waiting, call];
    this.#waiting = [];
    const isFirst = this.#state === "new";
    this.#state = "begun";
    const reply = await send({ search: id, ...(isFirst ? { begin } : {}), calls });
    if ("refusal" in reply) throw new SearchRefused(reply.refusal);
    return reply.results.at(-1);
  }
}
