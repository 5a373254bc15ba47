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
  `\`(${Object.keys(COMMANDS).join("|")})\`(?: \\(or \`svc [a-z]+\`\\))?`,
  "g",
);

/** Returns a hint for someone at a shell: with the commands instead of the tools. */
export function withCommands(hint: string): string {
  return hint.replaceAll(TOOL, (_, tool: string) => `\`svc ${COMMANDS[tool] ?? tool}\``);
}
