import { type CommandDef, defineCommand as defineCittyCommand } from "citty";

import type { App } from "../app.ts";
import type {
  ArgDefinition,
  BooleanFlag,
  CommandExample,
  CommandInput,
  FlagDefinition,
  FlagDefinitions,
  IntegerFlag,
  ListFlag,
  StringFlag,
} from "./flag-definition.ts";
import type { Io } from "./io.ts";
import { type HelpKind, parseCommandLine } from "./parse.ts";

/** What a command may use. Created only when a command runs: help opens nothing. */
export interface CommandContext {
  readonly io: Io;
  readonly app: App;
  /** Aborted by SIGINT, by SIGTERM, or when standard output fails. */
  readonly signal: AbortSignal;
}

type Choice<Flag> = Flag extends { readonly choices: readonly (infer Value)[] } ? Value : string;

type IfGiven<Flag, Value> = Flag extends
  | { readonly required: true }
  | { readonly default: string | number }
  ? Value
  : Value | undefined;

type FlagValue<Flag extends FlagDefinition> = Flag extends BooleanFlag
  ? boolean
  : Flag extends IntegerFlag
    ? IfGiven<Flag, number>
    : Flag extends ListFlag
      ? readonly Choice<Flag>[]
      : IfGiven<Flag, Choice<Flag>>;

type ArgValue<Arg extends ArgDefinition> = Arg extends { readonly variadic: true }
  ? readonly string[]
  : Arg extends { readonly required: true }
    ? Choice<Arg>
    : Choice<Arg> | undefined;

interface TypedInput<Args extends readonly ArgDefinition[], Flags extends FlagDefinitions> {
  readonly args: { readonly [Arg in Args[number] as Arg["name"]]: ArgValue<Arg> };
  readonly flags: { readonly [Name in keyof Flags]: FlagValue<Flags[Name]> };
}

/** An exit code; undefined means 0, or 130 if the command was interrupted. */
type ExitCode = number | void;

interface CommandDefinition<
  Args extends readonly ArgDefinition[],
  Flags extends FlagDefinitions,
  Context,
> {
  /** Help text after the summary; a blank line separates paragraphs. */
  readonly description?: string;
  readonly args?: Args;
  readonly flags?: Flags;
  readonly examples?: readonly CommandExample[];
  /** Exit codes of this command, in addition to those that all commands share. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** What to use in place of flags of similar programs, by their names without dashes. */
  readonly flagHints?: Readonly<Record<string, string>>;
  readonly run: (input: TypedInput<Args, Flags>, context: Context) => Promise<ExitCode> | ExitCode;
}

/** What one call of the program does before and after its command. */
export interface CommandCall<Context> {
  /** Creates the command's context. Called after the words are parsed, and not for help or a usage error. */
  readonly open: (input: CommandInput) => Promise<Context> | Context;
  /** Called after the command, also after its failure, with the result of `open`. */
  readonly close: (context: Context) => Promise<void> | void;
  /** Called instead of the command when the words ask for help. */
  readonly showHelp: (kind: HelpKind) => Promise<void> | void;
  /** Receives the result of the command, because citty drops what a sub-command returns. */
  readonly end: (code: ExitCode) => void;
}

/** A loaded command. Its input types are erased, so that one list can hold all commands. */
export interface Command<Context = CommandContext> {
  readonly description: string | undefined;
  readonly args: readonly ArgDefinition[];
  readonly flags: FlagDefinitions;
  readonly examples: readonly CommandExample[];
  readonly exitCodes: Readonly<Record<number, string>>;
  /**
   * The command as citty runs it, for one call of the program. Its words must come after `--`, where citty reads
   * none of them: `parseCommandLine` does. Throws USAGE for words that the definitions do not allow.
   */
  readonly toCitty: (call: CommandCall<Context>) => CommandDef;
}

interface EntryBase {
  readonly name: string;
  /** One sentence, shown in lists and at the head of the command's help. */
  readonly summary: string;
  /** Its heading in the overview. */
  readonly heading?: string;
  /** True: not listed in help and documentation. */
  readonly hidden?: boolean;
}

interface LeafEntry<Context> extends EntryBase {
  /** Imports the command: only the chosen command is evaluated. */
  readonly load: () => Promise<{ readonly command: Command<Context> }>;
}

