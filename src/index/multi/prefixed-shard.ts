import type { BestFile, CandidateShard } from "../scoring/candidate-shard.ts";

/** A file of a shard, with a prefix before its path. */
class PrefixedFile implements BestFile {
  readonly own: BestFile;
  readonly #prefix: string;

  constructor(own: BestFile, prefix: string) {
    this.own = own;
    this.#prefix = prefix;
  }

  get file(): number {
    return this.own.file;
  }

  get score(): number {
    return this.own.score;
  }

  /** Made when asked for: most files need none. */
  get path(): string {
    return this.#prefix + this.own.path;
  }
}

/** The same search, with a prefix before the paths of all files, in rounds and results. */
export function prefixedShard(shard: CandidateShard, prefix: string): CandidateShard {
  return {
    statistics: () => shard.statistics(),
    scoreTerms: (round) => shard.scoreTerms(round),
    compareAll: (vector) => shard.compareAll(vector),
    scoreFiles: (weights) => shard.scoreFiles(weights),
    maxima: () => shard.maxima(),
    best: async (round) => {
      const paths = round.paths && ownPaths(round.paths, prefix);
      const files = await shard.best({ ...round, paths });
      return files.map((file) => new PrefixedFile(file, prefix));
    },
    compareFiles: (vector, files) => shard.compareFiles(vector, files),
    results: async (files, maxima) => {
      const own = files.map((file) => (file instanceof PrefixedFile ? file.own : file));
      const candidates = await shard.results(own, maxima);
      return candidates.map(({ file, ...candidate }) => ({
        ...candidate,
        file: { ...file, path: prefix + file.path },
      }));
    },
    end: () => shard.end(),
  };
}

function ownPaths(paths: ReadonlySet<string>, prefix: string): ReadonlySet<string> {
  const own = [...paths].filter((path) => path.startsWith(prefix));
  return new Set(own.map((path) => path.slice(prefix.length)));
}
