import type { CommandEntry } from "./command.ts";

/** All commands, in the order of the overview. A command's file is loaded only when the command runs. */
export const commands: readonly CommandEntry[] = [
  {
    name: "search",
    heading: "Find",
    summary: "Search the index for code and documentation.",
    load: () => import("./commands/search.ts"),
  },
  {
    name: "grep",
    heading: "Find",
    summary: "Print lines that match a regular expression.",
    load: () => import("./commands/grep.ts"),
  },
  {
    name: "symbols",
    heading: "Find",
    summary: "Find definitions by name.",
    load: () => import("./commands/symbols.ts"),
  },
  {
    name: "refs",
    heading: "Find",
    summary: "Find references, callers, callees, implementations and importers.",
    load: () => import("./commands/refs.ts"),
  },
  {
    name: "outline",
    heading: "Find",
    summary: "Show the outline of a project or a file.",
    load: () => import("./commands/outline.ts"),
  },
  {
    name: "read",
    heading: "Find",
    summary: "Print the source of files, lines and definitions.",
    load: () => import("./commands/read.ts"),
  },
  {
    name: "related",
    heading: "Find",
    summary: "Find similar code, tests, documentation and files that change together.",
    load: () => import("./commands/related.ts"),
  },
  {
    name: "impact",
    heading: "Find",
    summary: "Show what a change may break, and the tests to run.",
    load: () => import("./commands/impact.ts"),
  },
  {
    name: "why",
    heading: "Find",
    summary: "Show the commits that explain a line, a definition or a question.",
    load: () => import("./commands/why.ts"),
  },
  {
    name: "changes",
    heading: "Watch",
    summary: "Show changed files and symbols.",
    load: () => import("./commands/changes.ts"),
  },
  {
    name: "watch",
    heading: "Watch",
    summary: "Print changes as they happen.",
    load: () => import("./commands/watch.ts"),
  },
  {
    name: "monitors",
    heading: "Watch",
    summary: "Manage saved queries that report matching changes.",
    commands: [
      {
        name: "list",
        summary: "List monitors.",
        load: () => import("./commands/monitors-list.ts"),
      },
      {
        name: "add",
        summary: "Add a monitor.",
        load: () => import("./commands/monitors-add.ts"),
      },
      {
        name: "remove",
        summary: "Remove a monitor.",
        load: () => import("./commands/monitors-remove.ts"),
      },
    ],
  },
  {
    name: "index",
    heading: "Index",
    summary: "Index a folder or repository, or update its index.",
    load: () => import("./commands/index-folder.ts"),
  },
  {
    name: "export",
    heading: "Index",
    summary: "Write definitions and references as a SCIP index.",
    load: () => import("./commands/export.ts"),
  },
  {
    name: "status",
    heading: "Index",
    summary: "Show indexed namespaces and skipped files.",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "namespaces",
    heading: "Index",
    summary: "List and remove namespaces.",
    commands: [
      {
        name: "list",
        summary: "List namespaces and their sources.",
        load: () => import("./commands/namespaces-list.ts"),
      },
      {
        name: "remove",
        summary: "Permanently delete a namespace and its index.",
        load: () => import("./commands/namespaces-remove.ts"),
      },
    ],
  },
  {
    name: "backend",
    heading: "Index",
    summary: "Verify stored indexes, and copy them to or from a database.",
    commands: [
      {
        name: "check",
        summary: "Verify all stored indexes and report damage.",
        load: () => import("./commands/backend-check.ts"),
      },
      {
        name: "copy",
        summary: "Copy indexes between this machine and a database.",
        load: () => import("./commands/backend-copy.ts"),
      },
    ],
  },
  {
    name: "install",
    heading: "Connect",
    summary: "Add svc to the configuration of an editor or agent.",
    load: () => import("./commands/install.ts"),
  },
  {
    name: "uninstall",
    heading: "Connect",
    summary: "Remove svc from the configuration of an editor or agent.",
    load: () => import("./commands/uninstall.ts"),
  },
  {
    name: "mcp",
    heading: "Serve",
    summary: "Run the MCP server over standard input and output.",
    load: () => import("./commands/mcp.ts"),
  },
  {
    name: "serve",
    heading: "Serve",
    summary: "Run the HTTP server: MCP, REST search and a search page.",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "auth",
    heading: "Access",
    summary: "Manage access tokens, API keys and their store.",
    commands: [
      {
        name: "keys",
        summary: "Manage API keys.",
        commands: [
          {
            name: "create",
            summary: "Create an API key and print it once.",
            load: () => import("./commands/auth-keys-create.ts"),
          },
          {
            name: "list",
            summary: "List API keys.",
            load: () => import("./commands/auth-keys-list.ts"),
          },
          {
            name: "revoke",
            summary: "Revoke an API key.",
            load: () => import("./commands/auth-keys-revoke.ts"),
          },
        ],
      },
      {
        name: "token",
        summary: "Manage access tokens.",
        commands: [
          {
            name: "create",
            summary: "Create an access token and print it once.",
            load: () => import("./commands/auth-token-create.ts"),
          },
          {
            name: "list",
            summary: "List access tokens.",
            load: () => import("./commands/auth-token-list.ts"),
          },
          {
            name: "renew",
            summary: "Extend the lifetime of an access token.",
            load: () => import("./commands/auth-token-renew.ts"),
          },
          {
            name: "revoke",
            summary: "Revoke an access token.",
            load: () => import("./commands/auth-token-revoke.ts"),
          },
        ],
      },
      {
        name: "login",
        summary: "Save an access token of another server.",
        load: () => import("./commands/auth-login.ts"),
      },
      {
        name: "logout",
        summary: "Delete the saved token of another server.",
        load: () => import("./commands/auth-logout.ts"),
      },
      {
        name: "store",
        summary: "Manage the credential store.",
        commands: [
          {
            name: "status",
            summary: "Show the location and state of the credential store.",
            load: () => import("./commands/auth-store-status.ts"),
          },
          {
            name: "migrate",
            summary: "Re-encrypt the credential store with a new key.",
            load: () => import("./commands/auth-store-migrate.ts"),
          },
          {
            name: "reset-clock",
            summary: "Set the clock of the credential store to the system time.",
            load: () => import("./commands/auth-store-reset-clock.ts"),
          },
          {
            name: "accept",
            summary: "Accept a credential store or audit log that you restored or removed.",
            load: () => import("./commands/auth-store-accept.ts"),
          },
        ],
      },
    ],
  },
  {
    name: "audit",
    heading: "Access",
    summary: "Show and verify the audit log.",
    commands: [
      {
        name: "verify",
        summary: "Check the audit log for altered, added or missing lines.",
        load: () => import("./commands/audit-verify.ts"),
      },
      {
        name: "tail",
        summary: "Show the last lines of the audit log.",
        load: () => import("./commands/audit-tail.ts"),
      },
    ],
  },
  {
    name: "config",
    heading: "Settings",
    summary: "Show and change settings.",
    commands: [
      {
        name: "list",
        summary: "List all settings with their values.",
        load: () => import("./commands/config-list.ts"),
      },
      {
        name: "get",
        summary: "Print the value of a setting.",
        load: () => import("./commands/config-get.ts"),
      },
      {
        name: "set",
        summary: "Set a value in config.json.",
        load: () => import("./commands/config-set.ts"),
      },
      {
        name: "unset",
        summary: "Reset a setting to its default.",
        load: () => import("./commands/config-unset.ts"),
      },
    ],
  },
  {
    name: "doctor",
    heading: "Settings",
    summary: "Check this installation and suggest fixes.",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "upgrade",
    heading: "Settings",
    summary: "Replace svc with another release.",
    load: () => import("./commands/upgrade.ts"),
  },
  {
    name: "completions",
    heading: "Settings",
    summary: "Print a shell completion script.",
    load: () => import("./commands/completions.ts"),
  },
  {
    name: "complete",
    summary: "Print completion candidates for a command line.",
    hidden: true,
    load: () => import("./commands/complete.ts"),
  },
];
