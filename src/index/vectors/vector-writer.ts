import type { WordTable } from "../../parse/word-table.ts";
import { scanWords } from "../../parse/tokenizer.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { EmbeddingTable } from "../../embed/embedding-table.ts";
import { Pooler } from "../../embed/pooler.ts";
import { vectorBytes } from "../../embed/quantize.ts";
import { NumberList } from "../coding/bytes.ts";

/** Makes vectors with one embedding table for many segments: setting up the pooler takes some milliseconds. */
export class Embedder {
  readonly id: string;
  readonly table: EmbeddingTable;
  readonly pooler: Pooler;

  constructor(source: EmbeddingSource) {
    this.id = source.id;
    this.table = source.load();
    this.pooler = new Pooler(this.table);
  }
}

/** Collects the vectors of a segment's chunks while their words are counted. */
export class VectorWriter {
  readonly #embedder: Embedder;
  readonly #width: number;
  /** For each word of the word table, the index of its rows in `#rows`; 0 if unknown. */
  #places = new Uint32Array(1 << 10);
  /** For each word, the number of its rows, then the rows. */
  readonly #rows = new NumberList();
  #pathRows: readonly number[] = [];
  #vectors = new Uint8Array(1 << 12);
  #length = 0;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#width = vectorBytes(embedder.table.dimensions);
    // Index 0 is unused.
    this.#rows.push(0);
  }

  get embedder(): string {
    return this.#embedder.id;
  }

  /** Number of vectors. */
  get count(): number {
    return this.#length / this.#width;
  }

  get sizeBytes(): number {
    return this.#length + this.#rows.length * 4 + this.#places.byteLength;
  }

  /** Begins a file. The words of its path belong to each of its chunks. */
  beginFile(path: string): void {
    this.#pathRows = path.split(/[^A-Za-z0-9_$]+/).flatMap((word) => this.#rowsOf(word));
  }

  /** Counts an occurrence of a word of the table. */
  countWord(word: number, words: WordTable): void {
    const place = this.#places[word] ?? 0;
    const at = place > 0 ? place : this.#addWord(word, words.word(word));
    const rows = this.#rows;
    const { pooler } = this.#embedder;
    const end = at + rows.at(at);
    for (let index = at + 1; index <= end; index += 1) pooler.count(rows.at(index));
  }

  /** Counts an occurrence of a word that is not in the table. */
  countText(word: string): void {
    for (const row of this.#rowsOf(word)) this.#embedder.pooler.count(row);
  }

  /** Ends the chunk whose words were counted. */
  finishChunk(): void {
    if (this.#length + this.#width > this.#vectors.length) {
      const vectors = new Uint8Array(this.#vectors.length * 2 + this.#width);
      vectors.set(this.#vectors);
      this.#vectors = vectors;
    }
    this.#embedder.pooler.finish(this.#pathRows, this.#vectors, this.#length);
    this.#length += this.#width;
  }

  finish(): Uint8Array {
    return this.#vectors.subarray(0, this.#length);
  }

  #addWord(word: number, text: string): number {
    if (word >= this.#places.length) {
      const places = new Uint32Array(Math.max(this.#places.length * 2, word + 1));
      places.set(this.#places);
      this.#places = places;
    }
    const place = this.#rows.length;
    const rows: number[] = [];
    // A text with characters beyond ASCII may contain several words.
    scanWords(text, (part) => rows.push(...this.#rowsOf(part)));
    this.#rows.push(rows.length);
    for (const row of rows) this.#rows.push(row);
    this.#places[word] = place;
    return place;
  }

  #rowsOf(word: string): readonly number[] {
    return this.#embedder.table.rowsOf(word);
  }
}
