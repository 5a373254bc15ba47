/** Reads and edits the text of a configuration file in one format: jsonc.ts, toml.ts. */
export interface ConfigFormat {
  /** Returns the whole file as a value. Throws `SyntaxProblem`. */
  readonly read: (text: string) => unknown;
  /** Returns the text with this value at the path, creating missing parents. Throws `EditProblem`. */
  readonly set: (text: string, path: readonly string[], value: unknown) => string;
  /** Returns the text without the value at the path. Throws `EditProblem`. */
  readonly remove: (text: string, path: readonly string[]) => string;
}

/** The text is not valid in its format. */
export class SyntaxProblem extends Error {
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;

  constructor(message: string, place: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = place.line;
    this.column = place.column;
  }
}

/** The text is valid, but no edit can change the value without changing other parts. */
export class EditProblem extends Error {}
