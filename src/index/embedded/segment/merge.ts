// Merges several segments into one by concatenating their posting lists, without deleted files.

import { isPrefixTerm } from "../../../parse/tokenizer.ts";
import {
  BlockGroupWriter,
  REFERENCE_GROUP_BYTES,
  type BlockGroups,
} from "../../coding/block-groups.ts";
import { ByteWriter, NumberList } from "../../coding/bytes.ts";
import { bytesOfNumbers } from "../../coding/compressed.ts";
import { wholeLength } from "../../coding/length-code.ts";
import { packFacts, unpackFacts } from "../../coding/packed-facts.ts";
import { DictionaryWriter, type Dictionary } from "./dictionary-writer.ts";
import type { DictionaryEntry, DictionaryReader } from "./dictionary-reader.ts";
import { encodeFiles } from "./files-section.ts";
import { TERM_FIELDS, type Field } from "./format.ts";
import { eachPosting, PostingListWriter } from "../../coding/posting-list.ts";
import { segmentParts, type FinishedSegment, type SectionStream } from "./segment-assembly.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { mergeNameTables } from "../../names/merge-name-tables.ts";
import { IncludedModulesWriter } from "../../references/included-modules.ts";
import { StringColumn } from "./string-column.ts";
import { mergeTrigrams } from "../trigrams/trigram-merge.ts";

/** A segment to merge. */
export interface SegmentMergeInput {
  readonly reader: SegmentReader;
  /** 1 for each deleted file, which is dropped. */
  readonly tombstones: Uint8Array;
}

/** An input with the new numbers of what it has, by old ones; -1 for dropped items. */
interface NumberedInput extends SegmentMergeInput {
  readonly files: Int32Array;
  readonly chunks: Int32Array;
  readonly symbols: Int32Array;
}

/**
 * Merges segments. Files keep their order, input after input, so posting lists are concatenated and never
 * sorted. Takes about 30 ns per posting, and memory for one section of the result. The inputs are read while the parts
 * of the result are, and each of their sections from beginning to end. Keeps only vectors of `embedder`: others cannot
 * be compared.
 */
export function mergeSegments(
  inputs: readonly SegmentMergeInput[],
  embedder: string,
): FinishedSegment {
  const live = new LiveFiles();
  const numbered = inputs.map((input) => live.number(input));
  return {
    files: live.paths.length,
    parts: segmentParts(mergedSections(numbered, live, embedder)),
  };
}

function* mergedSections(
  inputs: readonly NumberedInput[],
  live: LiveFiles,
  embedder: string,
): SectionStream {
  const { dictionary, frequencies } = mergeDictionaries(
    inputs.map(({ reader, files, chunks, symbols }) => ({
      dictionary: reader.dictionary,
      renumber: { body: chunks, names: chunks, path: files, symbols, uses: files },
    })),
  );
  yield ["postings", dictionary.postings];
  yield ["terms", dictionary.terms];
  yield ["blocks", dictionary.blocks];
  const outlines = mergeGroups(inputs, new BlockGroupWriter(), "outlineBytes");
  yield ["outlines", outlines.groups];
  yield ["outlineGroups", bytesOfNumbers(outlines.places)];
  const referenceGroups = new BlockGroupWriter(REFERENCE_GROUP_BYTES);
  const references = mergeGroups(inputs, referenceGroups, "referenceBytes");
  yield ["references", references.groups];
  yield ["referenceGroups", bytesOfNumbers(references.places)];
  const fingerprints = mergeFingerprints(inputs);
  yield ["fingerprints", fingerprints.bytes];
  const trigrams = mergeTrigrams(
    inputs.map(({ reader, files }) => ({ reader: reader.trigrams, renumber: files })),
  );
  yield ["trigramKeys", trigrams.keys];
  yield ["trigramPostings", trigrams.postings];
  const vectors = mergeVectors(inputs, embedder);
  yield ["vectors", vectors.bytes];
  yield ["names", mergedNames(inputs)];
  yield ["includes", mergedIncludes(inputs)];
  const columns = {
    ...live.columns(),
    outline: outlines.starts,
    references: references.starts,
    fingerprints: fingerprints.starts,
    firstVector: vectors.firsts,
  };
  yield ["files", encodeFiles(columns, live.paths, live.lengthCodes())];
  return {
    files: live.paths.length,
    chunks: live.chunks,
    symbols: live.symbols,
    terms: dictionary.size,
    // For earlier versions: a merge must not change their scores, and the codes of lengths are not exact.
    totals: { body: live.bodyLength, names: frequencies.names },
    codedNames: live.codedNames,
    languages: live.languages,
    embedder,
    vectorCount: vectors.count,
  };
}

