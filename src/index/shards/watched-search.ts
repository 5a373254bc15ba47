import type { Awaitable, CandidateShard } from "../scoring/candidate-shard.ts";

/** Returns the same search, with `around` at each call that computes or asks. */
export function aroundSearch(
  search: CandidateShard,
  around: <T>(call: () => Awaitable<T>) => Promise<T>,
): CandidateShard {
  return {
    statistics: () => around(() => search.statistics()),
    scoreTerms: (round) => around(() => search.scoreTerms(round)),
    compareAll: (vector) => around(() => search.compareAll(vector)),
    scoreFiles: (weights) => around(() => search.scoreFiles(weights)),
    maxima: () => around(() => search.maxima()),
    best: (round) => around(() => search.best(round)),
    compareFiles: (vector, files) => around(() => search.compareFiles(vector, files)),
    results: (files, maxima) => around(() => search.results(files, maxima)),
    end: () => search.end(),
  };
}

/** Returns the same search. `onFailure` is called with each error before it is thrown, and may throw. */
export function watchedSearch(
  search: CandidateShard,
  onFailure: (thrown: unknown) => void,
): CandidateShard {
  return aroundSearch(search, async (call) => {
    try {
      return await call();
    } catch (thrown) {
      onFailure(thrown);
      throw thrown;
    }
  });
}
