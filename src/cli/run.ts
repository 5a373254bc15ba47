// Runs the command of a command line and returns its exit code. This file and parse.ts refuse wrong words; citty loads
// and runs the command (docs/decisions/0002-command-line.md).
import { type CommandDef, runCommand } from "citty";

import { NOTICES, readAsset } from "../base/assets.ts";
import { SvcError, toSvcError } from "../base/errors.ts";
import type { Command, CommandCall, CommandContext, CommandEntry } from "./command.ts";
import { briefHelp, commandHelp, listHelp, usageOf, type HelpLayout } from "./help.ts";
import type { NamesOfCommand } from "./commands-of-tools.ts";
import type { Io } from "./io.ts";
import { listMembers, locate, toCittyProgram, unknownWord, type LocatedCommand } from "./locate.ts";
import { withPager } from "./pager.ts";
import { flagName, type HelpKind } from "./parse.ts";
import { createStyle } from "./print/style.ts";
import { reportFailure } from "./report.ts";

interface Call {
  /** The command's words, `["auth", "token", "create"]`. */
  readonly path: readonly string[];
  /** Values of flags that set a setting, by the name of the flag. */
  readonly settingFlags: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface CliOptions<Context> {
  readonly commands: readonly CommandEntry<Context>[];
  readonly io: Io;
  readonly version: string;
  /** True: print the causes of failures. */
  readonly debug: boolean;
  readonly signal: AbortSignal;
  /** Runs if no word is given; without it, help is shown. */
  readonly welcome?: () => Promise<{ readonly command: Command<Context> }>;
  /** Called only when a command runs, never for help or usage errors. */
  readonly context: (call: Call) => Context | Promise<Context>;
  /** Called after the command, even if it failed. */
  readonly close?: (context: Context) => Promise<void> | void;
}

const DONE = 0;
const INTERRUPTED = 130;
const ABOUT = "Local search for code and documentation, for you and your coding agent.";

/** Resolves to the exit code (product decisions, section 5) when all output has been written; never rejects. */
export async function runCli<Context = CommandContext>(
  words: readonly string[],
  options: CliOptions<Context>,
): Promise<number> {
  const { io, signal } = options;
  let code: number;
  try {
    code = await dispatch(words, options);
  } catch (thrown) {
    // An interrupted command may fail in any way; its failure is not reported.
    const isInterrupted = signal.aborted || io.outputClosed.aborted;
    code = isInterrupted ? INTERRUPTED : await failed(thrown, words, options);
  }
  await io.flush();
  if (!io.outputClosed.aborted) return code;
  const reason: unknown = io.outputClosed.reason;
  if (isBrokenPipe(reason)) return DONE;
  code = await failed(outputFailure(reason), words, options);
  await io.flush();
  return code;
}

async function dispatch<Context>(
  words: readonly string[],
  options: CliOptions<Context>,
): Promise<number> {
  const [first, ...others] = words;
  if (first === "--version" || first === "-V") {
    options.io.out(`${options.version}\n`);
    return DONE;
  }
  if (first === "--licenses") {
    options.io.out(Buffer.from(readAsset(NOTICES)).toString());
    return DONE;
  }
  if (first === undefined && options.welcome !== undefined) {
    const { command } = await options.welcome();
    return execute((call) => command.toCitty(call), locate([], options.commands), options);
  }
  if (first === "-i") return dispatch(["search", ...words], options);
  const isHelp = isHelpRequest(first);
  const requested = isHelp ? others.filter((word) => !isHelpRequest(word)) : words;
  const located = locate(requested, options.commands);
  const next = located.rest[0];
  if (located.leaf === undefined && next !== undefined && !isHelpFlag(next)) {
    throw unknownWord(located);
  }
  if (isHelp || located.leaf === undefined) return showHelp(located, options);
  return execute((call) => toCittyProgram(options.commands, call), located, options);
}

/** The path is right when citty gets it. The other words are out of its reach: it reads nothing after `--`. */
async function execute<Context>(
  program: (call: CommandCall<Context>) => CommandDef,
  located: LocatedCommand<Context>,
  options: CliOptions<Context>,
): Promise<number> {
  const { path, rest } = located;
  const { io, signal, context: createContext, close } = options;
  const anyEnd = AbortSignal.any([signal, io.outputClosed]);
  let code = DONE;
  const command = program({
    open: ({ flags }) =>
      createContext({
        path,
        settingFlags: {
          backend: textOf(flags["backend"]),
          "cache-limit": textOf(flags["cacheLimit"]),
          "node-url": textOf(flags["nodeUrl"]),
          remote: textOf(flags["remote"]),
        },
        signal: anyEnd,
      }),
    close: (context) => close?.(context),
    async showHelp(kind) {
      code = await showHelp(located, options, kind);
    },
    end(result) {
      code = result ?? (signal.aborted ? INTERRUPTED : DONE);
    },
  });
  await runCommand(command, { rawArgs: [...path, "--", ...rest] });
  return code;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function showHelp<Context>(
  located: LocatedCommand<Context>,
  { io, signal, version }: CliOptions<Context>,
  kind: HelpKind = "full",
): Promise<number> {
  const layout: HelpLayout = { style: createStyle(io.color), columns: io.columns };
  const { path, summary, leaf } = located;
  let page: string;
  if (leaf === undefined) {
    const about = path.length === 0 ? `svc ${version}. ${ABOUT}` : summary;
    page = listHelp({ path, about }, listMembers(located), layout);
  } else {
    const { command } = await leaf.load();
    const helpOf = kind === "brief" ? briefHelp : commandHelp;
    page = helpOf({ path, summary, command }, layout);
  }
  await withPager({ io, signal }, kind === "full", ({ io: output }) => output.out(page));
  return DONE;
}

async function failed<Context>(
  thrown: unknown,
  words: readonly string[],
  { io, debug, commands }: CliOptions<Context>,
): Promise<number> {
  const error = toSvcError(thrown);
  const { path, leaf } = locate(words, commands);
  const command = leaf === undefined ? undefined : (await leaf.load()).command;
  const usage = error.code === "USAGE" ? usageFor(path, command) : undefined;
  const names = command === undefined ? undefined : namesOf(command);
  return reportFailure(error, { io, debug, usage, asJson: wantsJson(words), command: names });
}

function usageFor<Context>(path: readonly string[], command: Command<Context> | undefined): string {
  return command === undefined
    ? ["svc", ...path, "COMMAND [flags]"].join(" ")
    : usageOf(path, command);
}

function namesOf<Context>({ flags, args }: Command<Context>): NamesOfCommand {
  return {
    flags: new Set(Object.keys(flags).map(flagName)),
    args: new Set(args.map(({ name }) => name)),
  };
}

function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const flags = words.slice(0, end === -1 ? undefined : end);
  return flags.includes("--json") || flags.includes("--jsonl");
}

function isHelpRequest(word: string | undefined): boolean {
  return word === "help" || isHelpFlag(word);
}

function isHelpFlag(word: string | undefined): boolean {
  return word === "--help" || word === "-h";
}

/** The full disk may not be the disk of the data. */
function outputFailure(reason: unknown): unknown {
  if (toSvcError(reason).code !== "STORAGE_FULL") return reason;
  return new SvcError("STORAGE_FULL", "The disk is full.", {
    hint: "The output could not be written: free some space, or write it to another disk.",
    cause: reason,
  });
}

/** True if the reader of a pipe has gone, as `head` does; Windows calls it EOF. */
function isBrokenPipe(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? reason.code : undefined;
  return code === "EPIPE" || code === "EOF" || code === "ECONNRESET";
}
