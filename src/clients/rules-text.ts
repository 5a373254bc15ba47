// The rules that `svc install --with-rules` gives an agent: which question goes to which tool. The tools describe
// themselves in tools/list; this is for clients that choose among many servers, or start with grep.

/** One line of YAML, so it has no colon. */
export const RULES_DESCRIPTION =
  "Search this workspace's code and documentation with the svc MCP server, before grep, find or opening files. Finds where something is, how it works, who uses it and what a change breaks.";

export const RULES_TEXT = `## Search with svc

The MCP server svc has an index of this workspace. Ask it before you search or open files in other ways.

| question | tool |
| --- | --- |
| Where or how is something done? What does this error mean? | \`search_context\` |
| Where is this name defined? | \`find_symbol\` |
| Who uses, calls, implements or imports it? | \`find_references\` |
| On which lines is exactly this text or pattern? | \`search_text\` |
| What is in this project, folder or file? | \`outline\` |
| What do these lines, or this definition, say? | \`read_context\` |
| What is similar, or belongs to this code? | \`find_related\` |
| What may a change break, and which tests should run? | \`analyze_impact\` |
| What changed, and why is the code so? | \`list_changes\` |
| Does the index have everything? | \`index_status\`, \`index_source\` |
| Report when something changes later | \`set_monitor\` |

- Ask \`search_context\` in whole sentences. Answers name paths and lines: read those lines, not whole files.
- For "all places", use \`search_text\` or \`find_references\`: \`search_context\` returns the best ones only.
- Before you edit code that others use, ask \`analyze_impact\`.`;
