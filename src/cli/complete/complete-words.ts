// Finds completion candidates for every shell, from the definitions that the parser and the help read
// (docs/decisions/0039-shell.md).
import type { ArgDefinition, FlagDefinition, Suggestion } from "../flag-definition.ts";
import type { Command, CommandEntry } from "../command.ts";
import { locate, type LocatedCommand } from "../locate.ts";
import { flagName } from "../parse.ts";

export interface CompletionCandidate {
  /** The whole word on the command line. */
  readonly word: string;
  /** Empty if the word needs none. */
  readonly description: string;
}

/** Candidates, or a kind of path, which the shell itself completes. */
export type Completion = readonly CompletionCandidate[] | "file" | "folder";

/** Values that are not in a definition. */
export type ValuesOf = (kind: "language" | "namespace") => Promise<readonly string[]>;

/** `words` follow `svc`; the last one is completed, and is "" for a new word. */
export async function completeWords<Context>(
  words: readonly string[],
  commands: readonly CommandEntry<Context>[],
  valuesOf: ValuesOf,
): Promise<Completion> {
  const isHelp = words[0] === "help" && words.length > 1;
  const before = words.slice(isHelp ? 1 : 0, -1);
  const word = words.at(-1) ?? "";
  const located = locate(before, commands);
  if (located.leaf === undefined) {
    const isKnown = located.rest.length === 0;
    return isKnown ? startingWith(word, memberCandidates(located, word, isHelp)) : [];
  }
  if (isHelp) return [];
  const { command } = await located.leaf.load();
  return completeCommand(command, { before: located.rest, word }, valuesOf);
}

const HELP: CompletionCandidate = { word: "--help", description: "Show this help." };

function memberCandidates<Context>(
  { path, members }: LocatedCommand<Context>,
  word: string,
  isHelp: boolean,
): readonly CompletionCandidate[] {
  const isTop = path.length === 0 && !isHelp;
  if (word.startsWith("-")) {
    const version = { word: "--version", description: "Print the version." };
    const licenses = { word: "--licenses", description: "Print third-party licences." };
    return isTop ? [HELP, version, licenses] : [HELP];
  }
  const listed = members
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, summary }) => ({ word: name, description: summary }));
  const help = { word: "help", description: "Show a command's flags and examples." };
  return isTop ? [...listed, help] : listed;
}

interface Line {
  /** Words after those of the command. */
  readonly before: readonly string[];
  readonly word: string;
}

async function completeCommand<Context>(
  command: Command<Context>,
  { before, word }: Line,
  valuesOf: ValuesOf,
): Promise<Completion> {
  const { given, awaiting, positionals, flagsEnded } = readBefore(command, before);
  if (awaiting !== undefined) return valuesFor(awaiting, word, valuesOf);
  if (word.startsWith("-") && !flagsEnded) {
    const inline = /^--([^=]+)=(.*)$/s.exec(word);
    const flag = inline === null ? undefined : flagNamed(command, inline[1] ?? "");
    if (flag === undefined) return startingWith(word, flagsOf(command, given));
    const values = await valuesFor(flag.definition, inline?.[2] ?? "", valuesOf);
    const prefix = `--${inline?.[1]}=`;
    if (typeof values === "string") return values;
    return values.map((one) => ({ ...one, word: prefix + one.word }));
  }
  const last = command.args.at(-1);
  const arg = command.args[positionals] ?? (last?.variadic === true ? last : undefined);
  return arg === undefined ? [] : valuesFor(arg, word, valuesOf);
}

interface Before {
  /** Keys of the flags given so far. */
  readonly given: ReadonlySet<string>;
  /** The flag whose value comes next. */
  readonly awaiting: FlagDefinition | undefined;
  readonly positionals: number;
  readonly flagsEnded: boolean;
}

/** More lenient than the parser: an unfinished line may be wrong in many ways. */
function readBefore<Context>(command: Command<Context>, words: readonly string[]): Before {
  const given = new Set<string>();
  let awaiting: FlagDefinition | undefined;
  let positionals = 0;
  let flagsEnded = false;
  for (const word of words) {
    const isValue = awaiting !== undefined;
    awaiting = undefined;
    if (isValue) continue;
    if (word === "--" && !flagsEnded) flagsEnded = true;
    else if (flagsEnded || !/^-[^\d]/.test(word)) positionals++;
    else {
      const [name = "", value] = word.replace(/^--?/, "").split("=", 2);
      const flag = flagNamed(command, name);
      if (flag !== undefined) given.add(flag.key);
      const takesValue = flag !== undefined && flag.definition.type !== "boolean";
      awaiting = takesValue && value === undefined ? flag.definition : undefined;
    }
  }
  return { given, awaiting, positionals, flagsEnded };
}

function flagNamed<Context>(
  { flags }: Command<Context>,
  name: string,
): { readonly key: string; readonly definition: FlagDefinition } | undefined {
  const found = Object.entries(flags).find(
    ([key, { short }]) => flagName(key) === name || short === name,
  );
  return found === undefined ? undefined : { key: found[0], definition: found[1] };
}

/** Candidates for the flags that may still be given. */
function flagsOf<Context>(
  { flags }: Command<Context>,
  given: ReadonlySet<string>,
): readonly CompletionCandidate[] {
  const open = Object.entries(flags).filter(
    ([key, { type }]) => type === "list" || !given.has(key),
  );
  return [
    ...open.map(([key, flag]) => {
      const isOn = flag.type === "boolean" && flag.default === true;
      return { word: `--${isOn ? "no-" : ""}${flagName(key)}`, description: flag.description };
    }),
    HELP,
  ];
}

/** What completion offers for a value, by its placeholder in help. */
const SUGGESTIONS: ReadonlyMap<string, Suggestion> = new Map([
  ["DIR", "folder"],
  ["FILE", "file"],
  ["GLOB", "file"],
  ["LANG", "language"],
  ["NS", "namespace"],
]);

function placeholderOf(flag: FlagDefinition): string {
  return flag.type === "boolean" ? "" : flag.placeholder;
}

async function valuesFor(
  definition: FlagDefinition | ArgDefinition,
  word: string,
  valuesOf: ValuesOf,
): Promise<Completion> {
  const suggests =
    "type" in definition ? SUGGESTIONS.get(placeholderOf(definition)) : definition.suggests;
  if (suggests === "file" || suggests === "folder") return suggests;
  const choices = "choices" in definition ? definition.choices : undefined;
  const values = choices ?? (await listOf(suggests, valuesOf));
  if (!("type" in definition) || definition.type !== "list")
    return startingWith(word, values.map(plain));
  // Only the last value of a list is completed; values that are given already are not offered.
  const earlier = word.slice(0, word.lastIndexOf(",") + 1);
  const taken = earlier.split(",");
  const left = values.filter((value) => !taken.includes(value));
  return startingWith(
    word,
    left.map((value) => plain(earlier + value)),
  );
}

async function listOf(
  suggests: Suggestion | undefined,
  valuesOf: ValuesOf,
): Promise<readonly string[]> {
  if (suggests === undefined || suggests === "file" || suggests === "folder") return [];
  return typeof suggests === "string" ? valuesOf(suggests) : suggests;
}

function plain(word: string): CompletionCandidate {
  return { word, description: "" };
}

function startingWith(
  word: string,
  candidates: readonly CompletionCandidate[],
): readonly CompletionCandidate[] {
  return candidates.filter((candidate) => candidate.word.startsWith(word));
}
