// The data types for svc's knowledge about a language and its standard library.

/** The types of one language, as data. */
export interface LibraryData {
  /** The type above all others. */
  readonly top: string;
  /** Primitive types, each with the next wider ones: `int: "long"`. */
  readonly primitives: Readonly<Record<string, string>>;
  /** Primitive types by the type of the object that holds one. */
  readonly boxes: Readonly<Record<string, string>>;
  /** Types by name, each with all its direct supertypes, separated by spaces. */
  readonly supertypes: Readonly<Record<string, string>>;
  /** Types without subtypes. */
  readonly final: ReadonlySet<string>;
  /** Interfaces that a function can be passed for: its number of parameters, and "r" or "v" as in `Use.arguments`. */
  readonly functions: Readonly<Record<string, string>>;
  /** What members return or hold: by type, "" for all types and "[]" for arrays, then by name. */
  readonly results: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Supertypes of arrays. */
  readonly aboveArrays: ReadonlySet<string>;
  /** Supertypes of some types of a project that it does not write: `Enum`. */
  readonly implicit: ReadonlySet<string>;
}
