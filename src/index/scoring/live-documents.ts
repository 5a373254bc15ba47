// Which documents of a segment count: those of files that are neither deleted nor replaced. A segment never changes, so
// its dictionary counts all of them. This file subtracts the counts of deleted files, so every statistic is that of a
// fresh index.

import { countPostings } from "../coding/count-postings.ts";
import type { PostingList } from "../coding/posting-list.ts";
import type { TermDocuments } from "./term-documents.ts";
import type { LexicalLists, ScoredSegment, TermEntry } from "./scored-segment.ts";

/** To count fewer postings takes a microsecond. */
const MIN_FREQUENT = 256;
/** Terms whose counts a segment keeps: some 100 kB. */
const MAX_COUNTED = 1024;

/** The documents of deleted files. */
class DeletedDocuments {
  /** 1 for each of them. */
  readonly #members: Uint8Array;
  /** No document from here on is one of them. */
  readonly #end: number;

  constructor(members: Uint8Array) {
    this.#members = members;
    this.#end = members.lastIndexOf(1) + 1;
  }

  /** `starts`: the number of the first document of each file, of `size` in all. */
  static ofFiles(tombstones: Uint8Array, starts: Uint32Array, size: number): DeletedDocuments {
    const members = new Uint8Array(size);
    for (let file = tombstones.indexOf(1); file >= 0; file = tombstones.indexOf(1, file + 1))
      members.fill(1, starts[file], starts[file + 1] ?? size);
    return new DeletedDocuments(members);
  }

  countIn(list: PostingList): number {
    return list.count === 0 ? 0 : countPostings(list, this.#members, this.#end);
  }
}

/** The files of a segment that are live, with one version of its tombstones. */
export class LiveDocuments {
  readonly #segment: ScoredSegment;
  readonly #tombstones: Uint8Array;
  /** Whether no file is deleted. */
  readonly isWhole: boolean;
  #chunks: DeletedDocuments | undefined;
  #files: DeletedDocuments | undefined;
  #symbols: DeletedDocuments | undefined;
  /** Counts of frequent terms: an index has few of them, and they are in most queries. */
  readonly #counted = new Map<string, TermDocuments>();

  constructor(segment: ScoredSegment, tombstones: Uint8Array) {
    this.#segment = segment;
    this.#tombstones = tombstones;
    this.isWhole = !tombstones.includes(1);
  }

  /** Whether these files are deleted, and no others. */
  isOf(tombstones: Uint8Array): boolean {
    return Buffer.compare(this.#tombstones, tombstones) === 0;
  }

  /** Returns how many documents of each field have a term. `readLists`: called if a file is deleted. */
  documentsOf(entry: TermEntry, readLists = this.#readLists): TermDocuments {
    const [body = 0, names = 0, path = 0] = entry.counts;
    if (this.isWhole) return { body, names, path };
    const known = this.#counted.get(entry.term);
    if (known !== undefined) return known;
    const lists = readLists(entry);
    this.#chunks ??= this.#deletedBy(this.#segment.column("firstChunk"), this.#segment.chunks);
    this.#files ??= new DeletedDocuments(this.#tombstones);
    const documents = {
      body: body - this.#chunks.countIn(lists.body),
      names: names - this.#chunks.countIn(lists.names),
      path: path - this.#files.countIn(lists.path),
    };
    if (body + names + path >= MIN_FREQUENT) {
      if (this.#counted.size >= MAX_COUNTED) this.#counted.clear();
      this.#counted.set(entry.term, documents);
    }
    return documents;
  }

  readonly #readLists = (entry: TermEntry): LexicalLists => this.#segment.dictionary.listsOf(entry);

  /** Returns how many documents of a list are live, if they are files. `list`: called if a file is deleted. */
  filesIn(count: number, list: () => PostingList): number {
    if (this.isWhole || count === 0) return count;
    this.#files ??= new DeletedDocuments(this.#tombstones);
    return count - this.#files.countIn(list());
  }

  /** The same if they are the symbols of files. `starts`: the first one of each file, of `size` in all. */
  symbolsIn(
    count: number,
    { list, starts, size }: { list: () => PostingList; starts: () => Uint32Array; size: number },
  ): number {
    if (this.isWhole || count === 0) return count;
    this.#symbols ??= this.#deletedBy(starts(), size);
    return count - this.#symbols.countIn(list());
  }

  #deletedBy(starts: Uint32Array, size: number): DeletedDocuments {
    return DeletedDocuments.ofFiles(this.#tombstones, starts, size);
  }
}
