// Encodes the references of a file: one block per file, which a merge copies unchanged. Uses are grouped by
// name, so that those of one name are read without the others. docs/index-format.md has the layout.

import { IndexDamage } from "../damage.ts";
import {
  NO_REFERENCES,
  type Binding,
  type FileReferences,
  type Import,
  type Use,
} from "../../parse/references/references.ts";
import { ByteReader, ByteWriter } from "../coding/bytes.ts";
import type { NamesUsed } from "../pagerank/project-ranks.ts";
import type { FileUses } from "../port.ts";
import { addExpressions, hasInherit, decodeUses, encodeUses } from "./use-block.ts";
import {
  bindingUse,
  byLine,
  modulesIn,
  withoutBindingUses,
  type BindingLines,
} from "./use-order.ts";
import {
  PassedTexts,
  readFrontCoded,
  skipFrontCoded,
  SortedTextSearch,
  writeFrontCoded,
} from "../coding/front-coding.ts";

const WILDCARD = 1;
const REEXPORT = 2;
const FLAG_BITS = 2;

/** Writes blocks, one per file. */
export class ReferenceBlockWriter {
  readonly #head = new ByteWriter();
  readonly #table = new ByteWriter();
  readonly #uses = new ByteWriter();

  /** Appends the block of a file; nothing for a file without references. */
  write(to: ByteWriter, references: FileReferences): void {
    const { imports, types, signatures = [] } = references;
    // The uses that are bindings of imports are not stored, only their lines.
    const { lines, uses } = withoutBindingUses(references);
    const texts = new Set<string>();
    for (const use of uses) addExpressions(use, texts);
    for (const type of types) texts.add(type);
    for (const signature of signatures) texts.add(signature);
    const expressions = numbered(texts);
    const hasFacts = imports.length > 0 || expressions.size > 0 || references.package !== "";
    if (references.uses.length === 0 && !hasFacts) return;
    this.#head.clear();
    this.#head.text(references.package);
    writeImports(this.#head, imports, lines);
    writeTypes(this.#head, types, expressions);
    writeTypes(this.#head, signatures, expressions);
    this.#table.clear();
    writeTable(this.#table, [...expressions.keys()]);
    for (const part of [this.#head, this.#table]) {
      to.varint(part.length);
      to.copy(part);
    }
    const byName = Map.groupBy(uses, ({ name }) => name);
    to.varint(byName.size);
    let previous = "";
    for (const name of [...byName.keys()].toSorted()) {
      previous = writeFrontCoded(to, previous, name);
      this.#uses.clear();
      encodeUses(this.#uses, byName.get(name) ?? [], expressions);
      to.varint(this.#uses.length);
      to.copy(this.#uses);
    }
  }
}

/** Decodes a block. Throws INDEX_UNAVAILABLE for other bytes. */
export function readReferences(bytes: Uint8Array): FileReferences {
  if (bytes.length === 0) return NO_REFERENCES;
  const { head, table, names } = partsOf(bytes);
  const expressions = new ExpressionTable(table, { isWhole: true });
  const { bound, ...scope } = scopeIn(head, expressions);
  const uses = [...bound];
  for (const { name, length } of namesIn(names)) {
    decodeUses(names, names.position + length, { name, expressions, into: uses });
  }
  return { uses: uses.toSorted(byLine), ...scope };
}

/** A name whose uses are read, and its bytes. */
interface WantedName {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a block has of one name. */
type NameUses = Pick<FileUses, "uses" | "reexports">;

/** Returns a function that decodes only the uses of one name in a block, in line order. */
export function usesReader(name: string): (bytes: Uint8Array) => NameUses {
  const wanted = { name, bytes: Buffer.from(name) };
  return (bytes) => {
    if (bytes.length === 0) return { uses: [], reexports: [] };
    const { head, table, names } = partsOf(bytes);
    head.skipText();
    const { uses, reexports } = readBoundUses(head, wanted);
    const length = seekUses(names, name);
    if (length !== undefined) {
      const expressions = new ExpressionTable(table);
      decodeUses(names, names.position + length, { name, expressions, into: uses });
    }
    return { uses: uses.toSorted(byLine), reexports };
  };
}

/** Decodes the distinct names that a file uses and the modules that it imports. */
export function readNamesUsed(bytes: Uint8Array): NamesUsed {
  const found = new Set<string>();
  if (bytes.length === 0) return { names: found, modules: [] };
  const { head, names } = partsOf(bytes);
  head.text();
  const { imports, bound } = readImports(head);
  for (const { name } of bound) found.add(name);
  for (const { name, length } of namesIn(names)) {
    found.add(name);
    names.position += length;
  }
  return { names: found, modules: modulesIn(imports) };
}

/** Decodes only what the file imports, and its package. */
export function readImporting(bytes: Uint8Array): Pick<FileReferences, "imports" | "package"> {
  if (bytes.length === 0) return { imports: [], package: "" };
  const { head } = partsOf(bytes);
  const ofPackage = head.text();
  return { imports: readImports(head).imports, package: ofPackage };
}

/** Decodes only the uses of supertypes, in the order of `readReferences`. Other names are passed over unread. */
export function readInherits(bytes: Uint8Array): readonly Use[] {
  if (bytes.length === 0) return [];
  const { table, names } = partsOf(bytes);
  const expressions = new ExpressionTable(table);
  const uses: Use[] = [];
  const passed = new PassedTexts(names);
  for (let left = countIn(names); left > 0; left -= 1) {
    passed.pass();
    const length = lengthIn(names);
    const start = names.position;
    if (hasInherit(names, start + length)) {
      names.position = start;
      decodeUses(names, start + length, { name: passed.last(), expressions, into: uses });
    }
    names.position = start + length;
  }
  return uses.filter(({ role }) => role === "inherit").toSorted(byLine);
}

/** Returns a copy of a block without its uses, from which `readScope` and `readImporting` read the same as from the block. */
export function withoutUses(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  const from = new ByteReader(bytes);
  for (let part = 0; part < 2; part += 1) from.skipText();
  if (from.position > bytes.length) throw damaged();
  // `slice` of a Buffer is a view of all of it.
  return Buffer.from(bytes.subarray(0, from.position));
}

/** Decodes everything except the uses. */
export function readScope(bytes: Uint8Array): Omit<FileReferences, "uses"> {
  if (bytes.length === 0) return { imports: [], types: [], package: "" };
  const { head, table } = partsOf(bytes);
  const { bound: _uses, ...scope } = scopeIn(head, new ExpressionTable(table, { isWhole: true }));
  return scope;
}

function scopeIn(
  head: ByteReader,
  expressions: ExpressionTable,
): Omit<FileReferences, "uses"> & { readonly bound: readonly Use[] } {
  const ofPackage = head.text();
  const { imports, bound } = readImports(head);
  const types = readTypes(head, expressions);
  // Blocks before format 11 have none.
  const signatures = head.left > 0 ? readTypes(head, expressions) : [];
  const known = signatures.length === 0 ? {} : { signatures };
  return { imports, bound, types, ...known, package: ofPackage };
}

interface Parts {
  readonly head: ByteReader;
  readonly table: ByteReader;
  readonly names: ByteReader;
}

function partsOf(bytes: Uint8Array): Parts {
  const names = new ByteReader(bytes);
  const next = (): ByteReader => {
    const length = names.varint();
    if (length > names.left) throw damaged();
    return new ByteReader(names.bytes(length));
  };
  return { head: next(), table: next(), names };
}

/**
 * Yields each name and leaves the reader at the start of its uses. The caller must read or skip them to their
 * end.
 */
function* namesIn(from: ByteReader): Generator<{ name: string; length: number }> {
  const count = countIn(from);
  let name = "";
  for (let at = 0; at < count; at += 1) {
    name = readFrontCoded(from, name);
    yield { name, length: lengthIn(from) };
  }
}

/** Moves the reader to the uses of a name and returns their length; undefined if it has none. */
function seekUses(from: ByteReader, wanted: string): number | undefined {
  const search = SortedTextSearch.for(wanted);
  if (search === undefined) return seekUsesByText(from, wanted);
  for (let left = countIn(from); left > 0; left -= 1) {
    const order = search.next(from);
    if (order > 0) return undefined;
    const length = lengthIn(from);
    if (order === 0) return length;
    from.position += length;
  }
  return undefined;
}

function seekUsesByText(from: ByteReader, wanted: string): number | undefined {
  for (const { name, length } of namesIn(from)) {
    if (name === wanted) return length;
    from.position += length;
  }
  return undefined;
}

/** Numbers the distinct, non-empty texts in order, from 1 on. */
function numbered(texts: Set<string>): ReadonlyMap<string, number> {
  texts.delete("");
  const numbers = new Map<string, number>();
  for (const text of [...texts].toSorted()) numbers.set(text, numbers.size + 1);
  return numbers;
}

function writeTable(to: ByteWriter, texts: readonly string[]): void {
  to.varint(texts.length);
  let previous = "";
  for (const text of texts) previous = writeFrontCoded(to, previous, text);
}

/** So many texts of a table are decoded alone; then those before them are too. */
const MAX_SINGLE_TEXTS = 16;

/**
 * The texts of a table; number 0 is "". To decode a few of them, the others are passed over: a file has a hundred, and the uses
 * of a name have two or three.
 */
class ExpressionTable {
  readonly #from: ByteReader;
  readonly #count: number;
  /** Decoded texts by number. */
  readonly #texts: string[] = [""];
  /** The last number up to which all are decoded. */
  #whole = 0;
  /** Where the texts that were passed over begin, and how much of each is that of the one before. */
  readonly #positions = [0];
  readonly #shared = [0];
  /** Where the next one begins. */
  #next: number;
  #singlesLeft: number;

  /** `isWhole`: most texts will be asked for. */
  constructor(from: ByteReader, { isWhole = false } = {}) {
    this.#from = from;
    this.#count = countIn(from);
    this.#next = from.position;
    this.#singlesLeft = isWhole ? 0 : MAX_SINGLE_TEXTS;
  }

  at(number: number): string | undefined {
    if (number > this.#count) return undefined;
    const known = this.#texts[number];
    if (known !== undefined) return known;
    this.#passTo(number);
    if (this.#singlesLeft > 0) {
      this.#singlesLeft -= 1;
      this.#texts[number] = this.#single(number);
    } else this.#decodeTo(number);
    return this.#texts[number];
  }

  #passTo(number: number): void {
    this.#from.position = this.#next;
    while (this.#positions.length <= number) {
      this.#shared.push(this.#from.varint());
      this.#positions.push(this.#from.position);
      this.#from.skipText();
    }
    this.#next = this.#from.position;
  }

  #decodeTo(number: number): void {
    let text = this.#texts[this.#whole] ?? "";
    while (this.#whole < number) {
      const at = this.#whole + 1;
      const shared = this.#shared[at] ?? 0;
      const rest = this.#restOf(at);
      text = shared === 0 ? rest : text.slice(0, shared) + rest;
      this.#texts[at] = text;
      this.#whole = at;
    }
  }

  /** Puts a text together from the ends of those before it. */
  #single(number: number): string {
    let text = this.#restOf(number);
    let missing = this.#shared[number] ?? 0;
    for (let at = number - 1; missing > 0 && at > 0; at -= 1) {
      const shared = this.#shared[at] ?? 0;
      if (shared >= missing) continue;
      text = this.#restOf(at).slice(0, missing - shared) + text;
      missing = shared;
    }
    return text;
  }

  #restOf(number: number): string {
    this.#from.position = this.#positions[number] ?? 0;
    return this.#from.text();
  }
}

function writeImports(to: ByteWriter, imports: readonly Import[], lines: BindingLines): void {
  to.varint(imports.length);
  let line = 0;
  let previous = "";
  for (const [number, one] of imports.entries()) {
    const { module, bindings, isWildcard, isReexport } = one;
    writeStep(to, one.line - line);
    ({ line } = one);
    const flags = (isWildcard ? WILDCARD : 0) | (isReexport ? REEXPORT : 0);
    to.varint(flags + (bindings.length << FLAG_BITS));
    previous = writeFrontCoded(to, previous, module);
    for (const [at, { name, local }] of bindings.entries()) {
      const isSame = local === name;
      to.varint((lines.get(`${number} ${at}`) ?? 0) * 2 + (isSame ? 1 : 0));
      to.text(name);
      if (!isSame) to.text(local);
    }
  }
}

/** Decodes the imports and the uses that their bindings are. */
function readImports(from: ByteReader): { imports: readonly Import[]; bound: Use[] } {
  const count = countIn(from);
  const imports: Import[] = [];
  const bound: Use[] = [];
  let line = 0;
  let module = "";
  for (let number = 0; number < count; number += 1) {
    line += readStep(from);
    const head = from.varint();
    module = readFrontCoded(from, module);
    const bindings: Binding[] = [];
    for (let left = head >>> FLAG_BITS; left > 0 && from.left > 0; left -= 1) {
      const place = from.varint();
      const name = from.text();
      bindings.push({ name, local: (place & 1) === 1 ? name : from.text() });
      const below = (place >>> 1) - 1;
      if (below >= 0) bound.push(bindingUse(name, line + below, number));
    }
    imports.push({
      line,
      module,
      bindings,
      isWildcard: (head & WILDCARD) !== 0,
      isReexport: (head & REEXPORT) !== 0,
    });
  }
  return { imports, bound };
}

/** Decodes only the bindings of one name: the uses that they are, and the names under which they export it again. */
function readBoundUses(
  from: ByteReader,
  { name, bytes }: WantedName,
): { readonly uses: Use[]; readonly reexports: readonly string[] } {
  const count = countIn(from);
  const uses: Use[] = [];
  const reexports: string[] = [];
  let line = 0;
  for (let number = 0; number < count; number += 1) {
    line += readStep(from);
    const head = from.varint();
    skipFrontCoded(from);
    for (let left = head >>> FLAG_BITS; left > 0 && from.left > 0; left -= 1) {
      const place = from.varint();
      const isWanted = from.isText(bytes);
      const isSame = (place & 1) === 1;
      if (isWanted && (head & REEXPORT) !== 0) reexports.push(isSame ? name : from.text());
      else if (!isSame) from.skipText();
      const below = (place >>> 1) - 1;
      if (isWanted && below >= 0) uses.push(bindingUse(name, line + below, number));
    }
  }
  return { uses, reexports };
}

function writeTypes(
  to: ByteWriter,
  types: readonly string[],
  expressions: ReadonlyMap<string, number>,
): void {
  const typed = [...types.entries()].filter(([, type]) => type !== "");
  to.varint(typed.length);
  let last = 0;
  for (const [symbol, type] of typed) {
    to.varint(symbol - last);
    to.varint(expressions.get(type) ?? 0);
    last = symbol;
  }
}

function readTypes(from: ByteReader, expressions: ExpressionTable): readonly string[] {
  const types: string[] = [];
  let symbol = 0;
  for (let left = countIn(from); left > 0; left -= 1) {
    symbol += from.varint();
    if (symbol > MAX_SYMBOLS) throw damaged();
    while (types.length < symbol) types.push("");
    types[symbol] = expressions.at(from.varint()) ?? "";
  }
  return types;
}

/** More symbols than a file of a megabyte can define. */
const MAX_SYMBOLS = 1 << 20;

/** Encodes a signed number; the lowest bit is the sign. */
function writeStep(to: ByteWriter, step: number): void {
  to.varint(step < 0 ? -step * 2 - 1 : step * 2);
}

function readStep(from: ByteReader): number {
  const step = from.varint();
  return step % 2 === 0 ? step / 2 : -(step + 1) / 2;
}

/** Reads the length of the uses of a name. */
function lengthIn(from: ByteReader): number {
  const length = from.varint();
  if (length <= from.left) return length;
  throw damaged();
}

/** Reads a number of entries. Each has at least two bytes, which limits it. */
function countIn(from: ByteReader): number {
  const count = from.varint();
  if (count <= from.left / 2 + 1) return count;
  throw damaged();
}

function damaged(): IndexDamage {
  return new IndexDamage("The references of a file in the index are damaged.");
}
