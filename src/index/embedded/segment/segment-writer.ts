import { lengthCode, wholeLength } from "../../coding/length-code.ts";
import { packFacts } from "../../coding/packed-facts.ts";
import { withoutNames } from "../../change-log/fingerprint-block.ts";
import type { EncodedFileInput, EncodedReferences, FileInput } from "../../types.ts";
import type { FileReferences } from "../../../parse/references/references.ts";
import { WordTable, type WordVisitor } from "../../../parse/word-table.ts";
import {
  createTokenizer,
  cutTerm,
  prefixTerm,
  scanWords,
  splitWord,
} from "../../../parse/tokenizer.ts";
import { BlockGroupWriter, REFERENCE_GROUP_BYTES } from "../../coding/block-groups.ts";
import { ByteWriter, NumberList } from "../../coding/bytes.ts";
import { bytesOfNumbers } from "../../coding/compressed.ts";
import { DictionaryWriter, type Dictionary } from "./dictionary-writer.ts";
import { encodeFiles } from "./files-section.ts";
import { TERM_FIELDS, type FileColumn } from "./format.ts";
import { writeOutline } from "./outline.ts";
import { NameTableBuilder } from "../../names/name-table-writer.ts";
import { usedTerms } from "../../references/used-terms.ts";
import { isDocumentation } from "../../../base/documents/document-formats.ts";
import { isForeignProse } from "../../foreign-prose.ts";
import { pathTexts } from "../../path-texts.ts";
import { isEncoded } from "../../references/encoded-references.ts";
import { includedModules, IncludedModulesWriter } from "../../references/included-modules.ts";
import { readImporting, ReferenceBlockWriter } from "../../references/reference-block.ts";
import { TermPool } from "./term-pool.ts";
import { segmentParts, type FinishedSegment, type SectionStream } from "./segment-assembly.ts";
import { StringColumn } from "./string-column.ts";
import { TrigramWriter } from "../trigrams/trigram-writer.ts";
import { VectorWriter, type Embedder } from "../../vectors/vector-writer.ts";

/** Collects files and writes them as one immutable segment. */
export class SegmentWriter {
  readonly #termIds = new Map<string, number>();
  readonly #words = new WordTable();
  /** For words that `#words` does not store. */
  readonly #tokenizer = createTokenizer();
  /**
   * The terms of words with several terms: their number, then the terms. In the word table, the value of a word
   * is its only term plus 1, or minus the index of its terms in this list.
   */
  readonly #wordTerms = new NumberList();
  readonly #pools = TERM_FIELDS.map(() => new TermPool());
  readonly #counter = new TermCounter();
  /** Counts prefixes, which are no part of the length of a text. */
  readonly #prefixCounter = new TermCounter();
  /** Buffer for names and paths in UTF-8, one at a time. */
  readonly #scratch = Buffer.alloc(1 << 12);
  readonly #trigrams: TrigramWriter;
  readonly #vectors: VectorWriter | undefined;
  /** Whether the scanned words are prose in a foreign language, which gets prefixes as further terms. */
  #isForeign = false;
  /** By number of a word: the terms of its prefixes. */
  readonly #prefixIds = new Map<number, readonly number[]>();
  /** Whether the scanned words belong to a chunk that gets a vector. */
  #isEmbedding = false;
  readonly #bodyCodes = new ByteWriter();
  readonly #namesCodes = new ByteWriter();
  readonly #totals = { body: 0, names: 0 };
  #codedNames = 0;
  readonly #outlines = new BlockGroupWriter();
  readonly #references = new BlockGroupWriter(REFERENCE_GROUP_BYTES);
  readonly #referenceBlocks = new ReferenceBlockWriter();
  readonly #referenceStarts = new NumberList();
  readonly #fingerprints = new ByteWriter();
  readonly #fingerprintStarts = new NumberList();
  readonly #firstChunks = new NumberList();
  readonly #firstSymbols = new NumberList();
  readonly #outlineStarts = new NumberList();
  readonly #fileLengths = new NumberList();
  readonly #facts = new NumberList();
  readonly #firstVectors = new NumberList();
  readonly #paths = new StringColumn();
  readonly #languages: string[] = [];
  readonly #names = new NameTableBuilder();
  readonly #includes = new IncludedModulesWriter();
  #symbols = 0;

