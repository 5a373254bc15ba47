import { SvcError } from "../../base/errors.ts";
import type { CandidateShard } from "../scoring/candidate-shard.ts";
import type { CandidateQuery, Candidates } from "../scoring/candidates.ts";
import { findCandidates } from "../scoring/find-candidates.ts";
import type { SearchToBegin, ShardReader } from "./port.ts";
import { watchedSearch } from "./watched-search.ts";

/** A shard that was opened, or why it was not. */
export interface OpenedShard {
  readonly number: number;
  readonly reader: ShardReader | undefined;
}

/** Thrown by a search that another machine could not do, and not by a repeated one. */
export class RepeatSearch extends Error {}

type BeginSearch = (
  search: Pick<SearchToBegin, "number" | "reader" | "terms" | "isRepeated">,
) => CandidateShard;

/**
 * The shards of an index that can be reached. One that fails with BACKEND_UNAVAILABLE is left out from then on. If none
 * is left, calls throw that error.
 */
export class PresentShards {
  readonly #count: number;
  readonly #readers: Map<number, ShardReader>;
  readonly #begin: BeginSearch;
  /** Why the last one was left out. */
  #problem: unknown;

  /** `problem`: why one was not opened. */
  constructor(shards: readonly OpenedShard[], begin: BeginSearch, problem?: unknown) {
    this.#count = shards.length;
    this.#begin = begin;
    this.#problem = problem;
    this.#readers = new Map(
      shards.flatMap(({ number, reader }) => (reader === undefined ? [] : [[number, reader]])),
    );
  }

  get all(): readonly ShardReader[] {
    return [...this.#readers.values()];
  }

  /** The first that is left: what they know of the whole index is the same. */
  get any(): ShardReader {
    const [reader] = this.#readers.values();
    if (reader === undefined) throw this.#problem;
    return reader;
  }

  /** A sentence for each shard that is left out. */
  get missing(): readonly string[] {
    return Array.from({ length: this.#count }, (_, number) => number)
      .filter((number) => !this.#readers.has(number))
      .map(
        (number) =>
          `Shard ${number + 1} of ${this.#count} cannot be reached; its files are missing.`,
      );
  }

  /** Calls `read` for all of them at once. */
  async each<T>(read: (shard: ShardReader) => Promise<T>): Promise<readonly T[]> {
    const results = await Promise.all(
      Array.from(this.#readers, ([number, shard]) =>
        this.#unlessUnreachable(number, async () => ({ value: await read(shard) })),
      ),
    );
    if (this.#readers.size === 0) throw this.#problem;
    return results.flatMap((result) => (result === undefined ? [] : [result.value]));
  }

  /** Calls `read` for one of them: the first that can be reached. */
  async first<T>(read: (shard: ShardReader) => Promise<T>): Promise<T> {
    for (const [number, shard] of this.#readers) {
      // oxlint-disable-next-line no-await-in-loop -- mostly the first answers
      const result = await this.#unlessUnreachable(number, async () => ({
        value: await read(shard),
      }));
      if (result !== undefined) return result.value;
    }
    throw this.#problem;
  }

  /** Calls `read` for the shard with the content of a file; undefined without content, and if that is left out. */
  async ofFile<T>(path: string, read: (shard: ShardReader) => Promise<T>): Promise<T | undefined> {
    const number = await this.first((shard) => shard.shardOf(path));
    // Any of them knows whether a file without content is as it should be.
    if (number === undefined) return this.first(read);
    const shard = this.#readers.get(number);
    return shard && this.#unlessUnreachable(number, () => read(shard));
  }

  /** Searches all of them together, and again without those that could not be reached meanwhile, or elsewhere. */
  async findCandidates(query: CandidateQuery): Promise<Candidates> {
    const terms = [...query.terms.keys()];
    let isRepeated = false;
    for (;;) {
      const { size } = this.#readers;
      if (size === 0) throw this.#problem;
      const searches = Array.from(this.#readers, ([number, reader]) =>
        watchedSearch(this.#begin({ number, reader, terms, isRepeated }), (thrown) => {
          if (!(thrown instanceof RepeatSearch)) this.#leaveOut(number, thrown);
        }),
      );
      try {
        // oxlint-disable-next-line no-await-in-loop -- again only if a shard failed
        return await findCandidates(searches, query);
      } catch (thrown) {
        if (thrown instanceof RepeatSearch) isRepeated = true;
        else if (this.#readers.size === size) throw thrown;
      }
    }
  }

  /** Returns the stream of each, which ends early where one can no longer be reached. */
  streams<T>(read: (shard: ShardReader) => AsyncIterable<T>): readonly AsyncIterator<T>[] {
    return Array.from(this.#readers, ([number, shard]) => this.#stream(number, read(shard)));
  }

  async *#stream<T>(number: number, stream: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* stream;
    } catch (thrown) {
      this.#leaveOut(number, thrown);
      if (this.#readers.size === 0) throw thrown;
    }
  }

  async #unlessUnreachable<T>(number: number, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (thrown) {
      this.#leaveOut(number, thrown);
      return undefined;
    }
  }

  /** Throws the error unless it says that the shard cannot be reached. */
  #leaveOut(number: number, thrown: unknown): void {
    const isUnreachable = thrown instanceof SvcError && thrown.code === "BACKEND_UNAVAILABLE";
    if (!isUnreachable) throw thrown;
    this.#problem = thrown;
    this.#readers.delete(number);
  }
}
