import type { ArgDefinition, Command, CommandPage, FlagDefinition } from "./command.ts";
import { flagName, rangeText } from "./parse.ts";
import type { Style } from "./print/style.ts";
import { displayWidth, wrapText } from "./print/width.ts";

/** What every command's exit code means; a command adds its own. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: "Done.",
  2: "Wrong use, or a failure.",
  4: "Not authorised.",
  130: "Interrupted.",
};

/** A command by its words after `svc`. */
export type Described = Pick<CommandPage, "path" | "summary"> & {
  readonly command: Pick<Command, "description" | "args" | "flags" | "examples" | "exitCodes">;
};

export interface HelpLayout {
  readonly style: Style;
  readonly columns: number;
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 30;
/** Less room than this beside the names is of no use: texts stand below them. */
const MIN_TEXT_COLUMNS = 20;
const BELOW = " ".repeat(6);

/** The page of `svc search --help`. */
export function commandHelp({ path, summary, command }: Described, paper: HelpLayout): string {
  const { args, flags, examples, exitCodes, description } = command;
  const { style } = paper;
  const width = textWidth(paper);
  const paragraphs = [summary, ...(description?.split(/\n\s*\n/) ?? [])];
  const codes = Object.entries(exitCodes);
  const sections = [
    paragraphs.map((text) => wrapText(text, width).join("\n")).join("\n\n"),
    `${style.bold("Usage")}\n  ${usageOf(path, command)}`,
    section(
      "Arguments",
      args.map((arg) => [arg.name.toUpperCase(), argText(arg)]),
      paper,
    ),
    section("Flags", [...Object.entries(flags).map(flagRow), HELP_ROW], paper),
    examples.length === 0
      ? ""
      : `${style.bold("Examples")}\n${examples
          .map((example) => `  ${style.cyan(example.run)}\n${BELOW}${example.description}`)
          .join("\n")}`,
    section(
      "Exit codes",
      codes.map(([code, meaning]) => [code, meaning]),
      paper,
    ),
  ];
  return joinSections(sections);
}

interface Listed {
  readonly path: readonly string[];
  readonly summary: string;
  readonly heading?: string | undefined;
}

const RUN_HELP = "Run `svc help COMMAND` for one command's flags and examples.";
const VERSION_HELP =
  "`svc --version` says which svc this is, `svc --licenses` what of others it has.";

/** The page of `svc` (an empty path) and of a group such as `svc auth`, its commands by heading. */
export function listHelp(
  group: { readonly path: readonly string[]; readonly about: string },
  listed: readonly Listed[],
  paper: HelpLayout,
): string {
  const { path, about } = group;
  const program = ["svc", ...path].join(" ");
  const headings = [...new Set(listed.map(({ heading }) => heading))];
  const sections = headings.map((heading) => {
    const members = listed.filter((entry) => entry.heading === heading);
    const rows = members.map((entry): Row => [entry.path.join(" "), entry.summary]);
    return section(heading ?? "Commands", rows, paper);
  });
  return joinSections([
    wrapText(about, textWidth(paper)).join("\n"),
    `${paper.style.bold("Usage")}\n  ${program} COMMAND [flags]`,
    ...sections,
    [RUN_HELP, ...(path.length === 0 ? [VERSION_HELP] : [])]
      .flatMap((text) => wrapText(text, textWidth(paper)))
      .join("\n"),
  ]);
}

/** The command line in one line: `svc search QUERY [PATH] [flags]`. */
export function usageOf(
  path: readonly string[],
  { args, flags }: Pick<Command, "args" | "flags">,
): string {
  const required = Object.entries(flags).flatMap(([key, flag]) =>
    flag.type !== "boolean" && flag.required === true ? [longLabel(key, flag)] : [],
  );
  return ["svc", ...path, ...args.map(argLabel), ...required, "[flags]"].join(" ");
}

export function argLabel({ name, required, variadic }: ArgDefinition): string {
  const label = `${name.toUpperCase()}${variadic === true ? "..." : ""}`;
  return required === true ? label : `[${label}]`;
}

/** The description of an argument, with the words that it takes. */
export function argText({ description, choices }: ArgDefinition): string {
  return choices === undefined ? description : `${description} (one of ${choices.join(", ")})`;
}

/** `-n, --limit N`; the short form's place stays open where there is none, so that names align. */
export function flagLabel(key: string, flag: FlagDefinition): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return short + longLabel(key, flag);
}

/** The description with what the definition says about values: range, choices, default. */
export function flagText(flag: FlagDefinition): string {
  const notes = [...limitNotes(flag), ...defaultNotes(flag)];
  return notes.length === 0 ? flag.description : `${flag.description} (${notes.join("; ")})`;
}

type Row = readonly [label: string, text: string];

const HELP_ROW: Row = ["-h, --help", "Show this help."];

function flagRow([key, flag]: readonly [string, FlagDefinition]): Row {
  return [flagLabel(key, flag), flagText(flag)];
}

function longLabel(key: string, flag: FlagDefinition): string {
  // A flag that is on by default is only ever typed to turn it off.
  const isOn = flag.type === "boolean" && flag.default === true;
  const name = `--${isOn ? "no-" : ""}${flagName(key)}`;
  if (flag.type === "boolean") return name;
  return `${name} ${flag.placeholder}${flag.type === "list" ? ",..." : ""}`;
}

function limitNotes(flag: FlagDefinition): string[] {
  if (flag.type === "boolean") return [];
  if (flag.type === "integer") return [rangeText(flag.min, flag.max)].filter((text) => text !== "");
  return flag.choices === undefined ? [] : [`one of ${flag.choices.join(", ")}`];
}

function defaultNotes(flag: FlagDefinition): string[] {
  if (flag.type === "boolean" || flag.default === undefined) return [];
  const text = typeof flag.default === "object" ? flag.default.join(",") : String(flag.default);
  return text === "" ? [] : [`default ${text}`];
}

function section(title: string, rows: readonly Row[], paper: HelpLayout): string {
  if (rows.length === 0) return "";
  const { style } = paper;
  const labelWidth = Math.max(...rows.map(([label]) => displayWidth(label)));
  const indent = labelWidth + 4;
  const textColumns = textWidth(paper) - indent;
  const isSideBySide = textColumns >= MIN_TEXT_COLUMNS;
  const lines = rows.flatMap(([label, text]) => {
    if (!isSideBySide) {
      const below = wrapText(text, textWidth(paper) - BELOW.length);
      return [`  ${style.cyan(label)}`, ...below.map((line) => BELOW + line)];
    }
    const padding = " ".repeat(indent - 2 - displayWidth(label));
    const [first = "", ...rest] = wrapText(text, textColumns);
    return [
      `  ${style.cyan(label)}${padding}${first}`.trimEnd(),
      ...rest.map((line) => " ".repeat(indent) + line),
    ];
  });
  return `${style.bold(title)}\n${lines.join("\n")}`;
}

function joinSections(sections: readonly string[]): string {
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function textWidth({ columns }: HelpLayout): number {
  return Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH));
}
