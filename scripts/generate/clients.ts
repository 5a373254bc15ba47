// docs/clients.md, from the table of clients.
import { ConfigText } from "../../src/clients/config-text.ts";
import type { ClientDefinition, StartFolder } from "../../src/clients/definitions.ts";
import { buildEntry } from "../../src/clients/entry.ts";
import { RULES_FILES } from "../../src/clients/rules-target.ts";
import { installLinks } from "./install-links.ts";
import { codeBlock, markdownPage, markdownTable } from "./markdown.ts";

const ROOTS: Readonly<Record<StartFolder, string>> = {
  workspace: "the open folder",
  variable: "`${workspaceFolder}`",
  elsewhere: "one project, by `--root`",
};

const PLACEHOLDERS: Readonly<Record<StartFolder, string | undefined>> = {
  workspace: undefined,
  variable: "${workspaceFolder}",
  elsewhere: "/home/ann/src/shop",
};

export function clientsPage(clients: readonly ClientDefinition[]): string {
  return markdownPage("`src/clients/definitions.ts`", [
    "# Clients",
    "`svc install CLIENT` adds svc to the configuration file of a client. `svc uninstall CLIENT` removes it. `svc install` without a client lists the clients of this machine. svc changes only its own entry and keeps every other byte of the file. It saves the previous file with the suffix `.svc-backup`. It refuses a broken or read-only file and leaves it as it is.",
    markdownTable(
      ["client", "id", "serves", "with `--project`"],
      clients.map(({ id, name, user, project }) => [
        name,
        `\`${id}\``,
        ROOTS[user.startsIn],
        project === undefined ? "–" : inProject(project.startsIn),
      ]),
    ),
    "`${workspaceFolder}` is the open folder too: the client replaces it in the entry. With `--root`, the entry names the project that svc serves.",
    "`--root DIR` makes any client serve one folder, and `--namespace NS` one namespace. The command of the entry is the absolute path of svc, as you typed it: a link stays a link. When you install svc again, your additions to the entry stay: other keys, and the flags `--root`, `--namespace` and `--read-only`.",
    "[What the models of clients receive](clients-measured.md) of answers and of wrong calls was measured with Claude Code, Codex, Gemini CLI and opencode.",
    "## One click",
    `With svc on your \`PATH\` and a saved token (\`svc auth token create --name laptop --save\`), a link adds it: ${installLinks()
      .map(({ name, web }) => `[${name}](${web})`)
      .join(
        ", ",
      )}. The editor shows the command and asks. The same links without a page of the editor's maker in between:`,
    codeBlock(
      installLinks()
        .map(({ direct }) => direct)
        .join("\n"),
      "text",
    ),
    "## Configuration files",
    "`$CONFIG` is `$XDG_CONFIG_HOME`, else `~/.config`. If a client can use one of two files, svc uses the one that contains svc, else the one that exists; if neither exists, svc creates the first.",
    ...clients.flatMap(({ name, user, project }) => [
      `**${name}**`,
      [
        ...filesOf(user),
        ...(project === undefined ? [] : [`with \`--project\`: ${paths(project.files)}`]),
      ]
        .map((line) => `- ${line}`)
        .join("\n"),
    ]),
    "## Rules for agents",
    "`svc install CLIENT --with-rules` also writes rules that teach the agent which question goes to which tool, where the client reads such a file. Without the flag, svc writes none.",
    markdownTable(
      ["client", "all projects", "with `--project`"],
      clients.flatMap(({ id, name }) => {
        const files = RULES_FILES[id];
        if (files === undefined) return [];
        const cells = [files.user, files.project].map((file) =>
          file === undefined ? "–" : `\`${file.path}\``,
        );
        return [[name, ...cells]];
      }),
    ),
    "In `AGENTS.md` and `GEMINI.md`, svc adds a part between two marks and leaves your text as it is. The other files are svc's own; one that svc did not write is refused. `svc uninstall` removes the part, or the file. If you change the rules, they are yours: svc neither updates nor removes them.",
    "## Entries",
    "`svc install CLIENT --print` prints an entry with the path of this machine. Use it for another MCP client, or if you write the file by other means.",
    ...clients.flatMap((client) => [
      `### ${client.name}`,
      codeBlock(entryText(client).trimEnd(), client.shape.format),
      nextOf(client),
    ]),
    "No entry holds a secret. svc uses the `SERVICE_TOKEN` that the client passes, else the token that `svc auth token create --save` or `svc install` saved on this machine. Codex and Gemini CLI hide `SERVICE_TOKEN` from servers, so their entries pass it on. If the variable is unset, they pass nothing or an empty value, and svc uses the saved token.",
  ]);
}

/** The path of the configuration for all projects, with one line for each difference between systems. */
function filesOf({ linux, mac, windows, moved }: ClientDefinition["user"]): readonly string[] {
  const systems = { Linux: paths(linux), macOS: paths(mac), Windows: paths(windows) };
  const isOne = new Set(Object.values(systems)).size === 1;
  const lines = isOne
    ? [`all projects: ${systems.Linux}`]
    : Object.entries(systems).map(([system, files]) => `all projects, ${system}: ${files}`);
  if (moved === undefined) return lines;
  const { variable, file } = moved;
  return [...lines, `all projects, if \`$${variable}\` is set: \`$${variable}/${file}\``];
}

function paths(files: readonly string[]): string {
  return files.map((file) => `\`${file}\``).join(" or ");
}

/** If a client does not start servers in the project, the project's configuration file contains the project's path. */
function inProject(startsIn: StartFolder): string {
  return startsIn === "elsewhere" ? "the project, by its path" : ROOTS[startsIn];
}

function entryText(client: ClientDefinition): string {
  const options = {
    root: undefined,
    namespace: undefined,
    remote: undefined,
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
