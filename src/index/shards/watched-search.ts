import type { Awaitable, CandidateShard } from "../scoring/candidate-shard.ts";

/** Returns the same search. `onFailure` is called with each error before it is thrown, and may throw. */
export function watchedSearch(
  search: CandidateShard,
  onFailure: (thrown: unknown) => void,
): CandidateShard {
  const watched = async <T>(call: () => Awaitable<T>): Promise<T> => {
    try {
      return await call();
    } catch (thrown) {
      onFailure(thrown);
      throw thrown;
    }
  };
  return {
    statistics: () => watched(() => search.statistics()),
    scoreTerms: (round) => watched(() => search.scoreTerms(round)),
    compareAll: (vector) => watched(() => search.compareAll(vector)),
    scoreFiles: (weights) => watched(() => search.scoreFiles(weights)),
    maxima: () => watched(() => search.maxima()),
    best: (round) => watched(() => search.best(round)),
    compareFiles: (vector, files) => watched(() => search.compareFiles(vector, files)),
    results: (files, maxima) => watched(() => search.results(files, maxima)),
    end: () => search.end(),
  };
}
