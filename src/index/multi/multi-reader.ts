// Reads the indexes of several namespaces as one, as Lucene's MultiReader does. The first folder of each path is the
// namespace: a name has no slash.

import { joinCorpusStats } from "../corpus-stats.ts";
import type { LiteralQuery } from "../literal-query.ts";
import type { SegmentSymbols } from "../names/symbol-names.ts";
import type { IndexReader, IndexVersion, NamedSymbol, PageRanks } from "../port.ts";
import { ReadLimits } from "../read-limits.ts";
import type { CandidateShard } from "../scoring/candidate-shard.ts";
import type { CandidateQuery, Candidates } from "../scoring/candidates.ts";
import { findCandidates } from "../scoring/find-candidates.ts";
import { byNameMatch } from "../symbol-order.ts";
import type { FileFacts, FileRow, SymbolFacts } from "../types.ts";
import { prefixedShard } from "./prefixed-shard.ts";

/** The parts of an index that a search reads. */
export type SearchReader = Pick<
  IndexReader,
  | "version"
  | "partial"
  | "candidates"
  | "termCounts"
  | "corpusStats"
  | "textCandidates"
  | "file"
  | "factsOf"
  | "symbolsOf"
  | "symbolsNamed"
  | "usingFiles"
  | "pageRanks"
  | "segmentSymbols"
  | "note"
>;

/** The index of a namespace. */
export interface NamespaceReader {
  readonly namespace: string;
  readonly reader: IndexReader;
}

/** Divides a path of several namespaces into the namespace and the path in it. */
export function splitNamespace(path: string): {
  readonly namespace: string;
  readonly path: string;
} {
  const at = path.indexOf("/");
  return { namespace: path.slice(0, at), path: path.slice(at + 1) };
}

/** Ranks the files of all its indexes together: statistics and largest scores are those of one index with all of them. */
export class MultiReader implements SearchReader {
  readonly version: IndexVersion;
  /** In the order of the prefixes of paths. */
  readonly #parts: readonly (NamespaceReader & { readonly prefix: string })[];
  readonly #byNamespace: ReadonlyMap<string, IndexReader>;
  readonly #limits = new ReadLimits({});

  constructor(readers: readonly NamespaceReader[]) {
    this.#parts = readers
      .map((part) => ({ ...part, prefix: `${part.namespace}/` }))
      .toSorted((one, other) => (one.prefix < other.prefix ? -1 : 1));
    this.#byNamespace = new Map(readers.map(({ namespace, reader }) => [namespace, reader]));
    const versions = this.#parts.map(({ namespace, reader }) => [namespace, reader.version]);
    // The sum grows with each change of an index.
    const at = readers.reduce((sum, { reader }) => sum + reader.version.at, 0);
    this.version = { epoch: JSON.stringify(versions), at };
  }

  get partial(): readonly string[] {
    const ofParts = this.#parts.flatMap(({ namespace, reader }) =>
      reader.partial.map((sentence) => `${namespace}: ${sentence}`),
    );
    return [...this.#limits.partial, ...ofParts];
  }

  readonly candidates = async (query: CandidateQuery): Promise<Candidates> => {
    const terms = [...query.terms.keys()];
    const shards: CandidateShard[] = [];
    try {
      for (const { reader, prefix } of this.#parts)
        shards.push(...reader.beginSearches(terms).map((shard) => prefixedShard(shard, prefix)));
    } catch (thrown) {
      for (const shard of shards) shard.end();
      throw thrown;
    }
    const found = await findCandidates(shards, query);
    if (!found.isComplete) this.#limits.reportMissingTerms();
    return found;
  };

  readonly termCounts = async (terms: readonly string[]): Promise<readonly number[]> => {
    const counts = await this.#each((reader) => reader.termCounts(terms));
    return terms.map((_, at) => counts.reduce((sum, ofPart) => sum + (ofPart[at] ?? 0), 0));
  };

  readonly corpusStats: IndexReader["corpusStats"] = async () =>
    joinCorpusStats(await this.#each((reader) => reader.corpusStats()));

  /** The notes of all namespaces that have one, a line each. */
  readonly note = async (name: string): Promise<string> => {
    const notes = await this.#each((reader) => reader.note(name));
    return notes.filter((note) => note !== undefined).join("\n");
  };

  async *textCandidates(
    query: LiteralQuery,
    { after, filter }: Parameters<IndexReader["textCandidates"]>[1],
  ): AsyncGenerator<FileFacts> {
    const last = after === undefined ? undefined : splitNamespace(after);
    for (const { namespace, reader, prefix } of this.#parts) {
      const isLast = namespace === last?.namespace;
      if (last !== undefined && !isLast && prefix < `${last.namespace}/`) continue;
      const options = { after: isLast ? last.path : undefined, filter };
      for await (const file of reader.textCandidates(query, options))
        yield { ...file, path: prefix + file.path };
    }
  }

  readonly file = async (path: string): Promise<FileRow | undefined> => {
    const row = await this.#ofFile(path, (reader, own) => reader.file(own));
    return row && { ...row, path };
  };

  readonly factsOf = async (path: string): Promise<FileFacts | undefined> => {
    const facts = await this.#ofFile(path, (reader, own) => reader.factsOf(own));
    return facts && { ...facts, path };
  };

  readonly symbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    (await this.#ofFile(path, (reader, own) => reader.symbolsOf(own))) ?? [];

  readonly symbolsNamed = async (name: string, limit: number): Promise<readonly NamedSymbol[]> => {
    const found = await Promise.all(
      this.#parts.map(async ({ reader, prefix }) => {
        const symbols = await reader.symbolsNamed(name, limit);
        return symbols.map((symbol) => ({ ...symbol, path: prefix + symbol.path }));
      }),
    );
    return found.flat().toSorted(byNameMatch(name)).slice(0, limit);
  };

  readonly usingFiles = async (name: string): Promise<number> =>
    (await this.#each((reader) => reader.usingFiles(name))).reduce((sum, one) => sum + one, 0);

  /** Ranks are relative to the mean of a project, so those of several are comparable. */
  readonly pageRanks = async (): Promise<PageRanks> => {
    const ranks = new Map(
      await Promise.all(
        this.#parts.map(
          async ({ namespace, reader }) => [namespace, await reader.pageRanks()] as const,
        ),
      ),
    );
    return {
      fileRank: (path) => {
        const { namespace, path: own } = splitNamespace(path);
        return ranks.get(namespace)?.fileRank(own) ?? 0;
      },
      symbolRank: (path, number) => {
        const { namespace, path: own } = splitNamespace(path);
        return ranks.get(namespace)?.symbolRank(own, number) ?? 0;
      },
    };
  };

  readonly segmentSymbols = async (): Promise<readonly SegmentSymbols[]> => {
    const parts = await Promise.all(
      this.#parts.map(async ({ reader, prefix }) => {
        const symbols = await reader.segmentSymbols();
        return symbols.map((segment) => ({ ...segment, prefix }));
      }),
    );
    return parts.flat();
  };

  #each<T>(read: (reader: IndexReader) => Promise<T>): Promise<readonly T[]> {
    return Promise.all(this.#parts.map(({ reader }) => read(reader)));
  }

  async #ofFile<T>(
    path: string,
    read: (reader: IndexReader, path: string) => Promise<T>,
  ): Promise<T | undefined> {
    const { namespace, path: own } = splitNamespace(path);
    const reader = this.#byNamespace.get(namespace);
    return reader && read(reader, own);
  }
}