/** The facts about the remaining files, without the larger sections. */
class LiveFiles {
  readonly paths = new StringColumn();
  readonly languages: string[] = [];
  /** Sum of the lengths of their chunks. */
  bodyLength = 0;
  /** The same for their names, as their codes have them. */
  codedNames = 0;
  symbols = 0;
  readonly #firstChunk = new NumberList();
  readonly #firstSymbol = new NumberList();
  readonly #lengths = new NumberList();
  readonly #facts = new NumberList();
  readonly #bodyCodes = new ByteWriter();
  readonly #namesCodes = new ByteWriter();

  get chunks(): number {
    return this.#bodyCodes.length;
  }

  /** Adds the live files of an input and gives them new numbers. */
  number({ reader, tombstones }: SegmentMergeInput): NumberedInput {
    const { directory } = reader;
    const files = new Int32Array(reader.files).fill(-1);
    const chunks = new Int32Array(reader.chunks).fill(-1);
    const symbols = new Int32Array(directory.symbols).fill(-1);
    const firstSymbol = reader.column("firstSymbol");
    const lengths = reader.column("length");
    const facts = reader.column("facts");
    const [bodyCodes, namesCodes] = [reader.bodyCodes(), reader.namesCodes()];
    for (let file = 0; file < reader.files; file += 1) {
      if (tombstones[file] === 1) continue;
      files[file] = this.paths.length;
      this.paths.push(reader.path(file));
      this.#firstChunk.push(this.chunks);
      this.#firstSymbol.push(this.symbols);
      this.#lengths.push(lengths[file] ?? 0);
      this.bodyLength += lengths[file] ?? 0;
      this.#facts.push(this.#factsOf(facts[file] ?? 0, directory.languages));
      const [firstChunk, lastChunk] = reader.chunkRange(file);
      for (let chunk = firstChunk; chunk < lastChunk; chunk += 1) {
        chunks[chunk] = this.chunks;
        this.#bodyCodes.byte(bodyCodes[chunk] ?? 0);
        const namesCode = namesCodes[chunk] ?? 0;
        this.#namesCodes.byte(namesCode);
        this.codedNames += wholeLength(namesCode);
      }
      const lastSymbol = firstSymbol[file + 1] ?? directory.symbols;
      for (let symbol = firstSymbol[file] ?? 0; symbol < lastSymbol; symbol += 1) {
        symbols[symbol] = this.symbols;
        this.symbols += 1;
      }
    }
    return { reader, tombstones, files, chunks, symbols };
  }

  #factsOf(facts: number, languages: readonly string[]): number {
    const { language, role, flags } = unpackFacts(facts);
    const name = languages[language] ?? "";
    let number = this.languages.indexOf(name);
    if (number < 0) number = this.languages.push(name) - 1;
    return packFacts(number, role, flags);
  }

  columns(): Readonly<Record<"firstChunk" | "firstSymbol" | "length" | "facts", Uint32Array>> {
    return {
      firstChunk: this.#firstChunk.finish(),
      firstSymbol: this.#firstSymbol.finish(),
      length: this.#lengths.finish(),
      facts: this.#facts.finish(),
    };
  }

  lengthCodes(): readonly Uint8Array[] {
    return [this.#bodyCodes.finish(), this.#namesCodes.finish()];
  }
}

/** Calls `take` for each file that is kept, in order. */
function eachLiveFile(
  inputs: readonly SegmentMergeInput[],
  take: (reader: SegmentReader, file: number) => void,
): void {
  for (const { reader, tombstones } of inputs) {
    for (let file = 0; file < reader.files; file += 1)
      if (tombstones[file] !== 1) take(reader, file);
  }
}

function mergeGroups(
  inputs: readonly SegmentMergeInput[],
  groups: BlockGroupWriter,
  blockOf: "outlineBytes" | "referenceBytes",
): BlockGroups & { readonly starts: Uint32Array } {
  const starts = new NumberList();
  eachLiveFile(inputs, (reader, file) => {
    starts.push(groups.length);
    groups.add((to) => to.bytes(reader[blockOf](file)));
  });
  return { ...groups.finish(), starts: starts.finish() };
}

