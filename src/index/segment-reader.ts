import { crc32 } from "node:zlib";

import { SvcError } from "../base/errors.ts";
import { ByteReader } from "./bytes.ts";
import {
  FIELDS,
  FORMAT_VERSION,
  KINDS,
  MAGIC,
  ROLES,
  SECTIONS,
  TERMS_PER_BLOCK,
  type ChunkKind,
  type Directory,
  type Field,
  type Role,
  type SectionName,
} from "./format.ts";
import type { Storage, StoredFile } from "./storage.ts";

/** The documents that hold a term, decoded: `documents[i]` holds it `frequencies[i]` times. */
export interface Postings {
  readonly documents: Uint32Array;
  readonly frequencies: Uint8Array;
}

/** Where the posting lists of a term are: field -> documents, offset and length in bytes. */
type TermEntry = Readonly<Partial<Record<Field, readonly [number, number, number]>>>;

export interface ChunkFacts {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: ChunkKind;
  readonly symbol: string;
  readonly names: readonly string[];
}

export interface FileFacts {
  readonly path: string;
  readonly language: string;
  readonly role: Role;
  readonly flags: number;
  readonly firstChunk: number;
  readonly chunkCount: number;
}

const FOOTER_BYTES = 12;
/** Posting lists kept decoded, by total documents: about 5 bytes each. */
const CACHED_DOCUMENTS = 400_000;

/** Reads one segment. Columns are read when first asked for; a term costs a few small reads. */
export class SegmentReader {
  readonly directory: Directory;
  readonly #file: StoredFile;
  readonly #blocks: Uint32Array;
  readonly #heads = new Map<number, string>();
  #chunkColumns: Uint32Array | undefined;
  #fileColumns: Uint32Array | undefined;
  #chunkStrings: StringTable | undefined;
  #filePaths: StringTable | undefined;
  #filesOfChunks: Uint32Array | undefined;
  #fileLengths: Float64Array | undefined;
  #postings = new Map<string, Postings>();
  #cachedDocuments = 0;

