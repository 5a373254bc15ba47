// The arguments and flags of a command. The parser, help, manual pages and completions read these definitions.

/** What completion offers for a value: a kind of thing on this machine, or one of these words. */
export type Suggestion = "file" | "folder" | "language" | "namespace" | readonly string[];

export interface ArgDefinition {
  readonly name: string;
  readonly description: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** What completion offers; not needed with `choices`. */
  readonly suggests?: Suggestion;
  readonly required?: boolean;
  /** Takes all remaining words; only on the last argument. */
  readonly variadic?: boolean;
}

interface FlagBase {
  readonly description: string;
  /** One letter, never a digit: `-1` is a negative number. */
  readonly short?: string;
}

interface ValueFlag extends FlagBase {
  /** Name of the value in help, in capitals. DIR, FILE, GLOB, LANG and NS also choose what completion offers. */
  readonly placeholder: string;
  readonly required?: boolean;
}

export interface BooleanFlag extends FlagBase {
  readonly type: "boolean";
  readonly default?: boolean;
}

export interface IntegerFlag extends ValueFlag {
  readonly type: "integer";
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

export interface StringFlag extends ValueFlag {
  readonly type: "string";
  readonly default?: string;
  readonly choices?: readonly string[];
}

/** May be repeated, and takes several values separated by commas. */
export interface ListFlag extends ValueFlag {
  readonly type: "list";
  readonly default?: readonly string[];
  readonly choices?: readonly string[];
}

export type FlagDefinition = BooleanFlag | IntegerFlag | StringFlag | ListFlag;

/** Flags by their name in camelCase; on the command line `maxTokens` is `--max-tokens`. */
export type FlagDefinitions = Readonly<Record<string, FlagDefinition>>;

export interface CommandExample {
  readonly run: string;
  readonly description: string;
}

/** Values as parsed; `defineCommand` restores their types. */
export interface CommandInput {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
}