function mergeFingerprints(inputs: readonly SegmentMergeInput[]): {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
} {
  const starts = new NumberList();
  const bytes = new ByteWriter();
  eachLiveFile(inputs, (reader, file) => {
    starts.push(bytes.length);
    bytes.bytes(reader.fingerprintBytes(file));
  });
  return { bytes: bytes.finish(), starts: starts.finish() };
}

function mergeVectors(
  inputs: readonly SegmentMergeInput[],
  embedder: string,
): { readonly bytes: Uint8Array; readonly firsts: Uint32Array; readonly count: number } {
  const firsts = new NumberList();
  const bytes = new ByteWriter();
  let count = 0;
  eachLiveFile(inputs, (reader, file) => {
    const first = reader.column("firstVector")[file] ?? 0;
    if (first === 0 || reader.directory.embedder !== embedder) {
      firsts.push(0);
      return;
    }
    firsts.push(count + 1);
    const [firstChunk, lastChunk] = reader.chunkRange(file);
    const vectors = lastChunk - firstChunk;
    count += vectors;
    const width = reader.vectorWidth;
    bytes.bytes(reader.vectors((first - 1) * width, vectors * width));
  });
  return { bytes: bytes.finish(), firsts: firsts.finish(), count };
}

function mergedNames(inputs: readonly NumberedInput[]): Uint8Array {
  return mergeNameTables(
    inputs.map(({ reader, symbols }) => ({ table: reader.nameTable(), symbols })),
  );
}

function mergedIncludes(inputs: readonly SegmentMergeInput[]): Uint8Array {
  const includes = new IncludedModulesWriter();
  eachLiveFile(inputs, (reader, file) => includes.add(reader.includesOf(file)));
  return includes.finish();
}

interface DictionaryInput {
  readonly dictionary: DictionaryReader;
  readonly renumber: Readonly<Record<Field, Int32Array>>;
}

interface MergedDictionary {
  readonly dictionary: Dictionary;
  /** Sum of the frequencies of all postings by field, without prefixes. */
  readonly frequencies: Readonly<Record<Field, number>>;
}

/** Merges the dictionaries. There are few, so a linear scan finds the next term. */
function mergeDictionaries(inputs: readonly DictionaryInput[]): MergedDictionary {
  const writer = new DictionaryWriter();
  const frequencies = { body: 0, names: 0, path: 0, symbols: 0, uses: 0 };
  const cursors = inputs.map((input) => new DictionaryCursor(input));
  const counts = new Uint32Array(TERM_FIELDS.length);
  const ends = new Float64Array(TERM_FIELDS.length);
  const list = new PostingListWriter();
  for (;;) {
    let term: string | undefined;
    for (const { entry } of cursors) {
      if (entry !== undefined && (term === undefined || entry.term < term)) ({ term } = entry);
    }
    if (term === undefined) return { dictionary: writer.finish(), frequencies };
    const holders = cursors.filter(({ entry }) => entry?.term === term);
    for (const [at, field] of TERM_FIELDS.entries()) {
      let sum = 0;
      for (const holder of holders) sum += holder.copy(field, list);
      counts[at] = list.count;
      // Prefixes are no part of the length of a text.
      if (!isPrefixTerm(term)) frequencies[field] += sum;
      list.end(writer.postings);
      ends[at] = writer.postings.length;
    }
    if (counts.some((count) => count > 0)) writer.add(term, counts, ends);
    for (const holder of holders) holder.next();
  }
}

class DictionaryCursor {
  readonly #input: DictionaryInput;
  readonly #entries: Iterator<DictionaryEntry>;
  entry: DictionaryEntry | undefined;

  constructor(input: DictionaryInput) {
    this.#input = input;
    this.#entries = input.dictionary.entries();
    this.next();
  }

  next(): void {
    const { value, done } = this.#entries.next();
    this.entry = done === true ? undefined : value;
  }

  /** Adds the postings of the current term to a list; returns the sum of their frequencies. */
  copy(field: Field, to: PostingListWriter): number {
    let sum = 0;
    // Most terms are in one or two fields.
    if (this.entry === undefined || this.entry.counts[TERM_FIELDS.indexOf(field)] === 0) return sum;
    const renumber = this.#input.renumber[field];
    eachPosting(this.#input.dictionary.list(this.entry, field), (document, frequency) => {
      const number = renumber[document] ?? -1;
      if (number < 0) return;
      to.add(number, frequency);
      sum += frequency;
    });
    return sum;
  }
}
