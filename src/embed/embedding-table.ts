/**
 * A matrix of quantized vectors. Each row has its own scale: component d of row r is `scales[r]` times its
 * integer. It is never written to: the bytes may be in read-only memory.
 */
export interface RowMatrix {
  readonly rows: number;
  /** A multiple of 16. */
  readonly dimensions: number;
  /**
   * 8: a component is a signed byte. 4: a byte holds two components, the first in its low half; each is
   * stored plus 8.
   */
  readonly bits: 4 | 8;
  readonly bytes: Uint8Array;
  readonly scales: Float32Array;
}

/** Word embeddings: a vector for each word, or for each of its pieces. */
export interface EmbeddingTable {
  /**
   * Identifies the kind of table, its dimensions and its content. Vectors of tables with different ids cannot
   * be compared: an index built with another table must be embedded again.
   */
  readonly id: string;
  /** Components of a vector, a multiple of 16. The last ones may be 0 in every row (padding). */
  readonly dimensions: number;
  readonly matrix: RowMatrix;
  /**
   * Returns the rows of a word as written in a text, such as `parseHTTPResponse2`: none if no part of it is
   * known, several if it has several parts. A row may occur twice. The function does not cache: callers that
   * see a word again keep the result. Only the first `MAX_WORD_LENGTH` characters count.
   */
  readonly rowsOf: (word: string) => readonly number[];
  /**
   * Returns the natural logarithm of the probability of `word`, which is in lower case. 0 if the table has no
   * probabilities, undefined if the word as a whole is unknown.
   */
  readonly logProbability: (word: string) => number | undefined;
}

/**
 * In characters. Equal to the longest word that the index takes from a text (`isWordLength` of
 * parse/tokenizer.ts).
 */
export const MAX_WORD_LENGTH = 256;

/**
 * Returns the dimensions of a stored vector: those of the model, rounded up to a multiple of 16 for the
 * kernel.
 */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}
