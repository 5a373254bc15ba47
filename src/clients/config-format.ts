/** The text of a configuration file as its format has it: jsonc.ts, toml.ts. */
export interface ConfigFormat {
  /** The whole file as a value. Throws `SyntaxProblem`. */
  readonly read: (text: string) => unknown;
  /** The text with this value at the path; what is missing on the way is made. Throws `EditProblem`. */
  readonly set: (text: string, path: readonly string[], value: unknown) => string;
  /** The text without what stands at the path. Throws `EditProblem`. */
  readonly remove: (text: string, path: readonly string[]) => string;
}

/** The text is not of its format. */
export class SyntaxProblem extends Error {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  constructor(message: string, place: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = place.line;
    this.column = place.column;
  }
}

/** The text is of its format, but written in a way that cannot be edited without touching more. */
export class EditProblem extends Error {}