  /**
   * `trigrams` is reset and used: its tables are large, and one segment after the other can use them. Without
   * an embedder no chunk gets a vector.
   */
  constructor(trigrams = new TrigramWriter(), embedder?: Embedder) {
    this.#trigrams = trigrams;
    this.#vectors = embedder && new VectorWriter(embedder);
    trigrams.reset();
    // Index 0 is unused, because it is the value of a new word.
    this.#wordTerms.push(0);
  }

  get files(): number {
    return this.#paths.length;
  }

  get chunks(): number {
    return this.#bodyCodes.length;
  }

  get symbols(): number {
    return this.#symbols;
  }

  /** Approximate memory use in bytes; decides when a segment is full. */
  get sizeBytes(): number {
    const pools = this.#pools.reduce((sum, pool) => sum + pool.sizeBytes, 0);
    const { usedBytes } = this.#trigrams;
    return (
      pools +
      usedBytes +
      (this.#vectors?.sizeBytes ?? 0) +
      this.#references.length +
      this.#termIds.size * 100 +
      this.#words.size * 40
    );
  }

  /** Adds a file, with its encoded fingerprints if it is complete, and returns its number in this segment. */
  add(file: FileInput | EncodedFileInput, fingerprints?: Uint8Array): number {
    const ordinal = this.files;
    this.#firstChunks.push(this.chunks);
    this.#firstSymbols.push(this.#symbols);
    this.#outlineStarts.push(this.#outlines.length);
    this.#facts.push(packFacts(this.#languageId(file.language), file.role, file.flags));
    this.#paths.push(file.path);
    this.#countTexts(pathTexts(file.path));
    this.#counter.flush(this.#pool("path"), ordinal);
    this.#firstVectors.push(this.#beginVectors(file));
    this.#isForeign = isForeignProse(file);
    this.#fileLengths.push(this.#addChunks(file));
    this.#isForeign = false;
    this.#isEmbedding = false;
    const symbols = this.#pool("symbols");
    for (const { name } of file.symbols) {
      symbols.add(this.#symbolTermId(cutTerm(name.toLowerCase())), this.#symbols, 1);
      this.#symbols += 1;
    }
    this.#names.add(file.symbols);
    this.#outlines.add((to) => writeOutline(to, file));
    this.#addReferences(file.references, ordinal);
    this.#fingerprintStarts.push(this.#fingerprints.length);
    if (fingerprints !== undefined)
      this.#fingerprints.bytes(withoutNames(fingerprints, file.symbols));
    this.#trigrams.add(ordinal, file.bytes);
    return ordinal;
  }

  #addReferences(references: FileReferences | EncodedReferences, ordinal: number): void {
    this.#referenceStarts.push(this.#references.length);
    this.#references.add((to) => {
      if (isEncoded(references)) to.bytes(references.block);
      else this.#referenceBlocks.write(to, references);
    });
    const { imports } = isEncoded(references) ? readImporting(references.block) : references;
    this.#includes.add(includedModules(imports));
    const terms = isEncoded(references) ? references.terms : usedTerms(references);
    const uses = this.#pool("uses");
    for (const term of terms) uses.add(this.#symbolTermId(term), ordinal, 1);
  }

  /** Returns the index of the file's first vector plus 1; 0 if it gets none. */
  #beginVectors({ path, chunks, isFinal }: Omit<FileInput, "references">): number {
    this.#isEmbedding = isFinal && chunks.length > 0 && this.#vectors !== undefined;
    if (!this.#isEmbedding || this.#vectors === undefined) return 0;
    this.#vectors.beginFile(path);
    return this.#vectors.count + 1;
  }

