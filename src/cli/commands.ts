import type { CommandEntry } from "./command.ts";

/** Every command, in the order of the overview. A command's file is loaded only when it is called. */
export const commands: readonly CommandEntry[] = [
  {
    name: "search",
    heading: "Find",
    summary: "Find the code and docs that answer a question.",
    load: () => import("./commands/search.ts"),
  },
  {
    name: "grep",
    heading: "Find",
    summary: "List the lines that match a regular expression.",
    load: () => import("./commands/grep.ts"),
  },
  {
    name: "symbols",
    heading: "Find",
    summary: "Find where a name is defined.",
    load: () => import("./commands/symbols.ts"),
  },
  {
    name: "refs",
    heading: "Find",
    summary: "Show who uses a definition, what it calls, what imports a file.",
    load: () => import("./commands/refs.ts"),
  },
  {
    name: "outline",
    heading: "Find",
    summary: "Show a map of a project, or what is in a file.",
    load: () => import("./commands/outline.ts"),
  },
  {
    name: "changes",
    heading: "Watch",
    summary: "Show what changed, and since when.",
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
    summary: "Manage standing questions about changes.",
    commands: [
      {
        name: "list",
        summary: "List monitors.",
        load: () => import("./commands/monitors-list.ts"),
      },
      {
        name: "add",
        summary: "Make a monitor.",
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
    summary: "Index a folder or repository, or bring its index up to date.",
    load: () => import("./commands/index-folder.ts"),
  },
  {
    name: "status",
    heading: "Index",
    summary: "Show what is indexed and what was left out.",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "namespaces",
    heading: "Index",
    summary: "List and remove what is indexed.",
    commands: [
      {
        name: "list",
        summary: "List namespaces with their sources.",
        load: () => import("./commands/namespaces-list.ts"),
      },
      {
        name: "remove",
        summary: "Delete a namespace and its index for good.",
        load: () => import("./commands/namespaces-remove.ts"),
      },
    ],
  },
  {
    name: "install",
    heading: "Connect",
    summary: "Put svc into the configuration of an editor or agent.",
    load: () => import("./commands/install.ts"),
  },
  {
    name: "uninstall",
    heading: "Connect",
    summary: "Take svc out of the configuration of an editor or agent.",
    load: () => import("./commands/uninstall.ts"),
  },
  {
    name: "mcp",
    heading: "Serve",
    summary: "Serve an IDE or agent over standard input and output (MCP).",
    load: () => import("./commands/mcp.ts"),
  },
  {
    name: "serve",
    heading: "Serve",
    summary: "Serve MCP and the REST search over HTTP.",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "auth",
    heading: "Access",
    summary: "Manage credentials.",
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
            name: "revoke",
            summary: "Revoke an access token.",
            load: () => import("./commands/auth-token-revoke.ts"),
          },
        ],
      },
      {
        name: "store",
        summary: "Look after the store of credentials.",
        commands: [
          {
            name: "status",
            summary: "Show where credentials are kept and whether all is well.",
            load: () => import("./commands/auth-store-status.ts"),
          },
          {
            name: "migrate",
            summary: "Keep the key of the store in another place.",
            load: () => import("./commands/auth-store-migrate.ts"),
          },
          {
            name: "reset-clock",
            summary: "Forget that the clock once stood in the future.",
            load: () => import("./commands/auth-store-reset-clock.ts"),
          },
          {
            name: "accept",
            summary: "Go on with a store or an audit log that you put back or removed yourself.",
            load: () => import("./commands/auth-store-accept.ts"),
          },
        ],
      },
    ],
  },
  {
    name: "audit",
    heading: "Access",
    summary: "Read and verify the log of calls and credentials.",
    commands: [
      {
        name: "verify",
        summary: "Check that no line of the audit log was altered, added or lost.",
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
        summary: "Show every setting, and where it comes from.",
        load: () => import("./commands/config-list.ts"),
      },
      {
        name: "get",
        summary: "Print one setting.",
        load: () => import("./commands/config-get.ts"),
      },
      {
        name: "set",
        summary: "Change a setting for good.",
        load: () => import("./commands/config-set.ts"),
      },
      {
        name: "unset",
        summary: "Go back to a setting's default.",
        load: () => import("./commands/config-unset.ts"),
      },
    ],
  },
  {
    name: "doctor",
    heading: "Settings",
    summary: "Find what is wrong with this installation, and how to mend it.",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "completions",
    heading: "Settings",
    summary: "Print what has your shell complete commands, flags and values.",
    load: () => import("./commands/completions.ts"),
  },
  {
    name: "complete",
    summary: "Say what could stand where the cursor is.",
    hidden: true,
    load: () => import("./commands/complete.ts"),
  },
];
