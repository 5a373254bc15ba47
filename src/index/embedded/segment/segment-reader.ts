import { BlockGroupReader } from "../../coding/block-groups.ts";
import { RecentBlocks, reserveKeys } from "../../coding/recent-blocks.ts";
import { unpackFacts } from "../../coding/packed-facts.ts";
import type { FileFacts, ChunkFacts, Outline, SymbolFacts } from "../../types.ts";
import { crc32 } from "node:zlib";

import { damagedFile, damagedSection, otherFormat } from "../../damage.ts";
import { withNames } from "../../change-log/fingerprint-block.ts";
import { DictionaryReader } from "./dictionary-reader.ts";
import { decodeFiles, type SegmentFiles } from "./files-section.ts";
import {
  FILE_COLUMNS,
  FINGERPRINTS_SINCE,
  FORMAT_VERSION,
  MAGIC,
  MIN_READABLE_VERSION,
  NAME_BLOCKS_SINCE,
  PACKED_SINCE,
  type Directory,
  type FileColumn,
  type SectionName,
  type SectionPlace,
} from "./format.ts";
import { NameTable } from "../../names/name-table.ts";
import { tableOf } from "../../names/symbol-names.ts";
import { convertedOutline } from "./older-formats.ts";
import { convertedNames } from "./older-names.ts";
import { readOutline, readOutlineSymbols, readOutlineSymbolsAt } from "./outline.ts";
import { IncludedModules, includedModules } from "../../references/included-modules.ts";
import { readImporting } from "../../references/reference-block.ts";
import { CheckedPages, PAGE_BYTES, PageChecksummer, PagesAhead } from "./page-checksums.ts";
import type { StoredFile } from "../storage/storage.ts";
import { StringTable } from "./string-column.ts";
import { TrigramReader } from "../trigrams/trigram-reader.ts";

const FOOTER_BYTES = 12;
/** Bytes per read when the whole file is read. */
const MAX_READ_BYTES = 1 << 20;
/** Scopes of files that use a name, up to twice as many bytes: they are read after the uses of all files. */
const SCOPES = new RecentBlocks(1 << 23);
const NO_COLUMN = new Uint32Array(0);
const NOTHING = new Uint8Array(0);

/** Reads one segment. Columns are read on first use; a term takes a few small reads. */
export class SegmentReader {
  /** Its file name. */
  readonly name: string;
  readonly directory: Directory;
  readonly dictionary: DictionaryReader;
  readonly trigrams: TrigramReader;
  readonly #file: StoredFile;
  /** Checksums of the pages. */
  readonly #sums: Uint32Array;
  readonly #checkedPages: CheckedPages;
  /** The reader of parts of sections. */
  readonly #pages: Pick<CheckedPages, "read">;
  readonly #isOlder: boolean;
  #knownFiles: SegmentFiles | undefined;
  #filesOfChunks: Uint32Array | undefined;
  #includes: IncludedModules | undefined;
  readonly #groups = new Map<SectionName, BlockGroupReader>();
  /** Keys of `SCOPES`: of the first file. */
  #firstScopeKey: number | undefined;

