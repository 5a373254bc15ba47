import { type CommandDef, defineCommand } from "citty";

import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import { quoted } from "../base/quoted.ts";
import type { CommandCall, CommandEntry } from "./command.ts";

/** Commands by what other programs call them. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    outline: "map tree ls toc structure summary",
    search: "find query ask",
    symbols: "symbol def definition definitions goto where",
    refs: "references usages uses callers calls xrefs",
    grep: "rg text match",
    read: "cat show view open",
    why: "blame log history annotate",
    changes: "diff changed since",
    related: "similar tests",
    impact: "affected breaks",
    index: "init add build scan reindex sync refresh update",
    "index --scip": "import",
    "index --remove": "unindex",
    status: "info stats state",
    "namespaces list": "list projects workspaces repos",
    "namespaces remove": "remove delete rm drop clean",
    install: "setup connect configure",
    serve: "server web ui start run http",
    doctor: "check health diagnose verify self-check",
    upgrade: "self-update selfupdate",
    "config list": "settings options",
    "auth token create": "token tokens",
    "auth keys create": "key keys",
    "auth login": "login",
    "auth logout": "logout",
    "--version": "version",
    "--licenses": "licenses licences license",
    "--help": "commands usage man",
  }).flatMap(([command, words]) => words.split(" ").map((word) => [word, command] as const)),
);

type Leaf<Context> = Extract<CommandEntry<Context>, { load: unknown }>;

/** Where the words lead in the command list. */
export interface LocatedCommand<Context> {
  /** The names that were recognised; empty for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  /** The command, or undefined when the path ends at a group. */
  readonly leaf: Leaf<Context> | undefined;
  /** The entries that can follow the path; empty after a command. */
  readonly members: readonly CommandEntry<Context>[];
  readonly rest: readonly string[];
}

export function locate<Context>(
  words: readonly string[],
  commands: readonly CommandEntry<Context>[],
): LocatedCommand<Context> {
  const path: string[] = [];
  let members = commands;
  let summary = "";
  for (;;) {
    const entry = members.find(({ name }) => name === words[path.length]);
    if (entry === undefined) {
      return { path, summary, leaf: undefined, members, rest: words.slice(path.length) };
    }
    path.push(entry.name);
    summary = entry.summary;
    if ("load" in entry) {
      return { path, summary, leaf: entry, members: [], rest: words.slice(path.length) };
    }
    members = entry.commands;
  }
}

/** The command list as citty runs it for one call. citty loads a command when its words name it, and no other. */
export function toCittyProgram<Context>(
  entries: readonly CommandEntry<Context>[],
  call: CommandCall<Context>,
): CommandDef {
  const subCommands = entries.map((entry): [string, () => Promise<CommandDef>] => [
    entry.name,
    async () =>
      "load" in entry
        ? (await entry.load()).command.toCitty(call)
        : toCittyProgram(entry.commands, call),
  ]);
  return defineCommand({ subCommands: Object.fromEntries(subCommands) });
}

interface ListedCommand {
  readonly path: readonly string[];
  readonly summary: string;
  readonly heading: string | undefined;
}

/** For a group, every command with its full path; at the top only the entries, to stay short. */
export function listMembers<Context>({ path, members }: LocatedCommand<Context>): ListedCommand[] {
  const visible = members.filter(({ hidden }) => hidden !== true);
  return visible.flatMap((entry) => {
    const own = [...path, entry.name];
    if ("load" in entry || path.length === 0) {
      return [{ path: own, summary: entry.summary, heading: entry.heading }];
    }
    const { summary, commands } = entry;
    return listMembers({ path: own, summary, members: commands, leaf: undefined, rest: [] });
  });
}

/** The error for the first unknown word. */
export function unknownWord<Context>({ path, members, rest }: LocatedCommand<Context>): SvcError {
  const word = rest[0] ?? "";
  const program = ["svc", ...path].join(" ");
  if (word.startsWith("-")) {
    const known = path.length === 0 ? ["--help", "--version", "--licenses"] : ["--help"];
    const near = word === "-v" && path.length === 0 ? "--version" : closestWord(word, known);
    return new SvcError("USAGE", `${program} has no flag ${word}.`, {
      hint: near === undefined ? "Put flags after the command." : `Did you mean ${near}?`,
    });
  }
  const names = members.filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  const other = path.length === 0 ? OTHER_WORDS.get(word.toLowerCase()) : undefined;
  const isOther = other !== undefined && isOffered(other, names);
  const near = isOther ? other : closestWord(word, names);
  return new SvcError("USAGE", `There is no command "${program} ${word}".`, {
    hint:
      near === undefined
        ? `Run \`${program} --help\` for the list.${path.length === 0 ? searchHint(rest, names) : ""}`
        : `Did you mean \`${program} ${near}\`?`,
  });
}

/** Whether a word of OTHER_WORDS leads to one of these commands, or to a flag of the program. */
function isOffered(other: string, names: readonly string[]): boolean {
  const first = other.split(" ")[0] ?? "";
  return first.startsWith("-") || names.includes(first);
}

/** Words that name no command may be a question. */
function searchHint(words: readonly string[], names: readonly string[]): string {
  if (!names.includes("search")) return "";
  const question = words.filter((word) => !word.startsWith("-")).join(" ");
  return ` To search for it, run \`svc search ${quoted(question)}\`.`;
}
