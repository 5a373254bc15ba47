// Hashes of a file's definitions. They allow comparing two versions of a file when the text of only one is
// available.

import type { SymbolDefinition } from "./symbols/symbol-definition.ts";

/** The hashes of a definition. Equal text has equal hashes. */
export interface SymbolFingerprint {
  readonly qualifiedName: string;
  readonly kind: SymbolDefinition["kind"];
  /** Hash of its signature and access level, without its name; 16 bits. */
  readonly signature: number;
  /** Hash of its own lines, without nested definitions and without its name in its definition; 32 bits. */
  readonly body: number;
}

/** The hashes of a file. */
export interface FileFingerprints {
  /** In the order of the file's symbols. */
  readonly symbols: readonly SymbolFingerprint[];
  /** Hash of the lines outside all definitions, such as imports and top-level statements; 32 bits. */
  readonly outside: number;
}

/** The facts about a file that are hashed. */
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

/** Languages in which indentation is syntax. */
const INDENTED = new Set([
  "python",
  "notebook",
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

/** The last token of a stream. */
const NO_TOKENS = 0;
const WORD = 1;
const WORD_AND_SPACE = 2;
const OTHER = 3;

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
/** Marks the indentation of a line. A line feed, because a line's text cannot contain it. */
const INDENTATION = 10;
const SPACE = 32;

/**
 * Returns the hashes of a file. White space counts only between two words, and at the start of a line in
 * languages with significant indentation, so reformatting a file does not change its hashes. Comments belong
 * to the definition that contains them. Cost: about 5 ms per megabyte.
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

/** Returns the sorted hashes of the lines that are not blank, without leading and trailing white space. */
export function lineHashes(text: string): Uint32Array {
  const hashes: number[] = [];
  eachLine(text, (line) => {
    const words = line.trim();
    if (words !== "") hashes.push(lineHash(words));
  });
  return Uint32Array.from(hashes).toSorted();
}

/**
 * Returns the hash of a line without leading and trailing white space. The amount of white space between
 * words does not count.
 */
export function lineHash(line: string): number {
  let value = SEED;
  let isAfterSpace = false;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (isSpace(code)) isAfterSpace = true;
    else {
      if (isAfterSpace) value = Math.imul(value ^ SPACE, PRIME);
      isAfterSpace = false;
      value = Math.imul(value ^ code, PRIME);
    }
  }
  return finalized(value);
}

/** Calls `visit` with each line and its 1-based number. */
export function eachLine(text: string, visit: (line: string, number: number) => void): void {
  let number = 1;
  for (let start = 0; start < text.length; number += 1) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    visit(text.slice(start, end), number);
    start = end + 1;
  }
}

/**
 * Returns, by 1-based line number: 1 + the number of the innermost definition; 0 outside all definitions.
 */
function ownersOf(text: string, symbols: FingerprintInput["symbols"]): Uint32Array {
  const last = symbols.reduce((end, { endLine }) => Math.max(end, endLine), 0);
  // A damaged line range must not allocate more memory than the text could need.
  const owners = new Uint32Array(Math.min(last, text.length + 1) + 1);
  // An outer definition comes before its nested ones, which overwrite its lines.
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

/**
 * Several hashes that are updated in turns, because the lines of a definition and of its nested ones
 * alternate.
 */
class HashStreams {
  readonly #values: Int32Array;
  readonly #last: Uint8Array;
  readonly #indentation: Int32Array;

  constructor(count: number) {
    this.#values = new Int32Array(count).fill(SEED);
    this.#last = new Uint8Array(count);
    this.#indentation = new Int32Array(count).fill(-1);
  }

  /** Begins a hash again. */
  restart(stream: number): void {
    this.#values[stream] = SEED;
    this.#last[stream] = NO_TOKENS;
    this.#indentation[stream] = -1;
  }

  /** Adds the indentation of a line relative to the first line of its definition. Ignores blank lines. */
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
    return finalized(this.#values[stream] ?? 0);
  }

  #mix(stream: number, code: number): void {
    this.#values[stream] = Math.imul((this.#values[stream] ?? 0) ^ code, PRIME);
  }
}

/** For one signature at a time. */
const signatures = new HashStreams(1);

function signatureHash({ signature, name, access }: FingerprintInput["symbols"][number]): number {
  const at = name === "" ? -1 : signature.indexOf(name);
  signatures.restart(0);
  signatures.add(0, access, 0, access.length);
  signatures.endLine(0);
  if (at === -1) signatures.add(0, signature, 0, signature.length);
  else {
    signatures.add(0, signature, 0, at);
    signatures.add(0, signature, at + name.length, signature.length);
  }
  return signatures.hash(0);
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

/** Mixes the last characters into all bits (the finalizer of MurmurHash3). */
function finalized(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
