// The table of names as bytes, compressed with zstd: counts, then columns of u32, then bytes and texts. Columns
// that mostly rise are differences, which take less than half the space.

import {
  bytesOfNumbers,
  compressSection,
  decompressSection,
  differences,
  summed,
} from "../../coding/compressed.ts";
import { damagedSection } from "../../damage.ts";
import { startsOf, type NameTable, type NameText } from "../../names/name-table.ts";

/** Names, symbols, words, words in names, owners, and the length of the three texts in bytes. */
const COUNTS = 8;
const NOTHING = Buffer.alloc(0);

/** Returns the bytes of the section. */
export function encodeNames(table: NameTable): Uint8Array {
  const { symbolsOfNames, words, namesOfWords, ownerTexts } = table;
  const texts = [table.text.slice(0), words.join(""), ownerTexts.join("")].map((text) =>
    Buffer.from(text),
  );
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
  return compressSection([...columns.map(bytesOfNumbers), table.traits, ...texts]);
}

/** Reads the output of `encodeNames`. Throws INDEX_UNAVAILABLE for other bytes. */
export function decodeNames(section: Uint8Array): NameTable {
  const bytes = decompressSection("names", section);
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
  const [text = NOTHING, wordText = NOTHING, ownerText = NOTHING] = lengths.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  if (at !== bytes.length) throw damagedSection("names");
  return {
    text: starts.at(-1) === text.length ? asciiText(text) : text.toString(),
    starts,
    ...facts,
    words: textsOf(wordText.toString(), wordStarts),
    ...wordFacts,
    owners: ownerOfSymbols,
    ownerTexts: textsOf(ownerText.toString(), ownerStarts),
    traits,
  };
}

/** A string of it would take as much memory again. Linux has 2.8 million names, of which a query reads some hundreds. */
function asciiText(bytes: Buffer): NameText {
  return {
    length: bytes.length,
    slice: (from, to) => bytes.toString("latin1", from, to),
  };
}

function textsOf(text: string, starts: Uint32Array): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at + 1 < starts.length; at += 1)
    texts.push(text.slice(starts[at], starts[at + 1]));
  return texts;
}
