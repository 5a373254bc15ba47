import { isPrefixTerm } from "../../parse/tokenizer.ts";
import { lengthCode } from "../coding/length-code.ts";
import { packFacts } from "../coding/packed-facts.ts";
import { postingListOf, type PostingList } from "../coding/posting-list.ts";
import type { ScoredSegment, TermEntry } from "../scoring/scored-segment.ts";
import type { ChunkFacts, FileFacts } from "../types.ts";
import type { VectorSegment } from "../vectors/vector-store.ts";
import type { IndexedContent, TermCounts } from "./indexed-content.ts";

interface ListedTerm extends TermEntry {
  readonly lists: Readonly<Record<"body" | "names" | "path", PostingList>>;
}

/** The postings of each term: documents with the frequency of the term, in order. */
type Postings = ReadonlyMap<string, readonly (readonly [number, number])[]>;

/** Files as a segment for scoring. */
export class MemorySegment implements VectorSegment {
  readonly contents: readonly IndexedContent[];
  readonly directory: ScoredSegment["directory"];
  readonly chunks: number;
  /** Number of terms in the text of each file. */
  readonly fileLengths: readonly number[];
  readonly vectorsLength: number;
  readonly #postings: Readonly<Record<"body" | "names" | "path", Postings>>;
  readonly #bodyCodes: Uint8Array;
  readonly #namesCodes: Uint8Array;
  readonly #vectors: Uint8Array;
  readonly #filesOfChunks: Uint32Array;
  readonly #columns: Readonly<Record<"firstChunk" | "firstVector" | "facts", Uint32Array>>;

  /** All contents must have vectors of the embedding table `embedder`, or none. */
  constructor(contents: readonly IndexedContent[], embedder: string) {
    this.contents = contents;
    const body = contents.flatMap(({ bodyTerms }) => bodyTerms);
    const names = contents.flatMap(({ namesTerms }) => namesTerms);
    const path = contents.map(({ pathTerms }) => pathTerms);
    this.#postings = {
      body: postingsOf(body),
      names: postingsOf(names),
      path: postingsOf(path),
    };
    this.chunks = body.length;
    this.#bodyCodes = Uint8Array.from(body.map(lengthOf), lengthCode);
    this.#namesCodes = Uint8Array.from(names.map(lengthOf), lengthCode);
    this.fileLengths = contents.map(({ bodyTerms }) => sum(bodyTerms.map(lengthOf)));
    this.#vectors = Buffer.concat(contents.flatMap(({ vectors }) => vectors ?? []));
    this.vectorsLength = this.#vectors.length;
    this.#filesOfChunks = Uint32Array.from(
      contents.flatMap(({ chunks }, file) => chunks.map(() => file)),
    );
    const languages = [...new Set(contents.map(({ facts }) => facts.language))];
    this.#columns = columnsOf(contents, languages);
    this.directory = {
      totals: { body: sum(this.fileLengths) },
      embedder,
      vectorCount: sum(contents.map(({ chunks, vectors }) => (vectors ? chunks.length : 0))),
      languages,
    };
  }

  get files(): number {
    return this.contents.length;
  }

  get vectorWidth(): number {
    const { vectorCount } = this.directory;
    return vectorCount === 0 ? 0 : this.vectorsLength / vectorCount;
  }

  readonly dictionary = {
    lookup: (term: string): ListedTerm | undefined => {
      const lists = {
        body: postingListOf(this.#postings.body.get(term) ?? []),
        names: postingListOf(this.#postings.names.get(term) ?? []),
        path: postingListOf(this.#postings.path.get(term) ?? []),
      };
      const counts = [lists.body.count, lists.names.count, lists.path.count];
      return counts.every((count) => count === 0) ? undefined : { term, counts, lists };
    },
    listsOf: ({ lists }: ListedTerm): ListedTerm["lists"] => lists,
  };

  bodyCodes(): Uint8Array {
    return this.#bodyCodes;
  }

  namesCodes(): Uint8Array {
    return this.#namesCodes;
  }

  column(name: "firstChunk" | "firstVector" | "facts"): Uint32Array {
    return this.#columns[name];
  }

  chunkRange(file: number): readonly [number, number] {
    const { firstChunk } = this.#columns;
    return [firstChunk[file] ?? 0, firstChunk[file + 1] ?? this.chunks];
  }

  filesOfChunks(): Uint32Array {
    return this.#filesOfChunks;
  }

  file(file: number): FileFacts {
    return this.#content(file).facts;
  }

  path(file: number): string {
    return this.#content(file).facts.path;
  }

  chunksOf(file: number): readonly ChunkFacts[] {
    return this.#content(file).chunks;
  }

  vectorsInto(offset: number, to: Uint8Array): void {
    to.set(this.#vectors.subarray(offset, offset + to.length));
  }

  allVectors(to: Uint8Array): void {
    to.set(this.#vectors);
  }

  #content(file: number): IndexedContent {
    const content = this.contents[file];
    if (content === undefined) throw new RangeError(`there is no file ${file}`);
    return content;
  }
}

function columnsOf(
  contents: readonly IndexedContent[],
  languages: readonly string[],
): Readonly<Record<"firstChunk" | "firstVector" | "facts", Uint32Array>> {
  const firstChunk = new Uint32Array(contents.length);
  const firstVector = new Uint32Array(contents.length);
  const facts = new Uint32Array(contents.length);
  let chunks = 0;
  let vectors = 0;
  for (const [file, content] of contents.entries()) {
    const { language, role, flags } = content.facts;
    facts[file] = packFacts(languages.indexOf(language), role, flags);
    firstChunk[file] = chunks;
    chunks += content.chunks.length;
    // 0 is a file without vectors.
    if (content.vectors === undefined || content.chunks.length === 0) continue;
    firstVector[file] = vectors + 1;
    vectors += content.chunks.length;
  }
  return { firstChunk, firstVector, facts };
}

function postingsOf(documents: readonly TermCounts[]): Postings {
  const postings = new Map<string, (readonly [number, number])[]>();
  for (const [document, counts] of documents.entries()) {
    for (const [term, count] of counts) {
      const others = postings.get(term);
      if (others === undefined) postings.set(term, [[document, count]]);
      else others.push([document, count]);
    }
  }
  return postings;
}

/** Returns the number of terms. Prefixes are no part of the length of a text. */
function lengthOf(counts: TermCounts): number {
  return sum([...counts].map(([term, count]) => (isPrefixTerm(term) ? 0 : count)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
