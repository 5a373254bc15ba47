// Reads a SCIP index: the output of a compiler's indexer. The file can have gigabytes, and a stranger may have written it:
// one document is in memory at a time, and nothing in it is trusted.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { PbfReader } from "pbf";

import { SvcError } from "../base/errors.ts";

/** The values of `SymbolRole` in scip.proto that svc uses. */
export const SymbolRole = {
  definition: 1,
  import: 2,
  generated: 16,
  test: 32,
  forwardDefinition: 64,
} as const;

/** Where a symbol occurs. Lines and characters are 0-based; the end is exclusive. */
export interface ScipOccurrence {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly symbol: string;
  /** SymbolRole bits. */
  readonly roles: number;
  /** Lines of the whole definition; undefined if unknown. */
  readonly enclosing: { readonly startLine: number; readonly endLine: number } | undefined;
}

export interface ScipRelationship {
  readonly symbol: string;
  readonly isReference: boolean;
  readonly isImplementation: boolean;
}

export interface ScipSymbol {
  readonly symbol: string;
  /** As in `SymbolInformation.Kind` of scip.proto; 0 if unknown. */
  readonly kind: number;
  readonly relationships: readonly ScipRelationship[];
}

export interface ScipDocument {
  /** As written. */
  readonly path: string;
  /** "" if the index has no text. */
  readonly text: string;
  /** See `PositionEncoding`. */
  readonly encoding: number;
  readonly occurrences: readonly ScipOccurrence[];
  readonly symbols: readonly ScipSymbol[];
}

export interface ScipMetadata {
  /** Name and version of the indexer; "" if unknown. */
  readonly tool: string;
  /** A `file:` URL; "" if unknown. */
  readonly projectRoot: string;
}

/** Where a document lies in the file. */
export interface DocumentPlace {
  readonly start: number;
  readonly length: number;
}

/** More than any document of a file that svc indexes has. */
const MAX_DOCUMENT_BYTES = 64 << 20;
const MAX_METADATA_BYTES = 1 << 20;
const MAX_DOCUMENTS = 1 << 20;
/** A tag and a length, of up to ten bytes each. */
const MAX_HEAD_BYTES = 20;

const METADATA = 1;
const DOCUMENT = 2;
const LENGTH_DELIMITED = 2;

/** An open SCIP index. */
export class ScipIndex {
  readonly metadata: ScipMetadata;
  readonly documents: readonly DocumentPlace[];
  readonly #name: string;
  readonly #file: number;

  /** Throws INVALID_PARAMS for a file that is not a SCIP index, or that cannot be read. */
  constructor(path: string) {
    this.#name = path;
    this.#file = openFile(path);
    try {
      const { metadata, documents } = this.#contents();
      this.metadata = metadata;
      this.documents = documents;
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Decodes one document. Throws INVALID_PARAMS. */
  document({ start, length }: DocumentPlace): ScipDocument {
    return this.#decoded(() => readDocument(new PbfReader(this.#bytes(start, length))));
  }

  close(): void {
    closeSync(this.#file);
  }

  #contents(): { metadata: ScipMetadata; documents: readonly DocumentPlace[] } {
    const { size } = fstatSync(this.#file);
    let metadata: ScipMetadata | undefined;
    const documents: DocumentPlace[] = [];
    for (let at = 0; at < size;) {
      const { field, start, length } = this.#head(at);
      const end = start + length;
      if (end > size) throw this.#problem("it is cut off");
      if (field === METADATA) {
        if (length > MAX_METADATA_BYTES) throw this.#problem("its metadata is too large");
        const bytes = this.#bytes(start, length);
        metadata = this.#decoded(() => readMetadata(new PbfReader(bytes)));
      } else if (field === DOCUMENT) {
        if (length > MAX_DOCUMENT_BYTES) throw this.#problem("a document has more than 64 MiB");
        documents.push({ start, length });
        if (documents.length > MAX_DOCUMENTS) throw this.#problem("it has too many documents");
      }
      at = end;
    }
    if (metadata === undefined) throw this.#problem("it has no metadata");
    return { metadata, documents };
  }

  /** The field that begins at a position of the file. */
  #head(at: number): { field: number; start: number; length: number } {
    return this.#decoded(() => {
      const bytes = this.#bytes(at, MAX_HEAD_BYTES);
      const from = new PbfReader(bytes);
      const tag = from.readVarint();
      if ((tag & 7) !== LENGTH_DELIMITED) throw new RangeError("an unknown field");
      const length = from.readVarint();
      if (from.pos > bytes.length) throw new RangeError("a field is cut off");
      return { field: tag >>> 3, start: at + from.pos, length };
    });
  }

  #bytes(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    while (read < length) {
      const count = readSync(this.#file, bytes, read, length - read, start + read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  }

  #decoded<Value>(decode: () => Value): Value {
    try {
      return decode();
    } catch (thrown) {
      if (thrown instanceof SvcError || !(thrown instanceof Error)) throw thrown;
      throw this.#problem(`it cannot be decoded (${thrown.message})`);
    }
  }

  #problem(why: string): SvcError {
    return new SvcError("INVALID_PARAMS", `${this.#name} is not a SCIP index: ${why}.`, {
      hint: "Write it again with an indexer, such as scip-typescript or scip-python.",
    });
  }
}