  /**
   * Takes ownership of the open file. Throws INDEX_UNAVAILABLE, and closes the file, if it is not a segment.
   * `ahead`: for reading each section from beginning to end.
   */
  constructor(file: StoredFile, name: string, { ahead = false } = {}) {
    this.#file = file;
    this.name = name;
    try {
      this.directory = readDirectory(file, name);
      this.#sums = readSums(file, name, this.directory);
      const checked = { sums: this.#sums, length: this.directory.pageSums[0] };
      this.#checkedPages = new CheckedPages(file, name, checked);
      this.#pages = ahead ? new PagesAhead(this.#checkedPages, checked.length) : this.#checkedPages;
      const isPlain = this.directory.version < PACKED_SINCE;
      this.#isOlder = isPlain;
      const { terms, postings, trigramKeys } = this.directory.sections;
      this.dictionary = new DictionaryReader({
        blocks: numbers(this.#section("blocks")),
        termsLength: terms[1],
        postingsLength: postings[1],
        isPlain,
        readTerms: (offset, length) => this.#part("terms", offset, length),
        readPostings: (offset, length) => this.#part("postings", offset, length),
      });
      this.trigrams = new TrigramReader(
        {
          keysLength: trigramKeys[1],
          isPlain,
          keys: (offset, length) => this.#part("trigramKeys", offset, length),
          postings: (offset, length) => this.#part("trigramPostings", offset, length),
        },
        this.directory.files,
      );
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  }

  close(): void {
    this.#file.close();
  }

  get files(): number {
    return this.directory.files;
  }

  get chunks(): number {
    return this.directory.chunks;
  }

  get #files(): SegmentFiles {
    this.#knownFiles ??= this.#isOlder ? this.#olderFiles() : this.#readFiles();
    return this.#knownFiles;
  }

  #readFiles(): SegmentFiles {
    return decodeFiles(this.#section("files"), this.files, this.chunks);
  }

  #olderFiles(): SegmentFiles {
    const all = numbers(this.#section("fileColumns"));
    return {
      columns: FILE_COLUMNS.map((_, at) => all.subarray(at * this.files, (at + 1) * this.files)),
      order: numbers(this.#section("pathOrder")),
      paths: new StringTable(this.#section("filePaths"), this.files),
      lengths: this.#section("lengths"),
    };
  }

  /** Returns the length code of every chunk's text (see `lengthCode`). */
  bodyCodes(): Uint8Array {
    return this.#files.lengths.subarray(0, this.chunks);
  }

  /** Returns the length code of every chunk's names. */
  namesCodes(): Uint8Array {
    return this.#files.lengths.subarray(this.chunks);
  }

  column(name: FileColumn): Uint32Array {
    return this.#files.columns[FILE_COLUMNS.indexOf(name)] ?? NO_COLUMN;
  }

  /** Returns the number of a file's first chunk and of the first chunk after it. */
  chunkRange(file: number): readonly [number, number] {
    const first = this.column("firstChunk");
    return [first[file] ?? 0, first[file + 1] ?? this.chunks];
  }

  /** Returns the file of each chunk. */
  filesOfChunks(): Uint32Array {
    if (this.#filesOfChunks === undefined) {
      const first = this.column("firstChunk");
      const files = new Uint32Array(this.chunks);
      for (let file = 0; file < first.length; file += 1) {
        files.fill(file, first[file] ?? 0, first[file + 1] ?? this.chunks);
      }
      this.#filesOfChunks = files;
    }
    return this.#filesOfChunks;
  }

  file(ordinal: number): FileFacts {
    const { language, role, flags } = unpackFacts(this.column("facts")[ordinal] ?? 0);
    return {
      path: this.path(ordinal),
      language: this.directory.languages[language] ?? "",
      role,
      flags,
    };
  }

  path(ordinal: number): string {
    return this.#files.paths.get(ordinal);
  }

  /** Returns the paths of all files, by number. */
  paths(): readonly string[] {
    return this.#files.paths.all();
  }

  /** Returns the numbers of the files in path order. */
  pathOrder(): Uint32Array {
    return this.#files.order;
  }

  /** Returns the position in path order of the first path after `path`, or at or after it with `isIncluded`. */
  firstAfter(path: string, isIncluded: boolean): number {
    const order = this.pathOrder();
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = this.path(order[middle] ?? 0);
      if (one < path || (one === path && !isIncluded)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Size of the vectors of all files, in bytes. */
  get vectorsLength(): number {
    return this.directory.sections.vectors[1];
  }

  /** Size of one vector, in bytes. */
  get vectorWidth(): number {
    const { vectorCount } = this.directory;
    return vectorCount === 0 ? 0 : this.vectorsLength / vectorCount;
  }

  /** Returns a part of the concatenated vectors. */
  vectors(offset: number, length: number): Uint8Array {
    return this.#part("vectors", offset, length);
  }

  /** Fills `to` with a part of them. */
  vectorsInto(offset: number, to: Uint8Array): void {
    this.#checkedPages.readInto(this.#startOf("vectors", offset, to.length), to);
  }

  /**
   * Reads all vectors into `to`, which has their length: they may be many megabytes. One checksum of all takes a quarter
   * of the time of those of their pages.
   */
  allVectors(to: Uint8Array<ArrayBuffer>): void {
    if (to.length !== this.vectorsLength) throw damagedSection("vectors");
    this.#section("vectors", to);
  }

  /** Returns the names of all symbols, which are read on demand. */
  nameTable(): NameTable {
    if (this.directory.version < NAME_BLOCKS_SINCE)
      return tableOf(convertedNames(this.#section("names")));
    const [, length] = this.#place("names");
    return new NameTable({ length, read: (offset, size) => this.#part("names", offset, size) });
  }

  outline(file: number): Outline {
    return readOutline(this.outlineBytes(file));
  }

  symbolsOf(file: number): readonly SymbolFacts[] {
    return readOutlineSymbols(this.outlineBytes(file));
  }

  /** Returns the symbols of a file at these places, which ascend. */
  symbolsAt(file: number, places: readonly number[]): readonly SymbolFacts[] {
    return readOutlineSymbolsAt(this.outlineBytes(file), places);
  }

  chunksOf(file: number): readonly ChunkFacts[] {
    return this.outline(file).chunks;
  }

  /** Returns the outline of a file: see outline.ts. */
  outlineBytes(file: number): Uint8Array {
    return this.#isOlder
      ? convertedOutline(this.#block("outline", "outlines", file))
      : this.#groupedBlock("outline", "outlines", "outlineGroups", file);
  }

  /** Returns the references of a file: see reference-block.ts. */
  referenceBytes(file: number): Uint8Array {
    // Until format 11 they were not compressed.
    return this.directory.version < FINGERPRINTS_SINCE
      ? this.#block("references", "references", file)
      : this.#groupedBlock("references", "references", "referenceGroups", file);
  }

  /** Returns what a file imports as a whole. */
  includesOf(file: number): readonly string[] {
    if (this.directory.version < NAME_BLOCKS_SINCE)
      return includedModules(readImporting(this.scopeBytes(file)).imports);
    this.#includes ??= new IncludedModules(this.#section("includes"), this.files);
    return this.#includes.of(file);
  }

  /** Returns the references of a file, whose uses may be missing. */
  scopeBytes(file: number): Uint8Array {
    const key = this.#firstScopeKey;
    return (key === undefined ? undefined : SCOPES.get(key + file)) ?? this.referenceBytes(file);
  }

  /** Keeps the references of a file without its uses for `scopeBytes`: decompressing them again takes longer than reading them. */
  keepScope(file: number, scope: Uint8Array): void {
    this.#firstScopeKey ??= reserveKeys(this.files);
    SCOPES.set(this.#firstScopeKey + file, scope);
  }

  /** Returns the encoded fingerprints of a file; empty if it was not complete. */
  fingerprints(file: number): Uint8Array {
    return withNames(this.fingerprintBytes(file), () => this.symbolsOf(file));
  }

  /** Returns them as the segment has them. */
  fingerprintBytes(file: number): Uint8Array {
    if (this.directory.version < FINGERPRINTS_SINCE) return NOTHING;
    return this.#isOlder
      ? this.#groupedBlock("fingerprints", "fingerprints", "fingerprintGroups", file)
      : this.#block("fingerprints", "fingerprints", file);
  }

  /** Returns the block of a file; `column` says where it begins. */
  #block(column: FileColumn, section: SectionName, file: number): Uint8Array {
    const starts = this.column(column);
    const from = starts[file] ?? 0;
    const to = starts[file + 1] ?? this.#place(section)[1];
    return this.#part(section, from, to - from);
  }

  /** The same in groups, which `places` has. */
  // oxlint-disable-next-line max-params -- three names and a number
  #groupedBlock(
    column: FileColumn,
    section: SectionName,
    places: SectionName,
    file: number,
  ): Uint8Array {
    let groups = this.#groups.get(section);
    if (groups === undefined) {
      const read = (at: number, length: number): Uint8Array => this.#part(section, at, length);
      groups = new BlockGroupReader(section, numbers(this.#section(places)), read);
      this.#groups.set(section, groups);
    }
    const starts = this.column(column);
    return groups.block(starts[file] ?? 0, starts[file + 1]);
  }

  /** Returns the file of a symbol. */
  fileOfSymbol(symbol: number): number {
    const first = this.column("firstSymbol");
    let low = 0;
    let high = first.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((first[middle] ?? 0) <= symbol) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Returns the names of the parts whose checksum is wrong. Reads the whole file, only once if nothing is
   * damaged.
   */
  damagedParts(): readonly string[] {
    if (this.#hasSoundPages()) return [];
    const sections = this.damagedSections();
    return sections.length > 0 ? sections : ["padding"];
  }

  /** Whether the pages are as they were written, including all sections and the padding between them. */
  #hasSoundPages(): boolean {
    const [length] = this.directory.pageSums;
    const pages = new PageChecksummer();
    for (let at = 0; at < length; at += MAX_READ_BYTES) {
      pages.add(this.#file.read(at, Math.min(MAX_READ_BYTES, length - at)));
    }
    return isEqual(pages.finish(), this.#sums);
  }

  /** Returns the names of the sections whose checksum is wrong. */
  damagedSections(): readonly string[] {
    const sections = Object.entries(this.directory.sections);
    return sections
      .filter(([, [offset, length, sum]]) => crc32(this.#file.read(offset, length)) !== sum)
      .map(([name]) => name);
  }

  #section(name: SectionName, to?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const [offset, length, sum] = this.#place(name);
    const bytes = this.#file.read(offset, length, to);
    if (crc32(bytes) === sum) return bytes;
    throw damagedSection(name);
  }

  #place(name: SectionName): SectionPlace {
    const place = this.directory.sections[name];
    if (place === undefined) throw damagedSection(name);
    return place;
  }

  #part(name: SectionName, offset: number, length: number): Uint8Array {
    return this.#pages.read(this.#startOf(name, offset, length), length);
  }

  /** Returns where a part of a section begins in the file. */
  #startOf(name: SectionName, offset: number, length: number): number {
    const [start, size] = this.#place(name);
    if (length < 0 || offset + length > size) throw damagedSection(name);
    return start + offset;
  }
}

function numbers(bytes: Uint8Array<ArrayBuffer>): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function isEqual(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

function readSums(file: StoredFile, name: string, { pageSums }: Directory): Uint32Array {
  const [length, sum] = pageSums;
  const sums = file.read(length, Math.ceil(length / PAGE_BYTES) * 4);
  if (crc32(sums) !== sum) throw damagedFile(name);
  return numbers(sums);
}

/** Returns the format of a segment, without opening it. */
export function formatOf(file: StoredFile): number {
  const [, format = 0] = numbers(file.read(0, 8));
  return format;
}

function readDirectory(file: StoredFile, name: string): Directory {
  if (file.sizeBytes < FOOTER_BYTES + 8) throw damagedFile(name);
  const footer = numbers(file.read(file.sizeBytes - FOOTER_BYTES, FOOTER_BYTES));
  const [length = 0, sum = 0, magic = 0] = footer;
  if (magic !== MAGIC || length > file.sizeBytes - FOOTER_BYTES) throw damagedFile(name);
  const json = file.read(file.sizeBytes - FOOTER_BYTES - length, length);
  if (crc32(json) !== sum) throw damagedFile(name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own bytes, checksum verified
  const directory = JSON.parse(Buffer.from(json).toString()) as Directory;
  if (directory.version < MIN_READABLE_VERSION || directory.version > FORMAT_VERSION)
    throw otherFormat(name);
  return directory;
}
