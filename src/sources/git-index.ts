// The index (gitformat-index): "DIRC", version, count; then entries sorted by the bytes of their paths:
//
//   40 bytes of stat | object id | flags (2) | extended flags (2, version 3 and 4, if flagged) | path
//
// Versions 2 and 3 end the path with 1 to 8 NULs, so that the length of an entry is a multiple of 8 bytes.
// Version 4 removes a number of bytes from the previous path, appends the bytes that follow, and ends with one
// NUL. Extensions follow: a name of 4 letters, a length, the data. The object id of the whole file ends it. The
// extension "link" splits the index. Its data are the id of a shared index, whose entries come first, and two
// bit maps (EWAH). They mark the deleted entries and those replaced by the first entries here, which have no
// path.

import { pathFromBytes, pathToBytes } from "../base/path-bytes.ts";

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
/** As many as a number of JavaScript holds exactly. */
const NUMBER_BYTES = 6;
const FLAG_EXTENDED = 0x4000;
/** The low bits of the flags: the length of the path, or this value when it is longer. */
const LENGTH_MASK = 0xfff;
/** Limits the size to which a malicious version 4 index can expand. */
const MAX_DECODED_BYTES = 1 << 28;
/** Limits the number of missing entries that a malicious bit map can mark. */
const MAX_SHARED_ENTRIES = 1 << 22;

/** Sorted paths, stored as read bytes: strings would cost more than the few lookups. */
export class TrackedPaths implements Iterable<string> {
  readonly #bytes: Uint8Array;
  /** Start and end offset of each path, in order. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#ends = ends;
  }

  /** Whether the list contains the path itself. */
  has(path: string): boolean {
    const key = pathToBytes(path);
    const at = this.#firstFrom(key);
    return this.#startsWith(at, key) && this.#length(at) === key.length;
  }

  /** Whether the list contains a path below the directory, or the directory itself, as for a submodule. */
  hasBelow(directory: string): boolean {
    const key = pathToBytes(`${directory}/`);
    return this.#startsWith(this.#firstFrom(key), key) || this.has(directory);
  }

  /** Iterates the paths. A path in conflict occurs once per version. */
  *[Symbol.iterator](): Generator<string> {
    for (const [at, start] of this.#starts.entries()) {
      yield pathFromBytes(this.#bytes.subarray(start, this.#ends[at]));
    }
  }

  /** The index of the first path that is equal to or after the key. */
  #firstFrom(key: Uint8Array): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#comesBefore(middle, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #comesBefore(at: number, key: Uint8Array): boolean {
    const start = this.#starts[at] ?? 0;
    const length = this.#length(at);
    for (let offset = 0; offset < length && offset < key.length; offset++) {
      const difference = (this.#bytes[start + offset] ?? 0) - (key[offset] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return length < key.length;
  }

  #startsWith(at: number, key: Uint8Array): boolean {
    const start = this.#starts[at] ?? 0;
    return (
      this.#length(at) >= key.length && key.every((byte, i) => this.#bytes[start + i] === byte)
    );
  }

  #length(at: number): number {
    return (this.#ends[at] ?? 0) - (this.#starts[at] ?? 0);
  }
}

/** Parses paths in index order, each with a NUL at its end. */
export function parsePathList(bytes: Buffer): TrackedPaths {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = endOfPath(bytes, at);
    starts.push(at);
    ends.push(end);
    at = end + 1;
  }
  return new TrackedPaths(bytes, Uint32Array.from(starts), Uint32Array.from(ends));
}

/**
 * Returns the paths of an index. Undefined for an unknown version, and for a split index whose shared part
 * `readShared` does not return for its id in hex. Throws RangeError if the bytes end too early or contradict
 * themselves. `objectIdBytes` is 20, or 32 in a SHA-256 repository.
 */
export function parseIndex(
  bytes: Buffer,
  objectIdBytes: number,
  readShared: (id: string) => Buffer | undefined = () => undefined,
): TrackedPaths | undefined {
  const own = parseEntries(bytes, objectIdBytes);
  if (own?.link === undefined) return own && new TrackedPaths(own.bytes, own.starts, own.ends);
  const { link } = own;
  const id = link.toString("hex", 0, objectIdBytes);
  // Without a shared part the id is all zeros.
  const shared = /^0+$/.test(id) ? EMPTY : parseShared(readShared(id), objectIdBytes);
  if (shared === undefined) return undefined;
  const isDeleted = link.length > objectIdBytes ? readBitMap(link, objectIdBytes) : new Set();
  return merged(shared, own, (entry) => isDeleted.has(entry));
}

/**
 * Returns the first 48 bits of the object id of each path. Undefined for an unknown version, and for a split index. Throws
 * RangeError as parseIndex does.
 */
export function objectNumbers(
  bytes: Buffer,
  objectIdBytes: number,
): ReadonlyMap<string, number> | undefined {
  const entries = parseEntries(bytes, objectIdBytes);
  if (entries === undefined || entries.link !== undefined) return undefined;
  const { bytes: paths, starts, ends, numbers } = entries;
  const numberOf = new Map<string, number>();
  for (const [entry, start] of starts.entries()) {
    numberOf.set(pathFromBytes(paths.subarray(start, ends[entry])), numbers[entry] ?? 0);
  }
  return numberOf;
}

/**
 * Returns the id, in hex, of a split index's shared part; undefined without one. Throws RangeError as
 * parseIndex does.
 */
export function sharedIndexId(bytes: Buffer, objectIdBytes: number): string | undefined {
  return parseEntries(bytes, objectIdBytes)?.link?.toString("hex", 0, objectIdBytes);
}

/** A shared index must not itself be split. */
function parseShared(bytes: Buffer | undefined, objectIdBytes: number): Entries | undefined {
  const shared = bytes && parseEntries(bytes, objectIdBytes);
  return shared?.link === undefined ? shared : undefined;
}

