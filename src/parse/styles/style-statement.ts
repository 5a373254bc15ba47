// A statement of a style sheet.

export interface StyleStatement {
  /** "open": what is before a block; "close": the end of one; "plain": a declaration or a rule without a block. */
  readonly kind: "open" | "close" | "plain";
  /** Without comments; "" at the end of a block. It keeps its line breaks. */
  readonly text: string;
  /** The line on which it begins; 1-based. */
  readonly line: number;
}
