// The table of names as bytes, compressed with zstd: counts, then columns of u32, then bytes and texts. Columns
// that mostly rise are differences, which take less than half the space.

import { constants } from "node:zlib";

import { zstdCompress, zstdDecompress } from "../../../base/compression.ts";
import { damagedSection } from "../../damage.ts";
import { startsOf, type NameTable } from "../../names/name-table.ts";

/** Names, symbols, words, words in names, owners, and the length of the three texts in bytes. */
const COUNTS = 8;

/** A higher level takes three times as long for 10 % less. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Node allocates and copies each part of the result: few parts for a large table, and small ones for a small one. */
const MAX_PART_BYTES = 1 << 20;
const MIN_PART_BYTES = 1 << 12;
/** Of the bytes of a table to those of its section, in most projects. */
const TYPICAL_RATIO = 4;

/** Returns the bytes of the section. */
export function encodeNames(table: NameTable): Uint8Array {
  const { symbolsOfNames, words, namesOfWords, ownerTexts } = table;
  const texts = [table.text, words.join(""), ownerTexts.join("")].map((text) => Buffer.from(text));
  const counts = [
    table.masks.length,
    table.owners.length,
    words.length,
    namesOfWords.members.length,
    ownerTexts.length,
    ...texts.map(({ length }) => length),
  ];
  const columns = [
    Uint32Array.from(counts),
    differences(table.starts),
    table.masks,
    table.initials,
    table.lowPairs,
    table.highPairs,
    differences(symbolsOfNames.firsts),
    differences(symbolsOfNames.members),
    differences(startsOf(words)),
    table.wordMasks,
    differences(namesOfWords.firsts),
    differences(namesOfWords.members),
    differences(startsOf(ownerTexts)),
    table.owners,
  ];
  const bytes = Buffer.concat([...columns.map(bytesOf), table.traits, ...texts]);
  return zstdCompress(bytes, COMPRESSION);
}

/** Reads the output of `encodeNames`. */
export function decodeNames(section: Uint8Array): NameTable {
  const typical = Math.max(MIN_PART_BYTES, section.length * TYPICAL_RATIO);
  const chunkSize = Math.min(MAX_PART_BYTES, typical);
  const bytes = alone(zstdDecompress(section, { chunkSize }));
  const [names = 0, symbols = 0, words = 0, wordsInNames = 0, owners = 0, ...lengths] =
    new Uint32Array(bytes.buffer, bytes.byteOffset, COUNTS);
  let at = COUNTS * 4;
  const column = (count: number): Uint32Array => {
    const values = new Uint32Array(bytes.buffer, bytes.byteOffset + at, count);
    at += count * 4;
    return values;
  };
  const starts = summed(column(names + 1));
  const facts = {
    masks: column(names),
    initials: column(names),
    lowPairs: column(names),
    highPairs: column(names),
    symbolsOfNames: { firsts: summed(column(names + 1)), members: summed(column(symbols)) },
  };
  const wordStarts = summed(column(words + 1));
  const wordFacts = {
    wordMasks: column(words),
    namesOfWords: { firsts: summed(column(words + 1)), members: summed(column(wordsInNames)) },
  };
  const ownerStarts = summed(column(owners + 1));
  const ownerOfSymbols = column(symbols);
  const traits = bytes.subarray(at, at + symbols);
  at += symbols;
  const [text = "", wordText = "", ownerText = ""] = lengths.map((length) => {
    const from = at;
    at += length;
    return bytes.toString("utf8", from, at);
  });
  if (at !== bytes.length) throw damagedSection("names");
  return {
    text,
    starts,
    ...facts,
    words: textsOf(wordText, wordStarts),
    ...wordFacts,
    owners: ownerOfSymbols,
    ownerTexts: textsOf(ownerText, ownerStarts),
    traits,
  };
}

function textsOf(text: string, starts: Uint32Array): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at + 1 < starts.length; at += 1)
    texts.push(text.slice(starts[at], starts[at + 1]));
  return texts;
}

/** Returns each number minus the one before, modulo 2^32. */
function differences(values: Uint32Array): Uint32Array {
  return values.map((value, at) => value - (values[at - 1] ?? 0));
}

/** Turns differences into the numbers, in place. */
function summed(values: Uint32Array): Uint32Array {
  // As a signed number, which V8 keeps in a register.
  let last = 0;
  for (let at = 0; at < values.length; at += 1) {
    last = (last + (values[at] ?? 0)) | 0;
    values[at] = last;
  }
  return values;
}

function bytesOf(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/**
 * Returns the bytes aligned, and in memory of their own: small buffers may begin anywhere in their pool, and what is
 * decompressed in that of a whole part.
 */
function alone(bytes: Buffer): Buffer {
  const isAligned = bytes.byteOffset % 4 === 0;
  if (isAligned && bytes.buffer.byteLength < 2 * bytes.length) return bytes;
  return Buffer.from(new Uint8Array(bytes).buffer);
}