  constructor(storage: Storage, name: string) {
    this.#file = storage.open(name);
    try {
      this.directory = readDirectory(this.#file, name);
      this.#blocks = numbers(this.#section("blocks"));
    } catch (thrown) {
      this.#file.close();
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

  /** The documents of a term in a field (chunks; files for `path`); undefined when there are none. */
  postings(field: Field, term: string): Postings | undefined {
    const key = `${field} ${term}`;
    const cached = this.#postings.get(key);
    if (cached !== undefined) return cached;
    const place = this.#lookup(term)?.[field];
    if (place === undefined) return undefined;
    const [count, offset, length] = place;
    const [start, size] = this.directory.sections[field];
    // The dictionary is not checked as a whole: that would read all of it for one term.
    if (offset + length > size || count > length) throw damagedSection("terms");
    const postings = decode(this.#file.read(start + offset, length), count);
    if (this.#cachedDocuments > CACHED_DOCUMENTS) {
      this.#postings = new Map();
      this.#cachedDocuments = 0;
    }
    this.#postings.set(key, postings);
    this.#cachedDocuments += count;
    return postings;
  }

  /** Lengths in terms of every chunk. */
  bodyLengths(): Uint32Array {
    return this.#chunkColumn(3);
  }

  namesLengths(): Uint32Array {
    return this.#chunkColumn(4);
  }

  pathLengths(): Uint32Array {
    return this.#fileColumn(4);
  }

  /** First chunk of each file, in order of files and of chunks. */
  firstChunks(): Uint32Array {
    return this.#fileColumn(0);
  }

  /** The file of each chunk. */
  filesOfChunks(): Uint32Array {
    if (this.#filesOfChunks === undefined) {
      const first = this.firstChunks();
      const files = new Uint32Array(this.chunks);
      for (let file = 0; file < first.length; file += 1) {
        files.fill(file, first[file] ?? 0, first[file + 1] ?? this.chunks);
      }
      this.#filesOfChunks = files;
    }
    return this.#filesOfChunks;
  }

  /** Length in terms of each file: the sum of its chunks. */
  fileLengths(): Float64Array {
    if (this.#fileLengths === undefined) {
      const lengths = new Float64Array(this.files);
      const files = this.filesOfChunks();
      const chunks = this.bodyLengths();
      for (let chunk = 0; chunk < chunks.length; chunk += 1) {
        const file = files[chunk] ?? 0;
        lengths[file] = (lengths[file] ?? 0) + (chunks[chunk] ?? 0);
      }
      this.#fileLengths = lengths;
    }
    return this.#fileLengths;
  }

  roles(): Uint32Array {
    return this.#fileColumn(2);
  }

  flags(): Uint32Array {
    return this.#fileColumn(3);
  }

  chunk(ordinal: number): ChunkFacts {
    this.#chunkStrings ??= new StringTable(this.#section("chunkStrings"), this.chunks);
    const [symbol = "", names = ""] = this.#chunkStrings.get(ordinal).split("\n");
    return {
      startLine: this.#chunkColumn(0)[ordinal] ?? 0,
      endLine: this.#chunkColumn(1)[ordinal] ?? 0,
      kind: KINDS[this.#chunkColumn(2)[ordinal] ?? 0] ?? "text",
      symbol,
      names: names === "" ? [] : names.split(" "),
    };
  }

  file(ordinal: number): FileFacts {
    const first = this.#fileColumn(0);
    return {
      path: this.path(ordinal),
      language: this.directory.languages[this.#fileColumn(1)[ordinal] ?? 0] ?? "",
      role: ROLES[this.#fileColumn(2)[ordinal] ?? 0] ?? "code",
      flags: this.#fileColumn(3)[ordinal] ?? 0,
      firstChunk: first[ordinal] ?? 0,
      chunkCount: (first[ordinal + 1] ?? this.chunks) - (first[ordinal] ?? 0),
    };
  }

  path(ordinal: number): string {
    this.#filePaths ??= new StringTable(this.#section("filePaths"), this.files);
    return this.#filePaths.get(ordinal);
  }

  /** Names the sections whose checksum does not fit; reads the whole file. */
  damagedSections(): readonly SectionName[] {
    return SECTIONS.filter((name) => {
      const [offset, length, sum] = this.directory.sections[name];
      return crc32(this.#file.read(offset, length)) !== sum;
    });
  }

  #section(name: SectionName): Uint8Array<ArrayBuffer> {
    const [offset, length, sum] = this.directory.sections[name];
    const bytes = this.#file.read(offset, length);
    if (crc32(bytes) === sum) return bytes;
    throw damagedSection(name);
  }

  #chunkColumn(column: number): Uint32Array {
    this.#chunkColumns ??= numbers(this.#section("chunkColumns"));
    return this.#chunkColumns.subarray(column * this.chunks, (column + 1) * this.chunks);
  }

  #fileColumn(column: number): Uint32Array {
    this.#fileColumns ??= numbers(this.#section("fileColumns"));
    return this.#fileColumns.subarray(column * this.files, (column + 1) * this.files);
  }

  #lookup(term: string): TermEntry | undefined {
    let low = 0;
    let high = this.#blocks.length / 4 - 1;
    if (high < 0) return undefined;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#head(middle) <= term) low = middle;
      else high = middle - 1;
    }
    return this.#findInBlock(low, term);
  }

  #head(block: number): string {
    let head = this.#heads.get(block);
    if (head === undefined) {
      const reader = new ByteReader(this.#blockBytes(block, 200));
      reader.varint();
      head = Buffer.from(reader.bytes(reader.varint())).toString();
      this.#heads.set(block, head);
    }
    return head;
  }

  #blockBytes(block: number, atMost: number): Uint8Array {
    const [start, size] = this.directory.sections.terms;
    const from = this.#blocks[block * 4] ?? 0;
    const to = this.#blocks[(block + 1) * 4] ?? size;
    return this.#file.read(start + from, Math.min(to - from, atMost));
  }

  #findInBlock(block: number, term: string): TermEntry | undefined {
    const bytes = this.#blockBytes(block, Number.MAX_SAFE_INTEGER);
    const reader = new ByteReader(bytes);
    const offsets = FIELDS.map((_, at) => this.#blocks[block * 4 + 1 + at] ?? 0);
    let current = "";
    for (let at = 0; at < TERMS_PER_BLOCK && reader.position < bytes.length; at += 1) {
      const shared = reader.varint();
      const suffix = Buffer.from(reader.bytes(reader.varint())).toString();
      current = current.slice(0, shared) + suffix;
      const entry = readEntry(reader, offsets);
      if (current === term) return entry;
      if (current > term) return undefined;
    }
    return undefined;
  }
}

/** Reads the fields of one term and moves `offsets` past its posting lists. */
function readEntry(reader: ByteReader, offsets: number[]): TermEntry {
  const bits = reader.byte();
  const entry: Partial<Record<Field, readonly [number, number, number]>> = {};
  for (const [at, field] of FIELDS.entries()) {
    if ((bits & (1 << at)) === 0) continue;
    const count = reader.varint();
    const length = reader.varint();
    const offset = offsets[at] ?? 0;
    entry[field] = [count, offset, length];
    offsets[at] = offset + length;
  }
  return entry;
}

function decode(bytes: Uint8Array, count: number): Postings {
  const documents = new Uint32Array(count);
  const frequencies = new Uint8Array(count);
  let position = 0;
  let document = 0;
  for (let at = 0; at < count; at += 1) {
    let byte = bytes[position++] ?? 0;
    let delta = byte & 0x7f;
    let shift = 7;
    while (byte >= 0x80) {
      byte = bytes[position++] ?? 0;
      delta |= (byte & 0x7f) << shift;
      shift += 7;
    }
    document += delta;
    documents[at] = document;
    frequencies[at] = bytes[position++] ?? 0;
  }
  return { documents, frequencies };
}

class StringTable {
  readonly #offsets: Uint32Array;
  readonly #text: Buffer;

  constructor(bytes: Uint8Array<ArrayBuffer>, count: number) {
    this.#offsets = new Uint32Array(bytes.buffer, 0, count + 1);
    this.#text = Buffer.from(bytes.buffer, (count + 1) * 4);
  }

  get(at: number): string {
    return this.#text.toString("utf8", this.#offsets[at], this.#offsets[at + 1]);
  }
}

function numbers(bytes: Uint8Array<ArrayBuffer>): Uint32Array {
  return new Uint32Array(bytes.buffer, 0, bytes.length / 4);
}

function damagedSection(name: SectionName): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The ${name} section of the index is damaged.`, {
    hint: "Run `svc index --rebuild`.",
  });
}

function readDirectory(file: StoredFile, name: string): Directory {
  const damaged = (cause?: unknown): SvcError =>
    new SvcError("INDEX_UNAVAILABLE", `The index file ${name} is damaged.`, {
      hint: "Run `svc index --rebuild`.",
      cause,
    });
  if (file.sizeBytes < FOOTER_BYTES + 8) throw damaged();
  const footer = numbers(file.read(file.sizeBytes - FOOTER_BYTES, FOOTER_BYTES));
  const [length = 0, sum = 0, magic = 0] = footer;
  if (magic !== MAGIC || length > file.sizeBytes - FOOTER_BYTES) throw damaged();
  const json = file.read(file.sizeBytes - FOOTER_BYTES - length, length);
  if (crc32(json) !== sum) throw damaged();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own bytes, checksum verified
  const directory = JSON.parse(Buffer.from(json).toString()) as Directory;
  if (directory.version !== FORMAT_VERSION) {
    throw new SvcError("INDEX_UNAVAILABLE", `The index file ${name} has another format.`, {
      hint: "Run `svc index --rebuild`.",
    });
  }
  return directory;
}
