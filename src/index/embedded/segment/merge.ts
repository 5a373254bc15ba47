// Merges several segments into one by concatenating their posting lists, without deleted files.

import { isPrefixTerm } from "../../../parse/tokenizer.ts";
import { packFacts, unpackFacts } from "../../coding/packed-facts.ts";
import { BlockGroupWriter, REFERENCE_GROUP_BYTES } from "../../coding/block-groups.ts";
import { ByteWriter, NumberList } from "../../coding/bytes.ts";
import { DictionaryWriter } from "./dictionary-writer.ts";
import type { DictionaryEntry, DictionaryReader } from "./dictionary-reader.ts";
import { TERM_FIELDS, type Field } from "./format.ts";
import { eachPosting, PostingListWriter } from "../../coding/posting-list.ts";
import { assembleSegment, type FinishedSegment } from "./segment-assembly.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { mergeNameTables } from "../../names/name-table.ts";
import { StringColumn } from "./string-column.ts";
import { mergeTrigrams } from "../trigrams/trigram-merge.ts";

/** A segment to merge. */
export interface SegmentMergeInput {
  readonly reader: SegmentReader;
  /** 1 for each deleted file, which is dropped. */
  readonly tombstones: Uint8Array;
}

/** New numbers by old ones; -1 for dropped items. */
interface Renumbering {
  readonly files: Int32Array;
  readonly chunks: Int32Array;
  readonly symbols: Int32Array;
}

/**
 * Merges segments. Files keep their order, input after input, so posting lists are concatenated and never
 * sorted. Takes about 30 ns per posting, and memory for the result and the current posting list. Keeps only
 * vectors of `embedder`: others cannot be compared.
 */
export function mergeSegments(
  inputs: readonly SegmentMergeInput[],
  embedder: string,
): FinishedSegment {
  const columns = new MergedColumns(embedder);
  const numbered = inputs.map((input) => ({ ...input, ...columns.take(input) }));
  const dictionary = mergeDictionaries(
    numbered.map(({ reader, files, chunks, symbols }) => ({
      dictionary: reader.dictionary,
      renumber: { body: chunks, names: chunks, path: files, symbols, uses: files },
    })),
  );
  const trigrams = mergeTrigrams(
    numbered.map(({ reader, files }) => ({ reader: reader.trigrams, renumber: files })),
  );
  // The codes of lengths are not exact; sums of frequencies are, so that a merge does not change any score.
  const facts = columns.finish(dictionary.frequencies.names);
  const names = mergeNameTables(
    numbered.map(({ reader, symbols }) => ({ table: reader.nameTable(), symbols })),
    facts.symbols,
  );
  return assembleSegment({
    ...facts,
    dictionary: dictionary.writer.finish(),
    trigramKeys: trigrams.keys,
    trigramPostings: trigrams.postings,
    names,
  });
}

/** Collects the data per file and per chunk. */
class MergedColumns {
  readonly #firstChunk = new NumberList();
  readonly #firstSymbol = new NumberList();
  readonly #outlineStarts = new NumberList();
  readonly #lengths = new NumberList();
  readonly #facts = new NumberList();
  readonly #bodyCodes = new ByteWriter();
  readonly #namesCodes = new ByteWriter();
  readonly #outlines = new BlockGroupWriter();
  readonly #referenceStarts = new NumberList();
  readonly #references = new BlockGroupWriter(REFERENCE_GROUP_BYTES);
  readonly #fingerprintStarts = new NumberList();
  readonly #fingerprints = new ByteWriter();
  readonly #firstVectors = new NumberList();
  readonly #vectors = new ByteWriter();
  readonly #embedder: string;
  #vectorCount = 0;
  readonly #paths = new StringColumn();
  readonly #languages: string[] = [];
  #bodyLength = 0;
  #symbols = 0;

  constructor(embedder: string) {
    this.#embedder = embedder;
  }

