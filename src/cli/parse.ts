// Parses the words of one command by its definitions. node:util splits the words into tokens; this file interprets
// the tokens and creates every error (docs/decisions/0002-command-line.md).
import { alternatives } from "../base/alternatives.ts";
import { parseArgs } from "node:util";

import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import type {
  ArgDefinition,
  CommandInput,
  CommandExample,
  FlagDefinition,
  FlagDefinitions,
  IntegerFlag,
} from "./flag-definition.ts";
import { hintForFlag } from "./flag-hints.ts";

/** What the words ask for: the full help (`--help`), its summary (`-h`), or a run of the command. */
export type Parsed = { readonly help: HelpKind } | ({ readonly help: undefined } & CommandInput);

export type HelpKind = "full" | "brief";

interface Shape {
  readonly args: readonly ArgDefinition[];
  readonly flags: FlagDefinitions;
  readonly examples?: readonly CommandExample[];
  readonly flagHints?: Readonly<Record<string, string>>;
}

type Tokens = NonNullable<ReturnType<typeof tokenize>>;
type OptionToken = Extract<Tokens[number], { kind: "option" }>;
type Value = string | number | boolean | readonly string[];

const NUMBER = /^-(\d+|\d*\.\d+)$/;

/** Throws USAGE for anything that the definitions do not allow. */
export function parseCommandLine(shape: Shape, words: readonly string[]): Parsed {
  const byName = new Map(Object.keys(shape.flags).map((key) => [flagName(key), key]));
  const tokens = tokenize(shape.flags, words);
  const help = requestedHelp(tokens, byName);
  if (help !== undefined) return { help };
  const positionals: string[] = [];
  const given = new Map<string, Value>();
  let numberAt = -1;
  for (const token of tokens) {
    if (token.index === numberAt) continue;
    const word = words[token.index] ?? "";
    if (token.kind === "positional") {
      positionals.push(token.value);
    } else if (token.kind === "option" && isNumber(word, shape.flags)) {
      // One word, although several option tokens.
      positionals.push(word);
      numberAt = token.index;
    } else if (token.kind === "option" && token.name !== "help") {
      const { key, value } = readFlag(token, word, { ...shape, byName });
      const earlier = given.get(key);
      if (earlier !== undefined && typeof value !== "boolean" && !isList(value)) {
        throw new SvcError("USAGE", `--${flagName(key)} was given twice.`, {
          hint: "Use it once.",
        });
      }
      given.set(key, isList(earlier) && isList(value) ? [...earlier, ...value] : value);
    }
  }
  return {
    help: undefined,
    args: bindArguments(shape, positionals),
    flags: withDefaults(shape, given),
  };
}

/** A group of digits is a negative number, unless it is a flag. */
function isNumber(word: string, flags: FlagDefinitions): boolean {
  return NUMBER.test(word) && Object.values(flags).every(({ short }) => `-${short ?? ""}` !== word);
}

/**
 * The help that `--help` or `-h` asks for, also in a group of the command's short flags; undefined without them. The
 * tokenizer reads `-path` as short flags: a word with letters that are not flags is a mistake and does not ask for help.
 */
function requestedHelp(tokens: Tokens, byName: ReadonlyMap<string, string>): HelpKind | undefined {
  const invalidWords = new Set(
    tokens.flatMap((token) => {
      const isShort = token.kind === "option" && !token.rawName.startsWith("--");
      return isShort && token.name !== "help" && !byName.has(token.name) ? [token.index] : [];
    }),
  );
  const asking = tokens.filter(
    (token) => token.kind === "option" && token.name === "help" && !invalidWords.has(token.index),
  );
  if (asking.length === 0) return undefined;
  return asking.some((token) => token.kind === "option" && token.rawName === "--help")
    ? "full"
    : "brief";
}

