// docs/clients.md, from the table of clients.
import { ConfigText } from "../../src/clients/config-text.ts";
import type { ClientDefinition, StartFolder } from "../../src/clients/definitions.ts";
import { buildEntry } from "../../src/clients/entry.ts";
import { codeBlock, markdownPage, markdownTable } from "./markdown.ts";

const ROOTS: Readonly<Record<StartFolder, string>> = {
  workspace: "the folder that is open",
  variable: "the folder that is open, by `${workspaceFolder}`",
  elsewhere: "one project, named with `--root`",
};

const PLACEHOLDERS: Readonly<Record<StartFolder, string | undefined>> = {
  workspace: undefined,
  variable: "${workspaceFolder}",
  elsewhere: "/home/ann/src/shop",
};

export function clientsPage(clients: readonly ClientDefinition[]): string {
  return markdownPage("`src/clients/definitions.ts`", [
    "# Clients",
    "`svc install CLIENT` puts svc into the configuration of these, `svc uninstall CLIENT` takes it out again, and `svc install` alone tells what is on this machine. Every file keeps all that is not the entry of svc, to the byte; what was there before is kept beside it (`.svc-backup`). A file that is broken or read-only is refused and left alone.",
    markdownTable(
      ["client", "id", "for all projects", "`--project`"],
      clients.map(({ id, name, user, project }) => [
        name,
        `\`${id}\``,
        filesOf(user),
        project === undefined ? "–" : project.files.map(code).join(" or "),
      ]),
    ),
    "`$CONFIG` is `$XDG_CONFIG_HOME`, else `~/.config`. Where a client can use one of two files, the one that holds svc is taken, else the one that is there, else the first is made.",
    "## What is served",
    markdownTable(
      ["client", "for all projects", "`--project`"],
      clients.map(({ name, user, project }) => [
        name,
        ROOTS[user.startsIn],
        project === undefined ? "–" : inProject(project.startsIn),
      ]),
    ),
    "`--root DIR` has any of them serve one folder, `--namespace NS` one namespace. The command is the absolute path of svc, as it was typed: a link stays a link. What an entry has besides stays when it is installed again: keys, and the flags `--root`, `--namespace` and `--read-only` of its arguments.",
    "[What the models of clients receive](clients-measured.md) of answers and of wrong calls was measured with Claude Code, Codex, Gemini CLI and opencode.",
    "## The entries",
    "For another client of MCP, or where a file is made by other means, `svc install CLIENT --print` prints these with the path of this machine.",
    ...clients.flatMap((client) => [
      `### ${client.name}`,
      codeBlock(entryText(client).trimEnd(), client.shape.format),
      nextOf(client),
    ]),
    "No entry holds a secret. svc takes the token that `svc auth token create --save` or `svc install` has kept on this machine, unless the client hands it a `SERVICE_TOKEN`: Codex and Gemini CLI hide that variable from servers, so their entries pass it on; unset, it is passed on as nothing or not at all, and the kept token is used.",
  ]);
}

function filesOf({ linux, mac, windows, moved }: ClientDefinition["user"]): string {
  const [onLinux, onMac, onWindows] = [linux, mac, windows].map((files) =>
    files.map(code).join(" or "),
  );
  const isOne = onLinux === onMac && onMac === onWindows;
  const paths = isOne ? onLinux : `Linux ${onLinux}, macOS ${onMac}, Windows ${onWindows}`;
  return moved === undefined
    ? (paths ?? "")
    : `${paths}; \`$${moved.variable}/${moved.file}\` where that is set`;
}

/** A client whose file lies in the project has the project's own path where it cannot tell it. */
function inProject(startsIn: StartFolder): string {
  return startsIn === "elsewhere" ? "the project, by its path" : ROOTS[startsIn];
}

function entryText(client: ClientDefinition): string {
  const options = {
    root: undefined,
    namespace: undefined,
    defaultRoot: () => PLACEHOLDERS[client.user.startsIn],
  };
  const program = { command: "/home/ann/.local/bin/svc", args: [] };
  return ConfigText.withOnlyEntry(client, buildEntry(client, program, options));
}

function nextOf({ next: { user, project } }: ClientDefinition): string {
  return project === undefined || project === user
    ? user
    : `${user} With \`--project\`: ${project}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
