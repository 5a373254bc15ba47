// The generated pages of docs/, each from the definition that it describes.
import { groupedDigits } from "../../src/base/grouped-digits.ts";
import type { CommandPage } from "../../src/cli/command.ts";
import { argText, EXIT_CODES, flagLabel, flagText, usageOf } from "../../src/cli/help.ts";
import type { SettingDefinition } from "../../src/config/setting-definitions.ts";
import { commandsOf, type DocumentedCommand } from "./commands.ts";
import { codeBlock, markdownPage, markdownTable } from "./markdown.ts";

/** docs/cli.md. */
export function commandsPage(pages: readonly CommandPage[]): string {
  const commands = commandsOf(pages);
  return markdownPage("the command definitions in `src/cli`", [
    "# Commands",
    "Every command takes `--help`, and `-h` for a summary. Flags may be written `--flag value` or `--flag=value`, and `--no-flag` turns a switch off; arguments after `--` are never flags.",
    markdownTable(
      ["command", "what it does"],
      commands.map(({ path, summary }) => [
        `[\`svc ${path.join(" ")}\`](#svc-${path.join("-")})`,
        summary,
      ]),
    ),
    "## Exit codes",
    exitCodes(EXIT_CODES),
    "A reader that closes the pipe early, as `head` does, is not a failure.",
    ...commands.flatMap(commandSections),
  ]);
}

function commandSections({ path, summary, command }: DocumentedCommand): string[] {
  const { description, args, flags, examples, exitCodes: own } = command;
  const flagRows = Object.entries(flags).map(([key, flag]) => [
    `\`${flagLabel(key, flag).trim()}\``,
    flagText(flag),
  ]);
  return [
    `## svc ${path.join(" ")}`,
    summary,
    codeBlock(usageOf(path, command), "text"),
    description ?? "",
    args.length === 0
      ? ""
      : markdownTable(
          ["argument", "meaning"],
          args.map((arg) => [`\`${arg.name.toUpperCase()}\``, argText(arg)]),
        ),
    flagRows.length === 0 ? "" : markdownTable(["flag", "meaning"], flagRows),
    ...examples.flatMap((example) => [example.description, codeBlock(example.run, "sh")]),
    Object.keys(own).length === 0 ? "" : exitCodes(own),
  ];
}

function exitCodes(codes: Readonly<Record<number, string>>): string {
  return markdownTable(["exit code", "meaning"], Object.entries(codes));
}

interface ErrorRow {
  readonly rpc: number;
  readonly http: number;
  readonly exit: number;
  readonly when: string;
  readonly asResult?: true;
}

/** docs/errors.md. */
export function errorsPage(
  errors: Readonly<Record<string, ErrorRow>>,
  messageOf: (rpc: number) => string,
): string {
  const rows = Object.entries(errors).map(([code, { rpc, http, exit, when, asResult }]) => [
    `\`${code}\``,
    `${rpc} ${messageOf(rpc)}`,
    String(http),
    String(exit),
    asResult === true ? `${when} (tool result)` : when,
  ]);
  return markdownPage("`src/base/errors.ts`", [
    "# Errors",
    'Every failure has one code, the same over standard input and output, over HTTP and on the command line. A command with `--json` or `--jsonl` prints it on standard error, as `{"error": {"error_code", "message", "hint", "exit_code"}}`. A JSON-RPC error, and the `error` of a REST answer, has this form:',
    codeBlock(
      JSON.stringify(
        {
          code: -32602,
          message: "Invalid params",
          data: { error_code: "INVALID_QUERY", detail: "What is wrong, and how to fix it." },
        },
        null,
        2,
      ),
      "json",
    ),
    "The models of agents read results; of errors they see only the message. If a tool fails with a code marked _tool result_, `tools/call` returns a result with `isError: true`: its text is the detail, and `structuredContent` has `error_code` and `detail`. The same code is an error if no tool was called: a call without a name, arguments that are not an object, a cursor for `tools/list`. Over standard input and output, a call that is refused for its credential or its rights (401, 403) is such a result too. The interface fixes the other codes as errors ([0055](decisions/0055-errors-a-model-reads.md)).",
    markdownTable(["error_code", "JSON-RPC", "HTTP", "exit", "when"], rows),
  ]);
}

/** docs/settings.md. */
export function settingsPage(settings: Readonly<Record<string, SettingDefinition>>): string {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    setting.description,
    valuesOf(setting),
    defaultOf(setting),
    [...setting.variables, ...(setting.flag === undefined ? [] : [`--${setting.flag}`])]
      .map((place) => `\`${place}\``)
      .join(", "),
    setting.isAllowedInFile ? "yes" : "no",
  ]);
  return markdownPage("`src/config/setting-definitions.ts`", [
    "# Settings",
    "A flag overrides the environment, the environment overrides `config.json`, and `config.json` overrides the default. A variable that is empty, blank or a literal `${...}` counts as unset. `svc config list --origin` shows every setting, its value and its origin.",
    markdownTable(
      ["setting", "what it does", "values", "default", "variable, flag", "in config.json"],
      rows,
    ),
    "## config.json",
    "`svc config set NAME VALUE` and `svc config unset NAME` change the file; you can also edit it:",
    codeBlock(JSON.stringify({ log_level: "debug", audit_query: true }, null, 2), "json"),
    "The file is in `$SERVICE_CONFIG_HOME`, else in `$XDG_CONFIG_HOME/svc` or `~/.config/svc`, on macOS in `~/Library/Preferences/svc`, on Windows in `%APPDATA%\\svc`. `svc config get config_home` prints the folder.",
    "Every command except `svc config` refuses a file that is not JSON, has an unknown key or an invalid value, or could have been written by another user (the rule of ssh: mode 600 or 644, owned by you or by root). `svc config` shows the problem and fixes it. The file never holds secrets.",
    "svc removes secrets from its environment after reading them, so that no process that svc starts has them. On Linux, `/proc/PID/environ` still shows them to the same user and to root. To avoid that, save the token with `svc auth token create --save` and set no variable.",
  ]);
}