function openFile(path: string): number {
  let file: number | undefined;
  try {
    // A pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(file).isFile()) return file;
  } catch {
    // It does not exist, or this process may not read it.
  }
  if (file !== undefined) closeSync(file);
  throw new SvcError("INVALID_PARAMS", `There is no SCIP index at ${path} that can be read.`, {
    hint: "Give the path of a file that an indexer has written, such as index.scip.",
  });
}

/** Reads a message that has the next bytes. Throws for one that does not end where its length says. */
function message<Result>(
  from: PbfReader,
  readField: (field: number, result: Result, from: PbfReader) => void,
  result: Result,
): Result {
  const end = from.readVarint() + from.pos;
  if (end > from.length) throw new RangeError("a message is longer than the one around it");
  return fields(from, readField, { result, end });
}

function fields<Result>(
  from: PbfReader,
  readField: (field: number, result: Result, from: PbfReader) => void,
  { result, end }: { readonly result: Result; readonly end: number },
): Result {
  from.readFields(readField, result, end);
  if (from.pos !== end) throw new RangeError("a message ends in the middle of a field");
  return result;
}

function whole<Result>(
  from: PbfReader,
  readField: (field: number, result: Result, from: PbfReader) => void,
  result: Result,
): Result {
  return fields(from, readField, { result, end: from.length });
}

type Draft<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function readMetadata(from: PbfReader): ScipMetadata {
  return whole(from, readMetadataField, { tool: "", projectRoot: "" });
}

function readMetadataField(field: number, into: Draft<ScipMetadata>, from: PbfReader): void {
  if (field === 2)
    into.tool = message(from, readToolField, { parts: ["", ""] })
      .parts.join(" ")
      .trim();
  else if (field === 3) into.projectRoot = textOf(from);
}

function readToolField(
  field: number,
  { parts }: { readonly parts: string[] },
  from: PbfReader,
): void {
  if (field === 1 || field === 2) parts[field - 1] = textOf(from);
}

interface DocumentDraft extends Draft<ScipDocument> {
  readonly occurrences: ScipOccurrence[];
  readonly symbols: ScipSymbol[];
}

function readDocument(from: PbfReader): ScipDocument {
  const draft: DocumentDraft = { path: "", text: "", encoding: 0, occurrences: [], symbols: [] };
  return whole(from, readDocumentField, draft);
}

function readDocumentField(field: number, into: DocumentDraft, from: PbfReader): void {
  if (field === 1) into.path = textOf(from);
  else if (field === 2) into.occurrences.push(readOccurrence(from));
  else if (field === 3) into.symbols.push(readSymbol(from));
  else if (field === 5) into.text = textOf(from);
  else if (field === 6) into.encoding = from.readVarint();
}

interface OccurrenceDraft {
  readonly range: number[];
  readonly enclosing: number[];
  symbol: string;
  roles: number;
}

function readOccurrence(from: PbfReader): ScipOccurrence {
  const draft: OccurrenceDraft = { range: [], enclosing: [], symbol: "", roles: 0 };
  const { range, enclosing, symbol, roles } = message(from, readOccurrenceField, draft);
  const place = rangeOf(range);
  if (place === undefined) throw new RangeError("a range has neither three nor four numbers");
  const around = rangeOf(enclosing);
  return { ...place, symbol, roles, enclosing: around };
}

function readOccurrenceField(field: number, into: OccurrenceDraft, from: PbfReader): void {
  if (field === 1) readNumbers(from, into.range);
  else if (field === 2) into.symbol = textOf(from);
  else if (field === 3) into.roles = from.readVarint();
  else if (field === 7) readNumbers(from, into.enclosing);
}

/** Reads the numbers of a range, packed or one by one. */
function readNumbers(from: PbfReader, into: number[]): void {
  const end = from.type === LENGTH_DELIMITED ? from.readVarint() + from.pos : from.pos + 1;
  while (from.pos < end) {
    if (into.length === 4) throw new RangeError("a range has more than four numbers");
    into.push(from.readVarint());
  }
}

function rangeOf(
  range: readonly number[],
): Omit<ScipOccurrence, "symbol" | "roles" | "enclosing"> | undefined {
  const [startLine = 0, startCharacter = 0, third = 0, endCharacter] = range;
  if (range.length === 3) {
    return { startLine, startCharacter, endLine: startLine, endCharacter: third };
  }
  if (range.length !== 4 || endCharacter === undefined) return undefined;
  return { startLine, startCharacter, endLine: third, endCharacter };
}

interface SymbolDraft extends Draft<ScipSymbol> {
  readonly relationships: ScipRelationship[];
}

function readSymbol(from: PbfReader): ScipSymbol {
  return message<SymbolDraft>(from, readSymbolField, { symbol: "", kind: 0, relationships: [] });
}

function readSymbolField(field: number, into: SymbolDraft, from: PbfReader): void {
  if (field === 1) into.symbol = textOf(from);
  else if (field === 4) into.relationships.push(readRelationship(from));
  else if (field === 5) into.kind = from.readVarint();
}

function readRelationship(from: PbfReader): ScipRelationship {
  return message<Draft<ScipRelationship>>(from, readRelationshipField, {
    symbol: "",
    isReference: false,
    isImplementation: false,
  });
}

function readRelationshipField(
  field: number,
  into: Draft<ScipRelationship>,
  from: PbfReader,
): void {
  if (field === 1) into.symbol = textOf(from);
  else if (field === 2) into.isReference = from.readBoolean();
  else if (field === 3) into.isImplementation = from.readBoolean();
}

function textOf(from: PbfReader): string {
  const text = from.readString();
  if (from.pos > from.length) throw new RangeError("a text is cut off");
  return text;
}