interface Entries {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The first 48 bits of each object id. */
  readonly numbers: Float64Array;
  /** Data of the extension "link". */
  readonly link: Buffer | undefined;
}

const EMPTY: Entries = {
  bytes: new Uint8Array(),
  starts: new Uint32Array(),
  ends: new Uint32Array(),
  numbers: new Float64Array(),
  link: undefined,
};

/** Merges the remaining paths of a shared index with the paths of the split one, in order. */
function merged(
  shared: Entries,
  own: Entries,
  isDeleted: (entry: number) => boolean,
): TrackedPaths {
  const bytes = Buffer.concat([shared.bytes, own.bytes]);
  const offset = shared.bytes.length;
  const places: { readonly start: number; readonly end: number }[] = [];
  for (const [entry, start] of shared.starts.entries()) {
    if (!isDeleted(entry)) places.push({ start, end: shared.ends[entry] ?? start });
  }
  for (const [entry, start] of own.starts.entries()) {
    const end = own.ends[entry] ?? start;
    if (end > start) places.push({ start: offset + start, end: offset + end });
  }
  places.sort((one, other) => bytes.compare(bytes, other.start, other.end, one.start, one.end));
  return new TrackedPaths(
    bytes,
    Uint32Array.from(places, ({ start }) => start),
    Uint32Array.from(places, ({ end }) => end),
  );
}

/**
 * Returns the numbers of the set bits (ewah-bitmap.txt): a count of bits, a count of 64-bit words, the words.
 * The low 33 bits of a marker word give a bit and the number of words that repeat it. Its high bits give the
 * number of literal words that follow.
 */
function readBitMap(bytes: Buffer, start: number): ReadonlySet<number> {
  const bits = new Set<number>();
  const count = bytes.readUInt32BE(start);
  if (count > MAX_SHARED_ENTRIES) throw new RangeError("Too many bits.");
  const end = start + 8 + bytes.readUInt32BE(start + 4) * 8;
  let bit = 0;
  const set = (until: number): void => {
    for (; bit < until; bit++) bits.add(bit);
  };
  for (let at = start + 8; at < end;) {
    const marker = bytes.readBigUInt64BE(at);
    at += 8;
    const repeated = Math.min(count, bit + Number((marker >> 1n) & 0xffff_ffffn) * 64);
    if ((marker & 1n) === 1n) set(repeated);
    bit = repeated;
    for (let left = Number(marker >> 33n); left > 0 && at < end; left--, at += 8, bit += 64) {
      const word = bytes.readBigUInt64BE(at);
      for (let place = 0; place < 64; place++) {
        if (((word >> BigInt(place)) & 1n) === 1n) bits.add(bit + place);
      }
    }
  }
  return bits;
}

function parseEntries(bytes: Buffer, objectIdBytes: number): Entries | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const count = bytes.readUInt32BE(8);
  if (count > bytes.length / (STAT_BYTES + objectIdBytes)) throw new RangeError("Too few entries.");
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  const numbers = new Float64Array(count);
  const decoded = version === 4 ? new DecodedPaths() : undefined;
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + STAT_BYTES + objectIdBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    numbers[entry] = bytes.readUIntBE(at + STAT_BYTES, NUMBER_BYTES);
    const pathAt = flagsAt + ((flags & FLAG_EXTENDED) === 0 ? 2 : 4);
    if (decoded === undefined) {
      const length = flags & LENGTH_MASK;
      const end = length < LENGTH_MASK ? pathAt + length : endOfPath(bytes, pathAt);
      if (end > bytes.length) throw new RangeError("A path ends after the end of the index.");
      starts[entry] = pathAt;
      ends[entry] = end;
      at += (end - at + 8) & ~7;
    } else {
      const cut = readOffset(bytes, pathAt);
      const end = endOfPath(bytes, cut.next);
      decoded.append(cut.value, bytes.subarray(cut.next, end));
      starts[entry] = decoded.start;
      ends[entry] = decoded.end;
      at = end + 1;
    }
  }
  const link = extension(bytes, at, bytes.length - objectIdBytes, "link");
  return { bytes: decoded?.bytes ?? bytes, starts, ends, numbers, link };
}

/** Decodes the paths of a version 4 index into one buffer. */
class DecodedPaths {
  bytes = Buffer.allocUnsafe(1 << 16);
  /** Start offset of the last path; `end` is its end. */
  start = 0;
  end = 0;

  append(cutBytes: number, rest: Uint8Array): void {
    const prefixBytes = Math.max(0, this.end - this.start - cutBytes);
    const start = this.end;
    const end = start + prefixBytes + rest.length;
    if (end > this.bytes.length) this.#grow(end);
    this.bytes.copyWithin(start, this.start, this.start + prefixBytes);
    this.bytes.set(rest, start + prefixBytes);
    this.start = start;
    this.end = end;
  }

  #grow(neededBytes: number): void {
    if (neededBytes > MAX_DECODED_BYTES) throw new RangeError("The paths are too long.");
    const larger = Buffer.allocUnsafe(neededBytes * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

function endOfPath(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end === -1) throw new RangeError("The git index ends within a path.");
  return end;
}

/** Reads the variable-length number of pack offsets: each further byte adds one before it is shifted in. */
function readOffset(bytes: Buffer, start: number): { value: number; next: number } {
  let next = start;
  let byte = bytes.readUInt8(next++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}

function extension(bytes: Buffer, from: number, end: number, name: string): Buffer | undefined {
  for (let at = from; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) !== name) continue;
    return bytes.subarray(at + 8, Math.min(end, at + 8 + bytes.readUInt32BE(at + 4)));
  }
  return undefined;
}