function valuesOf({ type, choices = [], min, max }: SettingDefinition): string {
  if (type === "integer") return `${min} to ${max}`;
  const values = type === "switch" ? ["true", "false"] : choices;
  return values.length === 0 ? type : values.map((value) => `\`${value}\``).join(", ");
}

function defaultOf({ default: fallback, unsetText = "" }: SettingDefinition): string {
  return fallback === undefined ? unsetText : `\`${String(fallback)}\``;
}

interface Tool {
  readonly name: string;
  readonly group: string;
  readonly readOnly: boolean;
  readonly descriptor: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
    readonly annotations: Readonly<Record<string, boolean | string>>;
  };
}

/** The descriptors do not repeat these facts, because each word of a descriptor is part of every prompt. */
const COMMON_ARGUMENTS: Readonly<Record<string, string>> = {
  namespace:
    "The namespace to use; by default that of the workspace. `search_context`, `search_text`, `find_symbol`, `find_references` and `analyze_impact` also take several (`a,b`) and all (`*`).",
  path: "A file, a folder or a glob, relative to the root of the source.",
  language: "Only files in this language, such as `typescript` or `go`.",
  limit: "Maximum number of results.",
  max_tokens: "Maximum size of the answer; four characters count as one token.",
  cursor: "The cursor that the page before ended with.",
};

/** docs/tools.md. `choices` is its last section. */
export function toolsPage(tools: readonly Tool[], choices = ""): string {
  return markdownPage("the tool definitions in `src/tools`", [
    "# Tools",
    `The ${tools.length} tools of the MCP server, in the order of \`tools/list\`.`,
    markdownTable(
      ["tool", "group", "changes the index"],
      tools.map(({ name, group, readOnly }) => [
        `[\`${name}\`](#${name})`,
        group,
        readOnly ? "no" : "yes",
      ]),
    ),
    "These arguments mean the same for each tool that has them:",
    markdownTable(
      ["argument", "meaning"],
      Object.entries(COMMON_ARGUMENTS).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    ...tools.flatMap(({ name, descriptor }) => [
      `## ${name}`,
      `**${descriptor.title}.** ${descriptor.description}`,
      argumentTable(descriptor.inputSchema),
      `Annotations: ${annotationList(descriptor.annotations)}.`,
    ]),
    choices,
  ]);
}

function annotationList(annotations: Tool["descriptor"]["annotations"]): string {
  return Object.entries(annotations)
    .map(([name, value]) => `\`${name}: ${value}\``)
    .join(", ");
}

function argumentTable(schema: Readonly<Record<string, unknown>>): string {
  const properties = Object.entries(recordOf(schema["properties"]));
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (properties.length === 0) return "No arguments.";
  const rows = properties.map(([name, value]) => {
    const property = recordOf(value);
    const described = property["description"];
    return [
      `\`${name}\`${required.includes(name) ? " (required)" : ""}`,
      typeOf(property),
      [typeof described === "string" ? described : "", limitsOf(property)]
        .filter((text) => text !== "")
        .join(" "),
    ];
  });
  return markdownTable(["argument", "type", "meaning"], rows);
}

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const { type, items, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeOf(recordOf(one))).join(" or ");
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (type === "array") return `list of ${typeOf(recordOf(items))}`;
  return typeof type === "string" ? type : "any";
}

/** `1 to 50. Default 10.`, `3 to 10,000 characters.` */
function limitsOf(schema: Readonly<Record<string, unknown>>): string {
  const limits = [
    rangeOf(schema["minimum"], schema["maximum"], ""),
    rangeOf(schema["minLength"], schema["maxLength"], " characters"),
    rangeOf(schema["minItems"], schema["maxItems"], " items"),
    schema["default"] === undefined ? "" : `Default ${JSON.stringify(schema["default"])}.`,
  ];
  return limits.filter((text) => text !== "").join(" ");
}

function rangeOf(min: unknown, max: unknown, unit: string): string {
  const lowest = typeof min === "number" ? groupedDigits(min) : undefined;
  const highest = typeof max === "number" ? groupedDigits(max) : undefined;
  if (lowest !== undefined && highest !== undefined) return `${lowest} to ${highest}${unit}.`;
  if (lowest !== undefined) return `${lowest}${unit} or more.`;
  return highest === undefined ? "" : `Up to ${highest}${unit}.`;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
