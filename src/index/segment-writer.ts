import { crc32 } from "node:zlib";

import { WordTable } from "../chunk/word-table.ts";
import type { Tokenizer } from "../chunk/words.ts";
import { ByteWriter, NumberList } from "./bytes.ts";
import { writeTerms } from "./dictionary-writer.ts";
import {
  FIELDS,
  FORMAT_VERSION,
  KINDS,
  MAGIC,
  ROLES,
  type ChunkKind,
  type Directory,
  type Field,
  type Role,
  type SectionName,
  type SectionPlace,
} from "./format.ts";

/** One chunk, as the index takes it. */
export interface ChunkInput {
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  readonly names: readonly string[];
  readonly kind: ChunkKind;
}

/** One file, as the index takes it. Chunks are in order and do not overlap. */
export interface FileInput {
  readonly path: string;
  readonly language: string;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
  /** Lines end with a line feed. */
  readonly text: string;
  readonly chunks: readonly ChunkInput[];
}

/** Collects files and turns them into one immutable segment. */
export class SegmentWriter {
  readonly #tokenizer: Tokenizer;
  readonly #termIds = new Map<string, number>();
  #words = new WordTable();
  /** The ids of the terms of each word. */
  #idsOfWord: (readonly number[])[] = [];
  readonly #fields: Record<Field, FieldLog> = {
    body: new FieldLog(),
    names: new FieldLog(),
    path: new FieldLog(),
  };
  /** The field that is being read. */
  #log: FieldLog = this.#fields.body;
  readonly #chunkColumns = {
    startLine: new NumberList(),
    endLine: new NumberList(),
    kind: new NumberList(),
    bodyLength: new NumberList(),
    namesLength: new NumberList(),
  };
  readonly #chunkStrings = new StringColumn();
  readonly #fileColumns = {
    firstChunk: new NumberList(),
    language: new NumberList(),
    role: new NumberList(),
    flags: new NumberList(),
    pathLength: new NumberList(),
  };
  readonly #filePaths = new StringColumn();
  readonly #languages: string[] = [];

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  get files(): number {
    return this.#filePaths.length;
  }

  get chunks(): number {
    return this.#chunkStrings.length;
  }

  /** Entries waiting in memory, about 12 bytes each: what decides when a segment is full. */
  get postings(): number {
    return FIELDS.reduce((sum, field) => sum + this.#fields[field].length, 0);
  }

  /** Returns the number of the file within this segment. */
  add(file: FileInput): number {
    const ordinal = this.files;
    const columns = this.#fileColumns;
    columns.firstChunk.push(this.chunks);
    columns.language.push(this.#languageId(file.language));
    columns.role.push(ROLES.indexOf(file.role));
    columns.flags.push(file.flags);
    this.#filePaths.push(file.path);
    columns.pathLength.push(this.#record("path", ordinal, pathTexts(file.path)));
    const offsetOf = lineOffsets(file.text);
    for (const chunk of file.chunks) {
      const body = [offsetOf(chunk.startLine), offsetOf(chunk.endLine + 1)] as const;
      this.#addChunk(file.text, body, chunk);
    }
    return ordinal;
  }

  #addChunk(text: string, [from, to]: readonly [number, number], chunk: ChunkInput): void {
    const ordinal = this.chunks;
    const columns = this.#chunkColumns;
    columns.startLine.push(chunk.startLine);
    columns.endLine.push(chunk.endLine);
    columns.kind.push(KINDS.indexOf(chunk.kind));
    this.#chunkStrings.push(`${chunk.symbol}\n${chunk.names.join(" ")}`);
    const log = this.#begin("body");
    this.#words.scan(text, this.#countWord, from, to);
    columns.bodyLength.push(log.end(ordinal));
    columns.namesLength.push(this.#record("names", ordinal, chunk.names));
  }

  #record(field: Field, document: number, texts: readonly string[]): number {
    const log = this.#begin(field);
    for (const text of texts) this.#words.scan(text, this.#countWord);
    return log.end(document);
  }

  #begin(field: Field): FieldLog {
    this.#log = this.#fields[field];
    this.#log.begin(this.#termIds.size);
    return this.#log;
  }

  /** One function for all words: a closure for each text would cost more than the counting. */
  readonly #countWord = (word: number): void => {
    const ids = this.#idsOfWord[word] ?? this.#learn(word);
    for (let at = 0; at < ids.length; at += 1) this.#log.count(ids[at] ?? 0);
  };

  #learn(word: number): readonly number[] {
    const ids = this.#tokenizer.split(this.#words.word(word)).map((term) => {
      const known = this.#termIds.get(term);
      if (known !== undefined) return known;
      this.#termIds.set(term, this.#termIds.size);
      return this.#termIds.size - 1;
    });
    this.#idsOfWord[word] = ids;
    return ids;
  }

  #languageId(language: string): number {
    const known = this.#languages.indexOf(language);
    if (known >= 0) return known;
    return this.#languages.push(language) - 1;
  }

  /** The parts of the finished segment, to be written one after the other. */
  finish(): readonly Uint8Array[] {
    this.#words = new WordTable();
    this.#idsOfWord = [];
    const { terms, blocks, postings } = writeTerms(this.#termIds, this.#fields);
    const sections: Record<SectionName, Uint8Array> = {
      ...postings,
      terms,
      blocks,
      chunkColumns: joined(Object.values(this.#chunkColumns)),
      chunkStrings: this.#chunkStrings.finish(),
      fileColumns: joined(Object.values(this.#fileColumns)),
      filePaths: this.#filePaths.finish(),
    };
    return assemble(sections, {
      files: this.files,
      chunks: this.chunks,
      terms: this.#termIds.size,
      totals: {
        body: this.#fields.body.total,
        names: this.#fields.names.total,
        path: this.#fields.path.total,
      },
      languages: this.#languages,
    });
  }
}

/** Offset of the beginning of a line, for lines asked for in order; the end of the text behind the last. */
function lineOffsets(text: string): (line: number) => number {
  let known = 1;
  let offset = 0;
  return (line) => {
    for (; known < line; known += 1) {
      const end = text.indexOf("\n", offset);
      if (end === -1) return text.length;
      offset = end + 1;
    }
    return offset;
  };
}

/** The words of a path; those of the file's own name count twice, its extension not at all. */
function pathTexts(path: string): readonly string[] {
  const stemmed = path.replace(/\.[A-Za-z0-9]{1,8}$/, "");
  return [stemmed, stemmed.slice(stemmed.lastIndexOf("/") + 1)];
}

/** The occurrences of one field in the order of documents: (term, document, frequency). */
export class FieldLog {
  readonly terms = new NumberList();
  readonly documents = new NumberList();
  readonly frequencies = new NumberList();
  total = 0;
  #counts = new Uint32Array(1 << 12);
  #touched: number[] = [];

  get length(): number {
    return this.terms.length;
  }

  begin(knownTerms: number): void {
    if (knownTerms >= this.#counts.length) this.#grow(knownTerms);
  }

  count(term: number): void {
    if (term >= this.#counts.length) this.#grow(term);
    const seen = this.#counts[term] ?? 0;
    if (seen === 0) this.#touched.push(term);
    this.#counts[term] = seen + 1;
  }

  /** Closes the document and returns its length in terms. */
  end(document: number): number {
    let length = 0;
    for (const term of this.#touched) {
      const frequency = this.#counts[term] ?? 0;
      length += frequency;
      this.#counts[term] = 0;
      this.terms.push(term);
      this.documents.push(document);
      this.frequencies.push(Math.min(frequency, 255));
    }
    this.#touched = [];
    this.total += length;
    return length;
  }

  #grow(term: number): void {
    const counts = new Uint32Array(Math.max(this.#counts.length * 2, term + 1));
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

/** Strings behind each other: offsets (u32, one more than strings), then UTF-8. */
class StringColumn {
  readonly #offsets = new NumberList();
  readonly #text = new ByteWriter();

  get length(): number {
    return this.#offsets.length;
  }

  push(text: string): void {
    this.#offsets.push(this.#text.length);
    this.#text.bytes(Buffer.from(text));
  }

  finish(): Uint8Array {
    const offsets = new Uint32Array([...this.#offsets.finish(), this.#text.length]);
    return Buffer.concat([new Uint8Array(offsets.buffer), this.#text.finish()]);
  }
}

function joined(columns: readonly NumberList[]): Uint8Array {
  return Buffer.concat(
    columns.map((column) => {
      const values = column.finish();
      return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    }),
  );
}

function assemble(
  sections: Record<SectionName, Uint8Array>,
  facts: Omit<Directory, "sections" | "version">,
): readonly Uint8Array[] {
  const parts: Uint8Array[] = [new Uint8Array(new Uint32Array([MAGIC, FORMAT_VERSION]).buffer)];
  let offset = 8;
  const place = (name: SectionName): SectionPlace => {
    const bytes = sections[name];
    const padding = (8 - (bytes.length % 8)) % 8;
    parts.push(bytes, new Uint8Array(padding));
    offset += bytes.length + padding;
    return [offset - bytes.length - padding, bytes.length, crc32(bytes)];
  };
  const directory: Directory = {
    version: FORMAT_VERSION,
    ...facts,
    sections: {
      body: place("body"),
      names: place("names"),
      path: place("path"),
      terms: place("terms"),
      blocks: place("blocks"),
      chunkColumns: place("chunkColumns"),
      chunkStrings: place("chunkStrings"),
      fileColumns: place("fileColumns"),
      filePaths: place("filePaths"),
    },
  };
  const json = Buffer.from(JSON.stringify(directory));
  parts.push(json, new Uint8Array(new Uint32Array([json.length, crc32(json), MAGIC]).buffer));
  return parts;
}
