// Writes a SCIP index, piece by piece: metadata first, then documents, then symbols of other projects.

import { PbfWriter } from "pbf";

import { PositionEncoding } from "./positions.ts";

/** A place on one line. 0-based; the end is exclusive. */
export interface WrittenRange {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface WrittenOccurrence extends WrittenRange {
  readonly symbol: string;
  /** SymbolRole bits. */
  readonly roles: number;
  /** Lines of the whole definition, 0-based, and the length of its last line; undefined for a use. */
  readonly enclosing?:
    | { readonly startLine: number; readonly endLine: number; readonly endCharacter: number }
    | undefined;
}

export interface WrittenRelation {
  readonly symbol: string;
  /** Whether references to the one are references to the other too. */
  readonly isReference: boolean;
}

export interface WrittenSymbol {
  readonly symbol: string;
  readonly name: string;
  /** As in `SymbolInformation.Kind` of scip.proto. */
  readonly kind: number;
  /** "" if there is none. */
  readonly signature: string;
  /** "" if there is none. */
  readonly comment: string;
  /** The definitions that it inherits from or overrides. */
  readonly relations: readonly WrittenRelation[];
}

export interface WrittenDocument {
  readonly path: string;
  /** As in `Language` of scip.proto. */
  readonly language: string;
  readonly occurrences: readonly WrittenOccurrence[];
  readonly symbols: readonly WrittenSymbol[];
}

/** The value of `TextEncoding` in scip.proto. */
const UTF8 = 1;

const INDEX = { metadata: 1, document: 2, externalSymbol: 3 } as const;

/** Returns the bytes that an index begins with. */
export function encodeMetadata(metadata: {
  readonly version: string;
  readonly projectRoot: string;
}): Uint8Array {
  return piece(INDEX.metadata, writeMetadata, metadata);
}

/** Returns the bytes of a document. Its occurrences and symbols are written in the order of their places and names. */
export function encodeScipDocument(document: WrittenDocument): Uint8Array {
  return piece(INDEX.document, writeDocument, document);
}

/** Returns the bytes of a symbol that no document defines. */
export function encodeExternalSymbol(symbol: WrittenSymbol): Uint8Array {
  return piece(INDEX.externalSymbol, writeExternalSymbol, symbol);
}

function piece<Value>(
  field: number,
  write: (value: Value, to: PbfWriter) => void,
  value: Value,
): Uint8Array {
  const to = new PbfWriter();
  to.writeMessage(field, write, value);
  return to.finish();
}

function writeMetadata(
  { version, projectRoot }: { readonly version: string; readonly projectRoot: string },
  to: PbfWriter,
): void {
  to.writeMessage(2, writeTool, version);
  to.writeStringField(3, projectRoot);
  to.writeVarintField(4, UTF8);
}

function writeTool(version: string, to: PbfWriter): void {
  to.writeStringField(1, "svc");
  to.writeStringField(2, version);
}

function writeDocument(document: WrittenDocument, to: PbfWriter): void {
  const { path, language, occurrences, symbols } = document;
  to.writeStringField(1, path);
  for (const one of occurrences.toSorted(byPlace)) to.writeMessage(2, writeOccurrence, one);
  for (const one of symbols.toSorted(bySymbol)) {
    to.writeMessage(3, writeSymbol, { ...one, language });
  }
  to.writeStringField(4, language);
  to.writeVarintField(6, PositionEncoding.utf16);
}

function byPlace(one: WrittenOccurrence, other: WrittenOccurrence): number {
  return (
    one.line - other.line || one.start - other.start || one.end - other.end || bySymbol(one, other)
  );
}

function bySymbol(
  { symbol: one }: { symbol: string },
  { symbol: other }: { symbol: string },
): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function writeOccurrence(
  { line, start, end, symbol, roles, enclosing }: WrittenOccurrence,
  to: PbfWriter,
): void {
  to.writePackedVarint(1, [line, start, end]);
  to.writeStringField(2, symbol);
  if (roles !== 0) to.writeVarintField(3, roles);
  if (enclosing === undefined) return;
  const { startLine, endLine, endCharacter } = enclosing;
  const isOneLine = startLine === endLine;
  to.writePackedVarint(
    7,
    isOneLine ? [startLine, 0, endCharacter] : [startLine, 0, endLine, endCharacter],
  );
}

function writeExternalSymbol(symbol: WrittenSymbol, to: PbfWriter): void {
  writeSymbol({ ...symbol, language: "" }, to);
}

function writeSymbol(
  {
    symbol,
    comment,
    relations,
    kind,
    name,
    signature,
    language,
  }: WrittenSymbol & { readonly language: string },
  to: PbfWriter,
): void {
  to.writeStringField(1, symbol);
  if (comment !== "") to.writeStringField(3, comment);
  for (const one of relations) to.writeMessage(4, writeRelation, one);
  if (kind !== 0) to.writeVarintField(5, kind);
  to.writeStringField(6, name);
  if (signature !== "") to.writeMessage(7, writeSignature, { signature, language });
}

function writeRelation({ symbol, isReference }: WrittenRelation, to: PbfWriter): void {
  to.writeStringField(1, symbol);
  if (isReference) to.writeBooleanField(2, true);
  to.writeBooleanField(3, true);
}

function writeSignature(
  { signature, language }: { readonly signature: string; readonly language: string },
  to: PbfWriter,
): void {
  to.writeStringField(4, language);
  to.writeStringField(5, signature);
}
