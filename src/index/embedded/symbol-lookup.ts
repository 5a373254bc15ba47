// Finds definitions by their names in the segments of a snapshot. What is found does not depend on how files are divided into
// segments: of too many definitions, those in the first files by path are read.

import { cutTerm } from "../../parse/tokenizer.ts";
import { eachPosting } from "../coding/posting-list.ts";
import type { NamedSymbol } from "../port.ts";
import { byLowerCase, byNameMatch } from "../symbol-order.ts";
import type { DictionaryEntry } from "./segment/dictionary-reader.ts";
import type { SegmentView } from "./segment/live-segments.ts";

/** Maximum definitions of one name to read: each needs a read of its file's outline. */
const MAX_SYMBOLS_PER_NAME = 500;
/** Maximum definitions of one name, in any case, whose spellings are listed. */
const MAX_SPELLINGS = 4;

/** Returns up to `limit` definitions of a name in any case, exact matches first. */
export function symbolsNamed(
  segments: readonly SegmentView[],
  name: string,
  limit: number,
): readonly NamedSymbol[] {
  return symbolsIn(segments, name.toLowerCase(), MAX_SYMBOLS_PER_NAME)
    .toSorted(byNameMatch(name))
    .slice(0, limit);
}

/** Returns up to `limit` distinct names that begin with `prefix` in any case. */
export function symbolNames(
  segments: readonly SegmentView[],
  prefix: string,
  limit: number,
): readonly string[] {
  const wanted = prefix.toLowerCase();
  const terms = new Set(segments.flatMap((view) => [...termsIn(view, wanted, limit)]));
  const first = [...terms].toSorted().slice(0, limit);
  const names = first.flatMap((term) =>
    symbolsIn(segments, term, MAX_SPELLINGS).map(({ name }) => name),
  );
  return [...new Set(names)].toSorted(byLowerCase).slice(0, limit);
}

/** Yields the first `limit` terms of names with this prefix that a file which is not deleted defines. */
function* termsIn(view: SegmentView, prefix: string, limit: number): Generator<string> {
  let left = limit;
  for (const entry of view.reader.dictionary.entries(prefix)) {
    if (!entry.term.startsWith(prefix) || left === 0) return;
    if (liveSymbols(view, entry) === 0) continue;
    left -= 1;
    yield entry.term;
  }
}

/** Returns how many symbols of files that are not deleted have a name. */
export function liveSymbols({ reader, live }: SegmentView, entry: DictionaryEntry): number {
  return live.symbolsIn(reader.dictionary.count(entry, "symbols"), {
    list: () => reader.dictionary.list(entry, "symbols"),
    starts: () => reader.column("firstSymbol"),
    size: reader.directory.symbols,
  });
}

/** The symbols with a name in one file. */
interface NamedInFile {
  readonly view: SegmentView;
  readonly file: number;
  readonly path: string;
  /** In the file, ascending. */
  readonly numbers: readonly number[];
}

/** Returns the first `limit` symbols with this lower-case name by path, those of a file by number. */
function symbolsIn(
  segments: readonly SegmentView[],
  lowerName: string,
  limit: number,
): readonly NamedSymbol[] {
  const files = segments.flatMap((view) => filesWith(view, lowerName, limit));
  const found: NamedSymbol[] = [];
  for (const { view, file, path, numbers } of files.toSorted(byPath)) {
    if (found.length >= limit) break;
    for (const [at, facts] of view.reader.symbolsAt(file, numbers).entries()) {
      // Terms may be cut, so whole names are compared.
      if (facts.name.toLowerCase() !== lowerName) continue;
      found.push({ ...facts, path, number: numbers[at] ?? 0 });
    }
  }
  return found.slice(0, limit);
}

/** Returns the files of a segment with this name; of more than `limit` symbols, the first files by path. */
function filesWith(view: SegmentView, lowerName: string, limit: number): readonly NamedInFile[] {
  const { reader, tombstones } = view;
  const entry = reader.dictionary.lookup(cutTerm(lowerName));
  if (entry === undefined) return [];
  const first = reader.column("firstSymbol");
  const byFile = new Map<number, number[]>();
  let total = 0;
  eachPosting(reader.dictionary.list(entry, "symbols"), (symbol) => {
    const file = reader.fileOfSymbol(symbol);
    if (tombstones[file] === 1) return;
    const number = symbol - (first[file] ?? 0);
    const numbers = byFile.get(file);
    if (numbers === undefined) byFile.set(file, [number]);
    else numbers.push(number);
    total += 1;
  });
  const files = total <= limit ? byFile.keys() : reader.pathOrder();
  const found: NamedInFile[] = [];
  let left = Math.min(limit, total);
  for (const file of files) {
    if (left <= 0) break;
    const numbers = byFile.get(file);
    if (numbers === undefined) continue;
    found.push({ view, file, path: reader.path(file), numbers });
    left -= numbers.length;
  }
  return found;
}

function byPath({ path: one }: NamedInFile, { path: other }: NamedInFile): number {
  return Number(one > other) - Number(one < other);
}
