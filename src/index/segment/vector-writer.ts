import type { WordTable } from "../../parse/word-table.ts";
import { scanWords } from "../../parse/tokenizer.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { EmbeddingTable } from "../../embed/embedding-table.ts";
import { Pooler } from "../../embed/pooler.ts";
import { vectorBytes } from "../../embed/quantize.ts";
import { NumberList } from "./bytes.ts";

/** Makes vectors with one table, segment after segment: setting the pooler up costs some milliseconds. */
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

/** Collects the vectors of the chunks of a segment, while their words are counted. */
export class VectorWriter {
  readonly #embedder: Embedder;
  readonly #width: number;
  /** By number of a word in the table of words: where its rows are in `#rows`, 0 while that is not known. */
  #places = new Uint32Array(1 << 14);
  /** How many, then which. */
  readonly #rows = new NumberList();
  #pathRows: readonly number[] = [];
  #vectors = new Uint8Array(1 << 16);
  #length = 0;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#width = vectorBytes(embedder.table.dimensions);
    // No word has its rows at 0.
    this.#rows.push(0);
  }

  get embedder(): string {
    return this.#embedder.id;
  }

  /** How many vectors there are. */
  get count(): number {
    return this.#length / this.#width;
  }

  get sizeBytes(): number {
    return this.#length + this.#rows.length * 4 + this.#places.byteLength;
  }

  /** The words of a file's path belong to each of its chunks. */
  beginFile(path: string): void {
    this.#pathRows = path.split(/[^A-Za-z0-9_$]+/).flatMap((word) => this.#rowsOf(word));
  }

  /** An occurrence of a word of the table. */
  countWord(word: number, words: WordTable): void {
    const place = this.#places[word] ?? 0;
    const at = place > 0 ? place : this.#learn(word, words.word(word));
    const rows = this.#rows;
    const { pooler } = this.#embedder;
    const end = at + rows.at(at);
    for (let index = at + 1; index <= end; index += 1) pooler.count(rows.at(index));
  }

  /** An occurrence of a word that has no number. */
  countText(word: string): void {
    for (const row of this.#rowsOf(word)) this.#embedder.pooler.count(row);
  }

  /** Closes the chunk whose words were counted. */
  finishChunk(): void {
    if (this.#length + this.#width > this.#vectors.length) {
      const vectors = new Uint8Array(this.#vectors.length * 2);
      vectors.set(this.#vectors);
      this.#vectors = vectors;
    }
    this.#embedder.pooler.finish(this.#pathRows, this.#vectors, this.#length);
    this.#length += this.#width;
  }

  finish(): Uint8Array {
    return this.#vectors.subarray(0, this.#length);
  }

  #learn(word: number, text: string): number {
    if (word >= this.#places.length) {
      const places = new Uint32Array(Math.max(this.#places.length * 2, word + 1));
      places.set(this.#places);
      this.#places = places;
    }
    const place = this.#rows.length;
    const rows: number[] = [];
    // With characters beyond ASCII it may hold several words.
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
