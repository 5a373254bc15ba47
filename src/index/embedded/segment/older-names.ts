// The table of names of formats 8 to 13: one zstd frame with counts, then columns of u32, then bytes and texts. Columns that
// mostly rise are differences.

import { decompressSection, summed } from "../../coding/compressed.ts";
import { groupOf } from "../../coding/number-groups.ts";
import { damagedSection } from "../../damage.ts";
import { NameTableBuilder } from "../../names/name-table-writer.ts";

/** Names, symbols, words, words in names, owners, and the length of the three texts in bytes. */
const COUNTS = 8;
const NOTHING = Buffer.alloc(0);

/** Returns the table as it is written now. Throws INDEX_UNAVAILABLE for other bytes. */
export function convertedNames(section: Uint8Array): Uint8Array {
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
  // Four columns of facts of names.
  at += names * 4 * 4;
  const symbolsOfNames = { firsts: summed(column(names + 1)), members: summed(column(symbols)) };
  // Where each word begins, its letters, and the names with it.
  at += (words + 1 + words + words + 1 + wordsInNames) * 4;
  const ownerStarts = summed(column(owners + 1));
  const ownerOfSymbols = column(symbols);
  const traits = bytes.subarray(at, at + symbols);
  at += symbols;
  const [text = NOTHING, , ownerText = NOTHING] = lengths.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  if (at !== bytes.length) throw damagedSection("names");
  const builder = new NameTableBuilder();
  const nameOfSymbols = new Uint32Array(symbols);
  for (const [name, value] of textsOf(text.toString(), starts).entries()) {
    const number = builder.addName(value);
    for (const symbol of groupOf(symbolsOfNames, name)) nameOfSymbols[symbol] = number;
  }
  const ownerNumbers = textsOf(ownerText.toString(), ownerStarts).map((one) =>
    builder.addOwner(one),
  );
  for (const [symbol, name] of nameOfSymbols.entries()) {
    const owner = ownerNumbers[ownerOfSymbols[symbol] ?? 0] ?? 0;
    builder.addSymbol(name, owner, traits[symbol] ?? 0);
  }
  return builder.build();
}

function textsOf(text: string, starts: Uint32Array): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at + 1 < starts.length; at += 1)
    texts.push(text.slice(starts[at], starts[at + 1]));
  return texts;
}