  /** Returns the length of the file in terms. */
  #addChunks({
    bytes: raw,
    maskedBytes: bytes = raw,
    chunks,
    language,
    role,
  }: Omit<FileInput, "references">): number {
    const body = this.#pool("body");
    const names = this.#pool("names");
    const isEmbedding = this.#isEmbedding;
    const embedsNames = isEmbedding && isDocumentation({ language, role });
    let length = 0;
    let line = 1;
    let at = 0;
    for (const { startLine, endLine, names: defined } of chunks) {
      const ordinal = this.chunks;
      // Only blank lines are between chunks.
      for (; line < startLine; line += 1) at = bytes.indexOf(LINE_FEED, at) + 1;
      this.#isEmbedding = isEmbedding;
      at = this.#words.scan(bytes, this.#visitor, at, bytes.length, endLine - startLine + 1);
      line = endLine + 1;
      // The text of code contains the names. A page of a document lacks the headings above it.
      this.#isEmbedding = embedsNames;
      const bodyLength = this.#counter.flush(body, ordinal);
      this.#prefixCounter.flush(body, ordinal);
      this.#countTexts(defined);
      if (isEmbedding) this.#vectors?.finishChunk();
      const namesLength = this.#counter.flush(names, ordinal);
      this.#prefixCounter.flush(names, ordinal);
      this.#bodyCodes.byte(lengthCode(bodyLength));
      const namesCode = lengthCode(namesLength);
      this.#namesCodes.byte(namesCode);
      this.#codedNames += wholeLength(namesCode);
      this.#totals.body += bodyLength;
      this.#totals.names += namesLength;
      length += bodyLength;
    }
    return length;
  }

  #pool(field: (typeof TERM_FIELDS)[number]): TermPool {
    const pool = this.#pools[TERM_FIELDS.indexOf(field)];
    if (pool === undefined) throw new RangeError(`no field ${field}`);
    return pool;
  }

  #countTexts(texts: readonly string[]): void {
    for (const text of texts) {
      const fits = text.length * 3 <= this.#scratch.length;
      const bytes = fits ? this.#scratch : Buffer.from(text);
      const length = fits ? bytes.write(text) : bytes.length;
      this.#words.scan(bytes, this.#visitor, 0, length, Number.MAX_SAFE_INTEGER);
    }
  }

  readonly #visitor: WordVisitor = {
    word: (word) => {
      if (this.#isEmbedding) this.#vectors?.countWord(word, this.#words);
      if (this.#isForeign) for (const id of this.#prefixesOf(word)) this.#prefixCounter.count(id);
      let value = this.#words.value(word);
      if (value === 0) value = this.#addWord(word);
      if (value > 0) {
        this.#counter.count(value - 1);
        return;
      }
      const terms = this.#wordTerms;
      const end = terms.at(-value) - value;
      for (let at = 1 - value; at <= end; at += 1) this.#counter.count(terms.at(at));
    },
    run: (text) => {
      scanWords(text, (word) => {
        if (this.#isEmbedding) this.#vectors?.countText(word);
        for (const term of this.#tokenizer.split(word)) this.#counter.count(this.#termId(term));
        const prefix = this.#isForeign ? prefixTerm(word) : undefined;
        if (prefix !== undefined) this.#prefixCounter.count(this.#termId(prefix));
      });
    },
  };

  /** Computes and returns the value of a new word. */
  #addWord(word: number): number {
    const ids: number[] = [];
    scanWords(this.#words.word(word), (part) => {
      for (const term of splitWord(part)) ids.push(this.#termId(term));
    });
    const [only] = ids;
    let value = -this.#wordTerms.length;
    if (ids.length === 1 && only !== undefined) {
      value = only + 1;
    } else {
      this.#wordTerms.push(ids.length);
      for (const id of ids) this.#wordTerms.push(id);
    }
    this.#words.setValue(word, value);
    return value;
  }

  #prefixesOf(word: number): readonly number[] {
    let ids = this.#prefixIds.get(word);
    if (ids === undefined) {
      const found: number[] = [];
      scanWords(this.#words.word(word), (part) => {
        const prefix = prefixTerm(part);
        if (prefix !== undefined) found.push(this.#termId(prefix));
      });
      ids = found;
      this.#prefixIds.set(word, ids);
    }
    return ids;
  }

  #termId(term: string): number {
    const known = this.#termIds.get(term);
    if (known !== undefined) return known;
    const id = this.#termIds.size;
    this.#termIds.set(term, id);
    return id;
  }

  /** A name may be a slice of its file's text and would keep that text in memory, so it is copied. */
  #symbolTermId(name: string): number {
    return this.#termIds.get(name) ?? this.#termId(Buffer.from(name).toString());
  }

  #languageId(language: string): number {
    const known = this.#languages.indexOf(language);
    if (known >= 0) return known;
    return this.#languages.push(language) - 1;
  }

  /** Nothing can be added afterwards. The caller must read the parts before it uses the constructor's tables again. */
  finish(): FinishedSegment {
    return { files: this.files, parts: segmentParts(this.#sections()) };
  }

  *#sections(): SectionStream {
    const dictionary = this.#dictionary();
    yield ["postings", dictionary.postings];
    yield ["terms", dictionary.terms];
    yield ["blocks", dictionary.blocks];
    const outlines = this.#outlines.finish();
    yield ["outlines", outlines.groups];
    yield ["outlineGroups", bytesOfNumbers(outlines.places)];
    const references = this.#references.finish();
    yield ["references", references.groups];
    yield ["referenceGroups", bytesOfNumbers(references.places)];
    yield ["fingerprints", this.#fingerprints.finish()];
    const trigrams = this.#trigrams.finish();
    yield ["trigramKeys", trigrams.keys];
    yield ["trigramPostings", trigrams.postings];
    const vectorCount = this.#vectors?.count ?? 0;
    yield ["vectors", this.#vectors?.finish() ?? NO_VECTORS];
    yield ["names", this.#names.build()];
    yield ["includes", this.#includes.finish()];
    const lengthCodes = [this.#bodyCodes.finish(), this.#namesCodes.finish()];
    yield ["files", encodeFiles(this.#columns(), this.#paths, lengthCodes)];
    return {
      files: this.files,
      chunks: this.chunks,
      symbols: this.#symbols,
      terms: dictionary.size,
      totals: this.#totals,
      codedNames: this.#codedNames,
      languages: this.#languages,
      embedder: this.#vectors?.embedder ?? "",
      vectorCount,
    };
  }

  #dictionary(): Dictionary {
    const dictionary = new DictionaryWriter();
    const counts = new Uint32Array(TERM_FIELDS.length);
    const ends = new Float64Array(TERM_FIELDS.length);
    const pools = this.#pools;
    for (const term of [...this.#termIds.keys()].toSorted()) {
      const id = this.#termIds.get(term) ?? 0;
      for (let field = 0; field < pools.length; field += 1) {
        counts[field] = pools[field]?.copy(id, dictionary.postings) ?? 0;
        ends[field] = dictionary.postings.length;
      }
      dictionary.add(term, counts, ends);
    }
    return dictionary.finish();
  }

  #columns(): Readonly<Record<FileColumn, Uint32Array>> {
    return {
      firstChunk: this.#firstChunks.finish(),
      firstSymbol: this.#firstSymbols.finish(),
      outline: this.#outlineStarts.finish(),
      references: this.#referenceStarts.finish(),
      length: this.#fileLengths.finish(),
      facts: this.#facts.finish(),
      firstVector: this.#firstVectors.finish(),
      fingerprints: this.#fingerprintStarts.finish(),
    };
  }
}

const LINE_FEED = 10;
const NO_VECTORS = new Uint8Array(0);

/** Counts the terms of one document. */
class TermCounter {
  #counts = new Uint16Array(1 << 12);
  #usedTerms = new Uint32Array(1 << 10);
  #size = 0;

  count(term: number): void {
    if (term >= this.#counts.length) this.#growCounts(term);
    const before = this.#counts[term] ?? 0;
    if (before === 0) {
      if (this.#size === this.#usedTerms.length) this.#growUsedTerms();
      this.#usedTerms[this.#size++] = term;
    }
    if (before < 0xffff) this.#counts[term] = before + 1;
  }

  /** Ends the document: adds it to the lists of its terms and returns its length in terms. */
  flush(pool: TermPool, document: number): number {
    let length = 0;
    for (let at = 0; at < this.#size; at += 1) {
      const term = this.#usedTerms[at] ?? 0;
      const frequency = this.#counts[term] ?? 0;
      this.#counts[term] = 0;
      length += frequency;
      pool.add(term, document, frequency);
    }
    this.#size = 0;
    return length;
  }

  #growCounts(term: number): void {
    const counts = new Uint16Array(Math.max(this.#counts.length * 2, term + 1));
    counts.set(this.#counts);
    this.#counts = counts;
  }

  #growUsedTerms(): void {
    const larger = new Uint32Array(this.#usedTerms.length * 2);
    larger.set(this.#usedTerms);
    this.#usedTerms = larger;
  }
}
