// Manual pages in the man(7) macros, which both groff and mandoc read.
import type { FlagDefinition } from "../../src/cli/flag-definition.ts";
import type { Command, CommandPage } from "../../src/cli/command.ts";
import { argLabel, argText, EXIT_CODES, flagText } from "../../src/cli/help.ts";
import { flagName } from "../../src/cli/parse.ts";
import { wrapText } from "../../src/cli/print/width.ts";
import { commandsOf, type DocumentedCommand } from "./commands.ts";

export interface Edition {
  readonly version: string;
  /** A description of the program, in one sentence. */
  readonly about: string;
}

/** File name below man/ and text of each page: `svc.1`, and one for each command. */
export function manPages(pages: readonly CommandPage[], edition: Edition): Map<string, string> {
  const commands = commandsOf(pages);
  return new Map([
    ["svc.1", programPage(commands, edition)],
    ...commands.map((command): [string, string] => [
      `${manName(command.path)}.1`,
      commandPage(command, edition, relatedTo(command, commands)),
    ]),
  ]);
}

function manName(path: readonly string[]): string {
  return ["svc", ...path].join("-");
}

function programPage(commands: readonly DocumentedCommand[], { version, about }: Edition): string {
  const headings = [...new Set(commands.map(({ heading }) => heading ?? "Commands"))];
  return manual([
    title("svc", version),
    `.SH NAME\n${prose(`svc - ${lowerFirst(withoutStop(about))}`)}`,
    ".SH SYNOPSIS\n.B svc\n.I command\n.RI [ flags ]\n.br\n.B svc help\n.I command\n.br\n.B svc\n.RB [ \\-\\-help | \\-\\-version | \\-\\-licenses ]",
    `.SH DESCRIPTION\n${prose(about)}\n.PP\n${prose(ALONE)}`,
    ".SH COMMANDS",
    ...headings.map((heading) => {
      const members = commands.filter((command) => (command.heading ?? "Commands") === heading);
      const items = members.map(({ path, summary }) =>
        item(`.BR ${escape(manName(path))} (1)`, prose(summary)),
      );
      // No blank lines between the commands: the list is long.
      return `.SS ${escape(heading)}\n.PD 0\n${items.join("\n")}\n.PD`;
    }),
    exitStatus(EXIT_CODES),
    environment(),
    section("FILES", FILES),
    `.SH EXAMPLES\n${examplesOf(EXAMPLES)}`,
    `.SH SEE ALSO\n${references(["git", "grep", "man"])}`,
  ]);
}

function commandPage(
  { path, summary, command }: DocumentedCommand,
  { version }: Edition,
  related: readonly string[],
): string {
  const { description, args, flags, examples, exitCodes } = command;
  const paragraphs = [summary, ...(description?.split(/\n\s*\n/) ?? [])];
  const flagItems = Object.entries(flags).map(([key, flag]) =>
    item(`.B ${flagSyntax(key, flag)}`, prose(flagText(flag))),
  );
  return manual([
    title(manName(path), version),
    `.SH NAME\n${prose(`${manName(path)} - ${lowerFirst(withoutStop(summary))}`)}`,
    `.SH SYNOPSIS\n.B ${escape(["svc", ...path].join(" "))}\n${synopsis(command)}`,
    `.SH DESCRIPTION\n${paragraphs.map(prose).join("\n.PP\n")}`,
    args.length === 0
      ? ""
      : `.SH ARGUMENTS\n${args
          .map((arg) => item(`.I ${escape(arg.name.toUpperCase())}`, prose(argText(arg))))
          .join("\n")}`,
    `.SH OPTIONS\n${[...flagItems, item(".B \\-h\\fR, \\fB\\-\\-help", "Show help; -h shows a summary.")].join("\n")}`,
    examples.length === 0 ? "" : `.SH EXAMPLES\n${examplesOf(examples)}`,
    exitStatus({ ...EXIT_CODES, ...exitCodes }),
    `.SH SEE ALSO\n${references(["svc", ...related.filter((name) => name !== manName(path))])}`,
  ]);
}

function synopsis({ args, flags }: Pick<Command, "args" | "flags">): string {
  const required = Object.entries(flags).flatMap(([key, flag]) =>
    flag.type !== "boolean" && flag.required === true ? [`.B ${flagSyntax(key, flag)}`] : [],
  );
  const words = args.map((arg) => `.I ${escape(argLabel(arg))}`);
  return [...words, ...required, ".RI [ flags ]"].join("\n");
}

/** `\fB-n\fR, \fB--limit\fR \fIN\fR`, for use after `.B`. */
function flagSyntax(key: string, flag: FlagDefinition): string {
  const short = flag.short === undefined ? "" : `\\-${flag.short}\\fR, \\fB`;
  const isOn = flag.type === "boolean" && flag.default === true;
  const long = escape(`--${isOn ? "no-" : ""}${flagName(key)}`);
  if (flag.type === "boolean") return short + long;
  return `${short}${long} \\fI${escape(flag.placeholder)}${flag.type === "list" ? ",..." : ""}\\fR`;
}

function exitStatus(codes: Readonly<Record<number, string>>): string {
  const items = Object.entries(codes).map(([code, text]) => item(`.B ${code}`, prose(text)));
  return `.SH EXIT STATUS\n${items.join("\n")}`;
}