interface GroupEntry<Context> extends EntryBase {
  readonly commands: readonly CommandEntry<Context>[];
}

/** One line of the command list: a command, or a group of them such as `auth`. */
export type CommandEntry<Context = CommandContext> = LeafEntry<Context> | GroupEntry<Context>;

/** Binds a command to its flags and arguments: `run` sees checked and typed values only. */
export function defineCommand<
  const Args extends readonly ArgDefinition[] = readonly [],
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- a command without flags has none to name
  const Flags extends FlagDefinitions = Readonly<Record<never, never>>,
  Context = CommandContext,
>(definition: CommandDefinition<Args, Flags, Context>): Command<Context> {
  const { description, args = [], flags = {}, examples = [], exitCodes = {}, run } = definition;
  const { flagHints = {} } = definition;
  const shape = { description, args, flags, examples, exitCodes, flagHints };
  return {
    ...shape,
    toCitty(call) {
      let ready: { readonly input: CommandInput; readonly context: Context } | undefined;
      let help: HelpKind = "full";
      return defineCittyCommand({
        async setup({ args: { _: words } }) {
          const input = parseCommandLine(shape, words);
          if (input.help === undefined) ready = { input, context: await call.open(input) };
          else help = input.help;
        },
        async run() {
          if (ready === undefined) return call.showHelp(help);
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser builds the input from these same definitions
          return call.end(await run(ready.input as TypedInput<Args, Flags>, ready.context));
        },
        async cleanup() {
          if (ready !== undefined) await call.close(ready.context);
        },
      });
    },
  };
}

/** The flag of every command that prints data. */
export const JSON_FLAG = {
  type: "boolean",
  description: "Print the result as JSON.",
} as const satisfies BooleanFlag;

/** The flag of commands whose answer has a size that agents pay for. */
export const MAX_TOKENS_FLAG = {
  type: "integer",
  default: 2000,
  min: 100,
  max: 20_000,
  placeholder: "N",
  description: "Maximum size of the answer in tokens.",
} as const satisfies IntegerFlag;

/** The flag of commands that may work on the backend of a team. main.ts applies it to the settings. */
export const BACKEND_FLAG = {
  type: "string",
  placeholder: "URL",
  description:
    "PostgreSQL database of a team, such as postgres://db.example.org/svc (default: $SERVICE_BACKEND, else files of this machine).",
} as const satisfies StringFlag;

/** The flag that names a server whose answers replace those of this machine. */
export const REMOTE_FLAG = {
  type: "string",
  placeholder: "URL",
  description:
    "Answer from this server, such as https://svc.example.org (default: $SERVICE_REMOTE, else this machine).",
} as const satisfies StringFlag;

/** The flag of commands that show lines of files. */
export const INCLUDE_SECRETS_FLAG = {
  type: "boolean",
  description: "Show secrets found in files; by default they are masked.",
} as const satisfies BooleanFlag;

export const AT_FLAG = {
  type: "string",
  placeholder: "REV",
  description: "Answer as of this commit, branch or tag, without checking it out.",
} as const satisfies StringFlag;

/** What the documentation shows of a command or a group. */
export interface CommandPage {
  /** The words after `svc`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly heading: string | undefined;
  /** Undefined for a group. */
  readonly command:
    | Pick<Command, "description" | "args" | "flags" | "examples" | "exitCodes">
    | undefined;
}

/** Loads every visible command, in the order of the list, each group before its members. */
export async function loadPages<Context>(
  entries: readonly CommandEntry<Context>[],
  parent: Pick<CommandPage, "path" | "heading"> = { path: [], heading: undefined },
): Promise<CommandPage[]> {
  const pages: CommandPage[] = [];
  for (const entry of entries.filter(({ hidden }) => hidden !== true)) {
    const path = [...parent.path, entry.name];
    const heading = entry.heading ?? parent.heading;
    const page = { path, heading, summary: entry.summary };
    if ("commands" in entry) {
      pages.push({ ...page, command: undefined });
      pages.push(...(await loadPages(entry.commands, page)));
    } else {
      pages.push({ ...page, command: (await entry.load()).command });
    }
  }
  return pages;
}
