/** The command that does the same at a shell as each tool of the MCP server. */
const COMMANDS: Readonly<Record<string, string>> = {
  search_context: "search",
  search_text: "grep",
  find_symbol: "symbols",
  find_references: "refs",
  outline: "outline",
  read_context: "read",
  find_related: "related",
  analyze_impact: "impact",
  list_changes: "changes",
  set_monitor: "monitors add",
  index_source: "index",
  index_status: "status",
};

/** A tool in a hint, and the command that some hints name next to it. */
const TOOL = new RegExp(
  `\`(${Object.keys(COMMANDS).join("|")})\`(?: \\(or (\`svc [^\`]+\`)\\))?`,
  "g",
);

/** Parts of hints for tools, with what is true at a shell. */
const AT_SHELL: ReadonlyMap<string, string> = new Map([
  ["omit `regex`, or use -F in a shell", "use -F"],
  ["relation `references` lists them", "`-r references` lists them"],
  ["Paths are relative to the source root, with `/`; ", "Paths are relative to this folder; "],
]);

/** Returns a message or a hint for someone at a shell: with the commands instead of the tools. */
export function withCommands(text: string): string {
  let shown = text;
  for (const [part, replacement] of AT_SHELL) shown = shown.replace(part, replacement);
  return shown.replaceAll(
    TOOL,
    (_, tool: string, command?: string) => command ?? `\`svc ${COMMANDS[tool] ?? tool}\``,
  );
}

/** The argument of a tool that a message is about: `since: "x" is not a commit.` */
const ARGUMENT = /^([a-z]+(?:_[a-z]+)*): /;

/** Returns a message about an argument of a tool with the name that the command has for it: `--since: …`. */
export function withFlag(message: string, command: NamesOfCommand): string {
  return message.replace(ARGUMENT, (whole: string, name: string) => {
    const flag = name.replaceAll("_", "-");
    if (command.flags.has(flag)) return `--${flag}: `;
    return command.args.has(name) ? `${name.toUpperCase()}: ` : whole;
  });
}

/** The names of the flags, without dashes, and of the arguments of a command. */
export interface NamesOfCommand {
  readonly flags: ReadonlySet<string>;
  readonly args: ReadonlySet<string>;
}
