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
    name: "index",
    heading: "Index",
    summary: "Index a folder, or bring its index up to date.",
    load: () => import("./commands/index-folder.ts"),
  },
  {
    name: "status",
    heading: "Index",
    summary: "Show what is indexed and what was left out.",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "mcp",
    heading: "Serve",
    summary: "Serve an IDE or agent over standard input and output (MCP).",
    load: () => import("./commands/mcp.ts"),
  },
  {
    name: "auth",
    heading: "Access",
    summary: "Manage credentials.",
    commands: [
      {
        name: "token",
        summary: "Manage access tokens.",
        commands: [
          {
            name: "create",
            summary: "Create an access token and print it once.",
            load: () => import("./commands/auth-token-create.ts"),
          },
        ],
      },
    ],
  },
];