  /** Adds the live files of an input and returns their new numbers. */
  take({ reader, tombstones }: SegmentMergeInput): Renumbering {
    const { directory } = reader;
    const files = new Int32Array(reader.files).fill(-1);
    const chunks = new Int32Array(reader.chunks).fill(-1);
    const symbols = new Int32Array(directory.symbols).fill(-1);
    const firstChunk = reader.column("firstChunk");
    const firstSymbol = reader.column("firstSymbol");
    const lengths = reader.column("length");
    const facts = reader.column("facts");
    for (let file = 0; file < reader.files; file += 1) {
      if (tombstones[file] === 1) continue;
      files[file] = this.#paths.length;
      this.#paths.push(reader.path(file));
      this.#firstChunk.push(this.#bodyCodes.length);
      this.#firstSymbol.push(this.#symbols);
      this.#lengths.push(lengths[file] ?? 0);
      this.#bodyLength += lengths[file] ?? 0;
      this.#facts.push(this.#factsOf(facts[file] ?? 0, directory.languages));
      this.#outlineStarts.push(this.#outlines.length);
      this.#outlines.add((to) => to.bytes(reader.outlineBytes(file)));
      this.#referenceStarts.push(this.#references.length);
      this.#references.add((to) => to.bytes(reader.referenceBytes(file)));
      this.#fingerprintStarts.push(this.#fingerprints.length);
      this.#fingerprints.bytes(reader.fingerprintBytes(file));
      const lastChunk = firstChunk[file + 1] ?? reader.chunks;
      this.#takeVectors(reader, file, lastChunk - (firstChunk[file] ?? 0));
      for (let chunk = firstChunk[file] ?? 0; chunk < lastChunk; chunk += 1) {
        chunks[chunk] = this.#bodyCodes.length;
        this.#bodyCodes.byte(reader.bodyCodes()[chunk] ?? 0);
        this.#namesCodes.byte(reader.namesCodes()[chunk] ?? 0);
      }
      const lastSymbol = firstSymbol[file + 1] ?? directory.symbols;
      for (let symbol = firstSymbol[file] ?? 0; symbol < lastSymbol; symbol += 1) {
        symbols[symbol] = this.#symbols;
        this.#symbols += 1;
      }
    }
    return { files, chunks, symbols };
  }

  #takeVectors(reader: SegmentReader, file: number, chunks: number): void {
    const first = reader.column("firstVector")[file] ?? 0;
    if (first === 0 || reader.directory.embedder !== this.#embedder) {
      this.#firstVectors.push(0);
      return;
    }
    this.#firstVectors.push(this.#vectorCount + 1);
    this.#vectorCount += chunks;
    const width = reader.vectorWidth;
    this.#vectors.bytes(reader.vectors((first - 1) * width, chunks * width));
  }

  #factsOf(facts: number, languages: readonly string[]): number {
    const { language, role, flags } = unpackFacts(facts);
    const name = languages[language] ?? "";
    let number = this.#languages.indexOf(name);
    if (number < 0) number = this.#languages.push(name) - 1;
    return packFacts(number, role, flags);
  }

  /** `namesLength`: sum of the lengths of the names of all chunks. */
  finish(
    namesLength: number,
  ): Omit<
    Parameters<typeof assembleSegment>[0],
    "dictionary" | "trigramKeys" | "trigramPostings" | "names"
  > {
    return {
      files: this.#paths.length,
      chunks: this.#bodyCodes.length,
      symbols: this.#symbols,
      totals: { body: this.#bodyLength, names: namesLength },
      languages: this.#languages,
      bodyCodes: this.#bodyCodes.finish(),
      namesCodes: this.#namesCodes.finish(),
      columns: {
        firstChunk: this.#firstChunk.finish(),
        firstSymbol: this.#firstSymbol.finish(),
        outline: this.#outlineStarts.finish(),
        references: this.#referenceStarts.finish(),
        length: this.#lengths.finish(),
        facts: this.#facts.finish(),
        firstVector: this.#firstVectors.finish(),
        fingerprints: this.#fingerprintStarts.finish(),
      },
      embedder: this.#embedder,
      vectorCount: this.#vectorCount,
      vectors: this.#vectors.finish(),
      paths: this.#paths,
      outlines: this.#outlines.finish(),
      references: this.#references.finish(),
      fingerprints: this.#fingerprints.finish(),
    };
  }
}

interface DictionaryInput {
  readonly dictionary: DictionaryReader;
  readonly renumber: Readonly<Record<Field, Int32Array>>;
}

interface MergedDictionary {
  readonly writer: DictionaryWriter;
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
    if (term === undefined) return { writer, frequencies };
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