/** The name of a flag on the command line, without dashes: `maxTokens` becomes `max-tokens`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function tokenize(flags: FlagDefinitions, words: readonly string[]) {
  const options = Object.entries(flags).map(([key, { type, short }]) => [
    flagName(key),
    {
      type: type === "boolean" ? ("boolean" as const) : ("string" as const),
      ...(short === undefined ? {} : { short }),
    },
  ]);
  return parseArgs({
    args: [...words],
    options: { help: { type: "boolean", short: "h" }, ...Object.fromEntries(options) },
    // Not strict: the messages of node:util name neither the nearest flag nor the allowed values.
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface KnownFlags {
  readonly flags: FlagDefinitions;
  readonly flagHints?: Readonly<Record<string, string>>;
  readonly byName: ReadonlyMap<string, string>;
}

function readFlag(
  token: OptionToken,
  word: string,
  known: KnownFlags,
): { key: string; value: Value } {
  const key = known.byName.get(token.name);
  const flag = key === undefined ? undefined : known.flags[key];
  if (key !== undefined && flag !== undefined) return { key, value: readValue(token, flag, known) };

  const negated = /^no-(.+)$/.exec(token.name)?.[1];
  const negatedKey = negated === undefined ? undefined : known.byName.get(negated);
  if (negatedKey === undefined) throw unknownFlag(token, word, known);
  const negatedFlag = known.flags[negatedKey];
  if (negatedFlag?.type !== "boolean") {
    const hasNever = negatedFlag?.type === "string" && negatedFlag.choices?.includes("never");
    throw new SvcError("USAGE", `--${negated} takes a value and cannot be negated.`, {
      hint: hasNever === true ? `Write --${negated}=never.` : `Omit ${token.rawName}.`,
    });
  }
  if (token.value !== undefined) throw new SvcError("USAGE", `${token.rawName} takes no value.`);
  return { key: negatedKey, value: false };
}

function readValue(token: OptionToken, flag: FlagDefinition, known: KnownFlags): Value {
  const shown = token.rawName;
  const own = known.flagHints?.[token.rawName.replace(/^-+/, "")];
  if (flag.type === "boolean") {
    if (token.value === undefined || token.value === "true") return true;
    if (token.value === "false") return false;
    throw new SvcError("USAGE", `${shown} takes true or false, not "${token.value}".`);
  }
  const text = requireText(token, known);
  if (flag.type === "integer") return readInteger(shown, text, { ...flag, hint: own });
  const { choices } = flag;
  if (flag.type === "string") return requireChoice(shown, text, choices);
  return splitList(text).map((item) => requireChoice(shown, item, choices));
}

function requireText(token: OptionToken, { byName }: KnownFlags): string {
  const { rawName, value, inlineValue } = token;
  if (value === undefined || value === "") {
    throw new SvcError("USAGE", `${rawName} needs a value.`);
  }
  // `--name --json` is a forgotten value far more often than a value that begins with dashes.
  if (!inlineValue && value.startsWith("--")) {
    const name = value.slice(2).split("=")[0] ?? "";
    const isFlag = value === "--" || byName.has(name) || byName.has(name.replace(/^no-/, ""));
    const hint = `Write ${joined(token)} if the value begins with dashes.`;
    const detail = `${rawName} needs a value before ${value}.`;
    throw new SvcError("USAGE", detail, isFlag ? {} : { hint });
  }
  const isShort = !rawName.startsWith("--");
  return isShort && inlineValue ? value.replace(/^=(?=.)/, "") : value;
}

function joined({ name, value }: OptionToken): string {
  return `--${name}=${value ?? ""}`;
}

function readInteger(
  shown: string,
  text: string,
  { min, max, hint }: IntegerFlag & { readonly hint: string | undefined },
): number {
  const value = Number(text);
  const isInside = value >= (min ?? value) && value <= (max ?? value);
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value) && isInside) return value;
  const range = rangeText(min, max);
  throw new SvcError(
    "USAGE",
    `${shown} takes a whole number${range === "" ? "" : ` (${range})`}, not "${text}".`,
    hint === undefined ? {} : { hint },
  );
}

/** The allowed range in words; empty if there is none. */
export function rangeText(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`;
  if (min !== undefined) return `${min} or more`;
  return max === undefined ? "" : `up to ${max}`;
}

function requireChoice(
  shown: string,
  text: string,
  choices: readonly string[] | undefined,
): string {
  if (choices === undefined || choices.includes(text)) return text;
  const near = closestWord(text, choices);
  const detail = `${shown} takes ${alternatives(choices)}, not "${text}".`;
  throw new SvcError("USAGE", detail, near === undefined ? {} : { hint: `Did you mean ${near}?` });
}

/** Splits at commas, except inside the braces and brackets of a glob. */
function splitList(text: string): string[] {
  const items = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{" || character === "[") depth++;
    if (character === "}" || character === "]") depth--;
    if (character === "," && depth <= 0) items.push("");
    else items.push((items.pop() ?? "") + character);
  }
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function unknownFlag(
  token: OptionToken,
  word: string,
  { byName, flags, flagHints }: KnownFlags,
): SvcError {
  const isLong = token.rawName.startsWith("--");
  const switches = [...byName].filter(([, key]) => flags[key]?.type === "boolean");
  const names = [...byName.keys(), "help", ...switches.map(([name]) => `no-${name}`)];
  // `-limit` is read as five short flags: the whole word finds a better suggestion than its first letter.
  const typed = isLong ? token.name : word.replace(/^-+/, "").replace(/=.*$/s, "");
  const known = new Set(byName.keys());
  const habit = hintForFlag(typed, known, flagHints) ?? hintForFlag(token.name, known, flagHints);
  const near = habit === undefined && typed.length > 1 ? closestWord(typed, names) : undefined;
  const guess = near === undefined ? undefined : `Did you mean --${near}?`;
  return new SvcError("USAGE", `There is no flag ${token.rawName}.`, {
    hint:
      habit ??
      guess ??
      "`--help` lists the flags; put `--` before arguments that begin with a dash.",
  });
}

function bindArguments(
  { args: definitions, flags, examples }: Shape,
  words: readonly string[],
): Record<string, string | readonly string[] | undefined> {
  const last = definitions.at(-1);
  const excess = last?.variadic === true ? undefined : words[definitions.length];
  if (excess !== undefined) {
    const names = definitions.map(({ name }) => name.toUpperCase()).join(" and ");
    throw new SvcError(
      "USAGE",
      names === ""
        ? `Unexpected argument "${excess}": the command takes none.`
        : `Unexpected argument "${excess}" after ${names}.`,
      {
        hint:
          definitions.some(({ name }) => name === "path") && flags["path"] !== undefined
            ? "Quote words that belong together; --path GLOB, in quotes, selects several files."
            : "Quote words that belong together.",
      },
    );
  }
  return Object.fromEntries(
    definitions.map(({ name, required, variadic, choices }, index) => {
      const value = variadic === true ? words.slice(index) : words[index];
      if (required === true && (value === undefined || (value.length === 0 && isList(value)))) {
        throw new SvcError("USAGE", `${name.toUpperCase()} is missing.`, exampleOf(examples));
      }
      if (typeof value === "string") requireChoice(name.toUpperCase(), value, choices);
      return [name, value];
    }),
  );
}

/** The first example as a hint. */
function exampleOf([example]: readonly CommandExample[] = []): { hint?: string } {
  return example === undefined ? {} : { hint: `For example: ${example.run}` };
}

function withDefaults(
  { flags, examples }: Shape,
  given: ReadonlyMap<string, Value>,
): Record<string, Value | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([key, flag]) => {
      const value = given.get(key) ?? flag.default ?? EMPTY[flag.type];
      if (flag.type !== "boolean" && flag.required === true && !given.has(key)) {
        throw new SvcError("USAGE", `--${flagName(key)} is required.`, exampleOf(examples));
      }
      return [key, value];
    }),
  );
}

/** The value of a flag that was not given and has no default. */
const EMPTY = { boolean: false, list: [], integer: undefined, string: undefined } as const;

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
