import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { IndexVersion, ReadOptions } from "../../index/port.ts";
import type { Awaitable, CandidateShard } from "../../index/scoring/candidate-shard.ts";
import type { NumberedFiles } from "../../index/scoring/numbered-files.ts";
import type { ShardReader, Shards } from "../../index/shards/port.ts";
import type { Authorize } from "./port.ts";
import {
  packFiles,
  packResults,
  uint32s,
  unpackFiles,
  unpackVector,
  type BeginMessage,
  type PackedResults,
  type ScoredFiles,
  type SearchMessage,
  type SearchReply,
  type ShardCall,
} from "./messages.ts";

/** Each search has arrays of about 20 bytes for each chunk of its shard. */
const MAX_SEARCHES = 8;
/** A call takes up to 30 s; the node that asked may have ended. */
const MAX_SILENCE_MS = 30_000;

interface HostedSearch {
  readonly search: CandidateShard;
  readonly files: NumberedFiles;
  /** Ends the search of a node that no longer asks. */
  readonly timer: NodeJS.Timeout;
}

/** Searches in shards for other nodes. */
export class SearchHost {
  readonly #shards: Pick<Shards, "shard">;
  readonly #searches = new Map<string, HostedSearch>();

  constructor(shards: Pick<Shards, "shard">) {
    this.#shards = shards;
  }

  /** Throws what the index throws. A search that fails is over. */
  async answer(
    { search: id, begin, calls }: SearchMessage,
    authorize: Authorize,
  ): Promise<SearchReply> {
    if (begin !== undefined) {
      const refusal = await this.#begin(id, begin, authorize);
      if (refusal !== undefined) return { refusal };
    }
    const hosted = this.#searches.get(id);
    if (hosted === undefined) return { refusal: "unknown" };
    hosted.timer.refresh();
    try {
      const results: unknown[] = [];
      for (const call of calls) {
        // oxlint-disable-next-line no-await-in-loop -- rounds follow each other
        results.push(call.method === "end" ? undefined : await perform(call, hosted));
        // Nothing is asked after the results.
        if (call.method === "end" || call.method === "results") this.#end(id);
      }
      return { results };
    } catch (thrown) {
      this.#end(id);
      throw thrown;
    }
  }

  close(): void {
    for (const id of this.#searches.keys()) this.#end(id);
  }

  async #begin(
    id: string,
    begin: BeginMessage,
    authorize: Authorize,
  ): Promise<"busy" | "version" | undefined> {
    const namespace = await authorize(begin.namespace);
    const { withinMs } = begin;
    const deadline = withinMs === undefined ? {} : { deadline: performance.now() + withinMs };
    const reader = await this.#open(namespace, begin, deadline);
    if (reader === undefined) return "version";
    if (this.#searches.has(id) || this.#searches.size >= MAX_SEARCHES) return "busy";
    this.#searches.set(id, {
      search: reader.beginSearch(begin.terms),
      files: reader.files,
      timer: setTimeout(() => this.#end(id), MAX_SILENCE_MS).unref(),
    });
    return undefined;
  }

  /** Undefined if this node has another version, and a newer one at that. */
  async #open(
    namespace: AuthorizedNamespace,
    { version, shard, shards }: BeginMessage,
    options: ReadOptions,
  ): Promise<ShardReader | undefined> {
    // The copy of this node is mostly new enough. Only otherwise the database is asked.
    for (const atLeast of [undefined, version]) {
      // oxlint-disable-next-line no-await-in-loop -- the second time only if the first version was older
      const reader = await this.#shards.shard(namespace, shard, { ...options, atLeast });
      if (reader?.shards === shards && isSame(reader.version, version)) return reader;
    }
    return undefined;
  }

  #end(id: string): void {
    const hosted = this.#searches.get(id);
    if (hosted === undefined) return;
    this.#searches.delete(id);
    clearTimeout(hosted.timer);
    hosted.search.end();
  }
}

function isSame(one: IndexVersion, other: IndexVersion): boolean {
  return one.epoch === other.epoch && one.at === other.at;
}

type Round = Exclude<ShardCall, { readonly method: "end" }>;

/** Returns the result, as it is sent. */
function perform(call: Round, { search, files }: HostedSearch): Awaitable<unknown> {
  switch (call.method) {
    case "statistics":
      return search.statistics();
    case "scoreTerms":
      return search.scoreTerms(call.round);
    case "compareAll":
      return search.compareAll(unpackVector(call.vector));
    case "scoreFiles":
      return search.scoreFiles(call.weights);
    case "maxima":
      return search.maxima();
    case "best":
      return bestOf(call, search);
    case "compareFiles":
      return search.compareFiles(unpackVector(call.vector), [...uint32s(call.files)]);
    case "results":
    default:
      return resultsOf(call, { search, files });
  }
}

type CallOf<Method> = Extract<Round, { readonly method: Method }>;

async function bestOf(
  { limit, paths, maxima, blend }: CallOf<"best">,
  search: CandidateShard,
): Promise<ScoredFiles> {
  const only = paths === undefined ? {} : { paths: new Set(paths) };
  return packFiles(await search.best({ limit, ...only, maxima, blend }));
}

async function resultsOf(
  { found, maxima }: CallOf<"results">,
  { search, files }: Pick<HostedSearch, "search" | "files">,
): Promise<PackedResults> {
  return packResults(await search.results(unpackFiles(found, files), maxima));
}
