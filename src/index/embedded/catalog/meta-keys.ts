// Keys in the table `meta` that writers and readers share.

/** Id of the embedding table of the vectors. */
export const EMBEDDER_KEY = "embedder";
/** The number of shards; there is 1 without it. */
export const SHARDS_KEY = "shards";
/** The number of files changed since PageRank was computed. */
export const STALE_COUNT_KEY = "unweighed";
/** Begins the keys of all notes. */
export const NOTE_PREFIX = "note ";

/** The key of a note for the next writer. */
export function noteKey(name: string): string {
  return NOTE_PREFIX + name;
}
