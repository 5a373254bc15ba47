import type { ArgDefinition, FlagDefinition } from "./flag-definition.ts";
import type { Command, CommandPage } from "./command.ts";
import { flagName, rangeText } from "./parse.ts";
import type { Style } from "./print/style.ts";
import { displayWidth, wrapText } from "./print/width.ts";

/** Exit codes that all commands share; a command may add its own. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: "Success.",
  2: "Usage error or failure.",
  4: "Not authorised.",
  130: "Interrupted.",
};

/** A command with its path, the words after `svc`. */
export type Described = Pick<CommandPage, "path" | "summary"> & {
  readonly command: Pick<Command, "description" | "args" | "flags" | "examples" | "exitCodes">;
};

export interface HelpLayout {
  readonly style: Style;
  readonly columns: number;
}

/** Maximum line width in cells, on any terminal: longer lines are hard to read. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 30;
/** With fewer cells next to the labels, texts go below them. */
const MIN_TEXT_COLUMNS = 20;
const BELOW = " ".repeat(6);

/** The page of `svc search --help`. */
export function commandHelp({ path, summary, command }: Described, layout: HelpLayout): string {
  const { args, flags, examples, exitCodes, description } = command;
  const { style } = layout;
  const width = textWidth(layout);
  const paragraphs = [summary, ...(description?.split(/\n\s*\n/) ?? [])];
  const codes = Object.entries(exitCodes);
  const sections = [
    paragraphs.map((text) => wrapText(text, width).join("\n")).join("\n\n"),
    `${style.bold("Usage")}\n  ${usageOf(path, command)}`,
    section("Arguments", args.map(argRow), layout),
    section("Flags", [...Object.entries(flags).map(flagRow), HELP_ROW], layout),
    examples.length === 0
      ? ""
      : `${style.bold("Examples")}\n${examples
          .map((example) => `  ${style.cyan(example.run)}\n${BELOW}${example.description}`)
          .join("\n")}`,
    section(
      "Exit codes",
      codes.map(([code, meaning]) => [code, meaning]),
      layout,
    ),
  ];
  return joinSections(sections);
}

interface Listed {
  readonly path: readonly string[];
  readonly summary: string;
  readonly heading?: string | undefined;
}

const RUN_HELP = "Run `svc help COMMAND` for the flags and examples of a command.";
const START_HELP = "Run `svc` alone in a project to see what to do next.";
const VERSION_HELP =
  "`svc --version` prints the version; `svc --licenses` prints third-party licences.";

/** The page of `svc` (an empty path) or of a group such as `svc auth`: its commands by heading. */
export function listHelp(
  group: { readonly path: readonly string[]; readonly about: string },
  listed: readonly Listed[],
  layout: HelpLayout,
): string {
  const { path, about } = group;
  const program = ["svc", ...path].join(" ");
  const headings = [...new Set(listed.map(({ heading }) => heading))];
  const sections = headings.map((heading) => {
    const members = listed.filter((entry) => entry.heading === heading);
    const rows = members.map((entry): Row => [entry.path.join(" "), entry.summary]);
    return section(heading ?? "Commands", rows, layout);
  });
  return joinSections([
    wrapText(about, textWidth(layout)).join("\n"),
    `${layout.style.bold("Usage")}\n  ${program} COMMAND [flags]`,
    ...sections,
    [
      ...(path.length === 0 ? [START_HELP] : []),
      RUN_HELP,
      ...(path.length === 0 ? [VERSION_HELP] : []),
    ]
      .flatMap((text) => wrapText(text, textWidth(layout)))
      .join("\n"),
  ]);
}

/** The page of `svc search -h`: the usage, and the first sentence about each argument and flag. */
export function briefHelp({ path, summary, command }: Described, layout: HelpLayout): string {
  const { args, flags } = command;
  const flagRows = Object.entries(flags).map(([key, flag]) => flagRow([key, shortened(flag)]));
  const more = `\`svc ${path.join(" ")} --help\` shows all details, with examples.`;
  return joinSections([
    wrapText(summary, textWidth(layout)).join("\n"),
    `${layout.style.bold("Usage")}\n  ${usageOf(path, command)}`,
    section(
      "Arguments",
      args.map((arg) => argRow(shortened(arg))),
      layout,
    ),
    section("Flags", [...flagRows, HELP_ROW], layout),
    wrapText(more, textWidth(layout)).join("\n"),
  ]);
}

/** The usage line: `svc search QUERY [PATH] [flags]`. */
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

/** The description of an argument, with its allowed values. */
export function argText({ description, choices }: ArgDefinition): string {
  return choices === undefined
    ? description
    : withNotes(description, [`one of ${choices.join(", ")}`]);
}

/** `-n, --limit N`; spaces replace a missing short form, so that names align. */
export function flagLabel(key: string, flag: FlagDefinition): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return short + longLabel(key, flag);
}

/** The description of a flag, with the range, choices and default of its values. */
export function flagText(flag: FlagDefinition): string {
  return withNotes(flag.description, [...limitNotes(flag), ...defaultNotes(flag)]);
}

/** `Maximum number of changes (from 1 to 200; default 50).` */
function withNotes(description: string, notes: readonly string[]): string {
  if (notes.length === 0) return description;
  const [, text = "", period = ""] = /^(.*?)(\.?)$/s.exec(description) ?? [];
  return `${text} (${notes.join("; ")})${period}`;
}

type Row = readonly [label: string, text: string];

const HELP_ROW: Row = ["-h, --help", "Show help; -h shows a summary."];

function argRow(arg: ArgDefinition): Row {
  return [arg.name.toUpperCase(), argText(arg)];
}

function shortened<Item extends { readonly description: string }>(item: Item): Item {
  return { ...item, description: firstSentence(item.description) };
}

/** `Index only these files.` of a text that continues with another sentence. */
function firstSentence(text: string): string {
  return /^.*?\.(?= [A-Z`])/s.exec(text)?.[0] ?? text;
}

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

function section(title: string, rows: readonly Row[], layout: HelpLayout): string {
  if (rows.length === 0) return "";
  const { style } = layout;
  const labelWidth = Math.max(...rows.map(([label]) => displayWidth(label)));
  const indent = labelWidth + 4;
  const textColumns = textWidth(layout) - indent;
  const isSideBySide = textColumns >= MIN_TEXT_COLUMNS;
  const lines = rows.flatMap(([label, text]) => {
    if (!isSideBySide) {
      const below = wrapText(text, textWidth(layout) - BELOW.length);
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
