/**
 * Vectors as small integers, each row with a scale of its own: component d of row r is `scales[r]` times
 * its integer. Never written to: the bytes may lie in read-only memory.
 */
export interface RowMatrix {
  readonly rows: number;
  /** A multiple of 16. */
  readonly dimensions: number;
  /** 8: a component is a signed byte. 4: a byte holds two, the first in its low half, each plus 8. */
  readonly bits: 4 | 8;
  readonly bytes: Uint8Array;
  readonly scales: Float32Array;
}

/** What words mean: a vector for each word, or for each of its pieces. */
export interface EmbeddingTable {
  /**
   * Names the kind of table, its dimensions and its content. Vectors of tables with different ids cannot
   * be compared: an index made with another has to be embedded anew.
   */
  readonly id: string;
  /** Components of a vector, a multiple of 16: the last may be 0 in every row. */
  readonly dimensions: number;
  readonly matrix: RowMatrix;
  /**
   * The rows of a word as it stands in a text, such as `parseHTTPResponse2`; none where nothing of it is
   * known, several where it has parts, also the same twice. Not remembered: the caller keeps the answers
   * for words that come again. Only the first `MAX_WORD_LENGTH` characters count.
   */
  readonly rowsOf: (word: string) => readonly number[];
  /**
   * Natural logarithm of how likely a word is this one, which is in lower case; 0 where the table does not say,
   * undefined where it does not know the word as a whole.
   */
  readonly logProbability: (word: string) => number | undefined;
}

/** As long as the longest word that the index takes from a text (`isWordLength` of parse/tokenizer.ts). */
export const MAX_WORD_LENGTH = 256;

/** Dimensions of a stored vector: as many as the model has, filled up with zeros for the kernel. */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}
