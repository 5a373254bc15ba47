// The clients that svc can be installed in. Code, help and docs/clients.md are generated from this table.
// docs/decisions/0031-install.md names the sources of its facts.

export type Platform = "linux" | "mac" | "windows";
export type InstallScope = "user" | "project";

/**
 * The folder in which a client starts its servers: the open folder, a folder of its own (then the entry has to name
 * the project), or any folder, with `${workspaceFolder}` replaced in arguments.
 */
export type StartFolder = "workspace" | "elsewhere" | "variable";

/** `~/…`, `$CONFIG/…` (XDG_CONFIG_HOME) or `%APPDATA%/…`: see client-paths.ts. */
export type PathTemplate = string;

/** The files with a client's user-wide configuration, by platform. */
export interface UserConfigFiles {
  /** The first one is created when none exists; the others are used when they exist. */
  readonly linux: readonly PathTemplate[];
  readonly mac: readonly PathTemplate[];
  readonly windows: readonly PathTemplate[];
  /** Environment variable of the client that names its folder, and the file in that folder. */
  readonly moved?: { readonly variable: string; readonly file: string };
}

/** The format of an entry. */
interface EntryFormat {
  readonly format: "json" | "toml";
  /** The key in the file under which all servers are listed. */
  readonly key: string;
  /** `pair`: `command` and `args`; `list`: both in `command`, as one array. */
  readonly command: "pair" | "list";
  readonly type?: "stdio" | "local";
  /** Further members of a new entry. Those that an existing entry lacks are added to it. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** One client of `svc install`. */
export interface ClientDefinition {
  readonly id: string;
  readonly name: string;
  readonly shape: EntryFormat;
  readonly user: UserConfigFiles & { readonly startsIn: StartFolder };
  /** Paths relative to the root of a project; the first one is created when none exists. */
  readonly project?: { readonly files: readonly string[]; readonly startsIn: StartFolder };
  /** Programs and folders that show that the client is installed, in addition to the folder of its file. */
  readonly markers: { readonly programs: readonly string[]; readonly folders?: readonly string[] };
  /** The user's next step, in one sentence. */
  readonly next: { readonly user: string; readonly project?: string };
}

/** Gemini CLI passes an empty value for an unset variable; svc treats an empty value as unset. */
const PASSED_VARIABLES = { SERVICE_TOKEN: "$SERVICE_TOKEN" };

export const CLIENTS = [
  {
    id: "claude-code",
    name: "Claude Code",
    shape: { format: "json", key: "mcpServers", command: "pair", type: "stdio" },
    user: {
      ...everywhere("~/.claude.json"),
      moved: { variable: "CLAUDE_CONFIG_DIR", file: ".claude.json" },
      startsIn: "workspace",
    },
    project: { files: [".mcp.json"], startsIn: "workspace" },
    markers: { programs: ["claude"], folders: ["~/.claude"] },
    next: {
      user: "Start a new session of Claude Code; /mcp shows the server.",
      project: "Start a new session of Claude Code in the project and approve the server.",
    },
  },
  {
    id: "claude-desktop",
    name: "Claude Desktop",
    shape: { format: "json", key: "mcpServers", command: "pair" },
    user: {
      linux: ["$CONFIG/Claude/claude_desktop_config.json"],
      mac: ["~/Library/Application Support/Claude/claude_desktop_config.json"],
      windows: ["%APPDATA%/Claude/claude_desktop_config.json"],
      startsIn: "elsewhere",
    },
    markers: { programs: ["claude-desktop"] },
    next: { user: "Quit Claude Desktop and start it again." },
  },
  {
    id: "cursor",
    name: "Cursor",
    shape: { format: "json", key: "mcpServers", command: "pair" },
    user: { ...everywhere("~/.cursor/mcp.json"), startsIn: "variable" },
    project: { files: [".cursor/mcp.json"], startsIn: "variable" },
    markers: { programs: ["cursor", "cursor-agent"] },
    next: {
      user: "Switch svc on in Cursor's settings, under MCP, if it is not on already.",
      project: "Open the project in Cursor and switch svc on in its settings, under MCP.",
    },
  },
  {
    id: "vscode",
    name: "VS Code",
    shape: { format: "json", key: "servers", command: "pair", type: "stdio" },
    user: {
      linux: ["$CONFIG/Code/User/mcp.json"],
      mac: ["~/Library/Application Support/Code/User/mcp.json"],
      windows: ["%APPDATA%/Code/User/mcp.json"],
      startsIn: "elsewhere",
    },
    project: { files: [".vscode/mcp.json"], startsIn: "variable" },
    markers: { programs: ["code"] },
    next: {
      user: "Run `MCP: List Servers` in VS Code, start svc and trust it. It serves this one folder: use --project for one file per project.",
      project: "Open the project in VS Code, run `MCP: List Servers`, start svc and trust it.",
    },
  },
  {
    id: "windsurf",
    name: "Windsurf",
    shape: { format: "json", key: "mcpServers", command: "pair" },
    user: { ...everywhere("~/.codeium/windsurf/mcp_config.json"), startsIn: "elsewhere" },
    markers: { programs: ["windsurf"] },
    next: { user: "Press refresh in Windsurf's MCP settings, or restart Windsurf." },
  },
  {
    id: "zed",
    name: "Zed",
    shape: { format: "json", key: "context_servers", command: "pair" },
    user: {
      linux: ["$CONFIG/zed/settings.json"],
      mac: ["~/.config/zed/settings.json"],
      windows: ["%APPDATA%/Zed/settings.json"],
      startsIn: "workspace",
    },
    project: { files: [".zed/settings.json"], startsIn: "workspace" },
    markers: { programs: ["zed", "zeditor"] },
    next: {
      user: "Zed starts it at once; its agent settings show a green dot.",
      project: "Open the project in Zed and trust it; the agent settings show a green dot.",
    },
  },
  {
    id: "codex",
    name: "Codex",
    shape: {
      format: "toml",
      key: "mcp_servers",
      command: "pair",
      // Codex does not pass the variables of its shell to servers.
      more: { env_vars: ["SERVICE_TOKEN"] },
    },
    user: {
      ...everywhere("~/.codex/config.toml"),
      moved: { variable: "CODEX_HOME", file: "config.toml" },
      startsIn: "workspace",
    },
    project: { files: [".codex/config.toml"], startsIn: "workspace" },
    markers: { programs: ["codex"] },
    next: {
      user: "Start a new session of Codex; /mcp shows the server.",
      project: "Start a new session of Codex in the project and trust the project.",
    },
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    // Gemini CLI does not pass variables to servers whose names look like secrets.
    shape: { format: "json", key: "mcpServers", command: "pair", more: { env: PASSED_VARIABLES } },
    user: {
      ...everywhere("~/.gemini/settings.json"),
      moved: { variable: "GEMINI_CLI_HOME", file: ".gemini/settings.json" },
      startsIn: "workspace",
    },
    project: { files: [".gemini/settings.json"], startsIn: "workspace" },
    markers: { programs: ["gemini"] },
    next: {
      user: "Start a new session of Gemini CLI in a trusted folder; /mcp shows the server.",
      project: "Start a new session of Gemini CLI in the project and trust the project.",
    },
  },
  {
    id: "jetbrains",
    name: "JetBrains (Junie)",
    shape: { format: "json", key: "mcpServers", command: "pair" },
    user: { ...everywhere("~/.junie/mcp/mcp.json"), startsIn: "elsewhere" },
    project: { files: [".junie/mcp/mcp.json"], startsIn: "elsewhere" },
    markers: { programs: ["junie"], folders: ["~/.junie"] },
    next: {
      user: "Switch svc on in the IDE, under Tools, Junie, MCP Settings. For AI Assistant, paste what --print shows under Tools, AI Assistant, MCP.",
      project: "Switch svc on in the IDE, under Tools, Junie, MCP Settings.",
    },
  },
  {
    id: "opencode",
    name: "opencode",
    shape: {
      format: "json",
      key: "mcp",
      command: "list",
      type: "local",
      more: { enabled: true },
    },
    user: {
      ...everywhere("$CONFIG/opencode/opencode.json", "$CONFIG/opencode/opencode.jsonc"),
      startsIn: "workspace",
    },
    project: { files: ["opencode.json", "opencode.jsonc"], startsIn: "workspace" },
    markers: { programs: ["opencode"] },
    next: { user: "Start opencode again.", project: "Start opencode again in the project." },
  },
] as const satisfies readonly ClientDefinition[];

function everywhere(...files: readonly PathTemplate[]): UserConfigFiles {
  return { linux: files, mac: files, windows: files };
}
