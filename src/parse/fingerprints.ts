// Short prints of what a file defines, so that two versions of it can be compared when only one is at hand.

import type { SymbolDefinition } from "./symbols/symbol-definition.ts";

/** A definition, by what tells whether it changed. Equal text has equal prints. */
export interface SymbolFingerprint {
  readonly qualifiedName: string;
  readonly kind: SymbolDefinition["kind"];
  /** Of its signature and of where it can be used from, without its name; 16 bits. */
  readonly signature: number;
  /** Of its own lines, those of definitions inside it left out, without its name where it is defined; 32 bits. */
  readonly body: number;
}

export interface FileFingerprints {
  /** In the order of the file's symbols. */
  readonly symbols: readonly SymbolFingerprint[];
  /** Of the lines outside of all definitions: imports, what runs at the outermost level. */
  readonly outside: number;
}

/** What the prints are made of. */
interface FingerprintInput {
  readonly text: string;
  readonly language: string | undefined;
  readonly symbols: readonly Pick<
    SymbolDefinition,
    | "name"
    | "qualifiedName"
    | "kind"
    | "access"
    | "signature"
    | "startLine"
    | "endLine"
    | "nameLine"
  >[];
}

/** Languages in which moving a line to the right says something else. */
const INDENTED = new Set([
  "python",
  "yaml",
  "haskell",
  "fsharp",
  "nim",
  "coffeescript",
  "pug",
  "sass",
  "stylus",
  "elm",
  "makefile",
]);

/** What stood last in a stream. */
const NO_TOKENS = 0;
const WORD = 1;
const WORD_AND_SPACE = 2;
const OTHER = 3;

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
/** Stands before the indentation of a line: no character of a text line. */
const INDENTATION = 10;
const SPACE = 32;

/**
 * White space counts only where it parts two words, and at the beginning of a line in a language that is told by
 * indentation: a file that was formatted anew has the prints that it had. Comments count as what they are in.
 * Cost: about 5 ms for a megabyte.
 */
export function fingerprintsOf({ text, language, symbols }: FingerprintInput): FileFingerprints {
  const streams = new HashStreams(symbols.length + 1);
  const owners = ownersOf(text, symbols);
  const isIndented = INDENTED.has(language ?? "");
  const names = namesByLine(symbols);
  let line = 1;
  for (let start = 0; start < text.length; line += 1) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const owner = owners[line] ?? 0;
    if (isIndented) streams.indent(owner, text, start, end);
    const name = names.get(line);
    const at = name === undefined ? -1 : text.indexOf(name, start);
    if (name === undefined || at === -1 || at + name.length > end) {
      streams.add(owner, text, start, end);
    } else {
      streams.add(owner, text, start, at);
      streams.add(owner, text, at + name.length, end);
    }
    streams.endLine(owner);
    start = end + 1;
  }
  return {
    symbols: symbols.map((symbol, at) => ({
      qualifiedName: symbol.qualifiedName,
      kind: symbol.kind,
      signature: signatureHash(symbol) & 0xffff,
      body: streams.hash(at + 1),
    })),
    outside: streams.hash(0),
  };
}

/** Prints of the lines that are not blank, without the white space around them, in order of size. */
export function lineHashes(text: string): Uint32Array {
  const hashes: number[] = [];
  eachLine(text, (line) => {
    const words = line.trim();
    if (words !== "") hashes.push(lineHash(words));
  });
  return Uint32Array.from(hashes).toSorted();
}

/** `line` has no white space around it; how much there is between its words does not count. */
export function lineHash(line: string): number {
  let value = SEED;
  let isBehindSpace = false;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (isSpace(code)) isBehindSpace = true;
    else {
      if (isBehindSpace) value = Math.imul(value ^ SPACE, PRIME);
      isBehindSpace = false;
      value = Math.imul(value ^ code, PRIME);
    }
  }
  return finished(value);
}

/** Calls `visit` with each line and its number. */
export function eachLine(text: string, visit: (line: string, number: number) => void): void {
  let number = 1;
  for (let start = 0; start < text.length; number += 1) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    visit(text.slice(start, end), number);
    start = end + 1;
  }
}

/** By line, 1-based: 1 + the number of the innermost definition that it belongs to; 0 outside of all. */
function ownersOf(text: string, symbols: FingerprintInput["symbols"]): Uint32Array {
  const last = symbols.reduce((end, { endLine }) => Math.max(end, endLine), 0);
  // A damaged range must not take memory that the text could not.
  const owners = new Uint32Array(Math.min(last, text.length + 1) + 1);
  // A definition stands before those inside it.
  for (const [at, { startLine, endLine }] of symbols.entries()) {
    owners.fill(at + 1, startLine, endLine + 1);
  }
  return owners;
}

function namesByLine(symbols: FingerprintInput["symbols"]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { name, nameLine } of symbols) {
    if (name !== "" && !names.has(nameLine)) names.set(nameLine, name);
  }
  return names;
}

function signatureHash({ signature, name, access }: FingerprintInput["symbols"][number]): number {
  const streams = new HashStreams(1);
  const at = name === "" ? -1 : signature.indexOf(name);
  streams.add(0, access, 0, access.length);
  streams.endLine(0);
  if (at === -1) streams.add(0, signature, 0, signature.length);
  else {
    streams.add(0, signature, 0, at);
    streams.add(0, signature, at + name.length, signature.length);
  }
  return streams.hash(0);
}

/** Texts that are hashed side by side, since the lines of one definition stand between those of another. */
class HashStreams {
  readonly #values: Int32Array;
  readonly #last: Uint8Array;
  readonly #indentation: Int32Array;

  constructor(count: number) {
    this.#values = new Int32Array(count).fill(SEED);
    this.#last = new Uint8Array(count);
    this.#indentation = new Int32Array(count).fill(-1);
  }

  /** How far a line is to the right of the first of its definition; blank ones say nothing. */
  indent(stream: number, text: string, start: number, end: number): void {
    let at = start;
    while (at < end && isSpace(text.charCodeAt(at))) at += 1;
    if (at === end) return;
    const first = this.#indentation[stream] ?? -1;
    if (first < 0) this.#indentation[stream] = at - start;
    this.#mix(stream, INDENTATION);
    this.#mix(stream, at - start - (first < 0 ? at - start : first));
    this.#last[stream] = OTHER;
  }

  add(stream: number, text: string, start: number, end: number): void {
    let value = this.#values[stream] ?? 0;
    let last = this.#last[stream] ?? NO_TOKENS;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) {
        if (last === WORD) last = WORD_AND_SPACE;
      } else {
        const isWord = isWordCode(code);
        if (isWord && last === WORD_AND_SPACE) value = Math.imul(value ^ SPACE, PRIME);
        value = Math.imul(value ^ code, PRIME);
        last = isWord ? WORD : OTHER;
      }
    }
    this.#values[stream] = value;
    this.#last[stream] = last;
  }

  endLine(stream: number): void {
    if (this.#last[stream] === WORD) this.#last[stream] = WORD_AND_SPACE;
  }

  hash(stream: number): number {
    return finished(this.#values[stream] ?? 0);
  }

  #mix(stream: number, code: number): void {
    this.#values[stream] = Math.imul((this.#values[stream] ?? 0) ^ code, PRIME);
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 128
  );
}

/** Spreads what the last characters did over all bits (the end of MurmurHash3). */
function finished(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