/** The commands of the same heading. */
function relatedTo(
  { heading }: DocumentedCommand,
  commands: readonly DocumentedCommand[],
): readonly string[] {
  return commands.filter((one) => one.heading === heading).map(({ path }) => manName(path));
}

function references(names: readonly string[]): string {
  return names
    .map((name, at) => `.BR ${escape(name)} (1)${at === names.length - 1 ? "" : ","}`)
    .join("\n");
}

function examplesOf(examples: Command["examples"]): string {
  return examples
    .map(
      ({ run, description }) => `${prose(description)}\n.PP\n.RS 4\n.nf\n${escape(run)}\n.fi\n.RE`,
    )
    .join("\n.PP\n");
}

function section(name: string, items: Readonly<Record<string, string>>): string {
  const rows = Object.entries(items).map(([label, text]) =>
    item(`.I ${escape(label)}`, prose(text)),
  );
  return `.SH ${name}\n${rows.join("\n")}`;
}

const ALONE =
  "Without a command, svc shows the state of the current folder and what to do next. Every command has a page: man svc-search, or svc help search. Commands that print data take --json.";

const FILES: Readonly<Record<string, string>> = {
  "$XDG_DATA_HOME/svc, ~/.local/share/svc":
    "Indexes, clones, the credential store and the audit log; SERVICE_HOME sets another folder.",
  "$XDG_CONFIG_HOME/svc, ~/.config/svc":
    "The settings, config.json, and the key of the credential store if there is no keychain; SERVICE_CONFIG_HOME sets another folder.",
  ".svcignore":
    "Files that svc does not index, in a folder of a project, in the syntax of .gitignore.",
  ".ignore":
    "The same, as ripgrep reads it: it comes after .svcignore, and ! also includes what .gitignore excludes.",
  ".svc.toml":
    "Settings of a project, in its root: namespace, include, exclude, languages and documents narrow its index.",
};

const EXAMPLES: Command["examples"] = [
  {
    run: 'svc search "where is an expired token refused"',
    description: "Search the project around the working directory; the first search indexes it:",
  },
  { run: "svc install cursor", description: "Connect an editor:" },
  { run: 'eval "$(svc completions bash)"', description: "Complete commands and flags in bash:" },
];

const VARIABLES: Readonly<Record<string, string>> = {
  SERVICE_HOME: "Folder of the indexes, the credential store and the audit log.",
  SERVICE_CONFIG_HOME: "Folder of the settings and of the key of the credential store.",
  SERVICE_NAMESPACE: "Default namespace.",
  SERVICE_TOKEN: "Access token of svc mcp.",
  SERVICE_PASSPHRASE: "Passphrase of the credential store, if it has one.",
  SERVICE_BACKEND: "PostgreSQL database of a team; the default is files of this machine.",
  SERVICE_REMOTE: "Server that answers the calls of svc mcp; the default is this machine.",
  SERVICE_EMBEDDINGS:
    "Folder of a model2vec model to use instead of the built-in word vectors. Set it for every program that uses the same data: another model rebuilds the vectors of an index.",
  SERVICE_LOG_LEVEL: "Log level on standard error: info, debug or warn.",
  SERVICE_DEBUG: "true logs everything, including the causes of failures.",
  SERVICE_HYPERLINKS: "When to print paths as links on a terminal: auto, always or never.",
  "SVC_PAGER, PAGER": "Pager for output longer than the window; cat for none.",
  NO_PAGER: "1 turns the pager off.",
  "VISUAL, EDITOR": "Editor that svc search -i opens.",
  NO_COLOR: "Any value turns colours off.",
  FORCE_COLOR: "Turns colours on, even if output is not a terminal; 0 turns them off.",
  CLICOLOR_FORCE: "Turns colours on, even if output is not a terminal, unless it is 0.",
  CLICOLOR: "0 turns colours off.",
};

const SETTINGS =
  "These are the most important variables; svc config list shows every setting. An empty variable counts as unset.";

function environment(): string {
  const items = Object.entries(VARIABLES).map(([name, text]) => item(`.B ${name}`, prose(text)));
  return `.SH ENVIRONMENT\n${prose(SETTINGS)}\n${items.join("\n")}`;
}

/**
 * The date of the last review of the pages, not the current day: a page that changes daily could not be checked for
 * freshness.
 */
const REVISED = "2026-11-30";

function title(name: string, version: string): string {
  return `.TH ${escape(name.toUpperCase())} 1 "${REVISED}" "svc ${version}" "svc manual"`;
}

function item(label: string, text: string): string {
  return `.TP\n${label}\n${text}`;
}

function manual(sections: readonly string[]): string {
  const source = '.\\" Generated by `npm run gen` from the command definitions in src/cli.';
  return `${[source, ...sections].filter((text) => text !== "").join("\n")}\n`;
}

/** Characters that groff would replace (groff_char(7)); copied text must stay the same. */
const GLYPHS: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

/** Running text, in lines short enough for readers of the source. */
function prose(text: string): string {
  return escape(text)
    .split("\n")
    .flatMap((line) => wrapText(line, 78))
    .map((line) => line.replace(/^(?=\.)/, "\\&"))
    .join("\n");
}

/** Text as roff: its own characters as glyphs, and no line that would be taken for a macro. */
function escape(text: string): string {
  return text
    .replace(/[\\\-'`^~]/g, (character) => GLYPHS[character] ?? character)
    .replace(/^(?=\.)/gm, "\\&");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}
