import type { App } from "../../app.ts";
import { mainEntry } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import { CLIENTS } from "../../clients/definitions.ts";
import { ConfigText } from "../../clients/config-text.ts";
import { buildEntry, type ProgramCommand, type ServerEntryOptions } from "../../clients/entry.ts";
import { requireClient } from "../../clients/find-client.ts";
import { findInstalled } from "../../clients/find-installed.ts";
import { install, type InstallResult } from "../../clients/install.ts";
import { installRules } from "../../clients/rules.ts";
import { requireRulesTarget, type RulesTarget } from "../../clients/rules-target.ts";
import { programCommand } from "../../clients/program-command.ts";
import type { ConfigTarget } from "../../clients/config-target.ts";
import { parseServerAddress } from "../../remote/server-address.ts";
import { requireNamespaceName } from "../../sources/namespace.ts";
import {
  clientLock,
  clientMachine,
  findWorkspace,
  PROJECT_FLAG,
  ROOT_FLAG,
  targetOf,
  entryOptionsFor,
} from "../client-flags.ts";
import { defineCommand, JSON_FLAG, type CommandContext } from "../command.ts";
import { offerChoice } from "../index-offer.ts";
import { ensureDefaultToken, type EnsuredToken } from "../default-token.ts";
import type { Io } from "../io.ts";
import { clientsJson, clientTable } from "../print/clients.ts";
import { reportRules, rulesJson } from "../print/rules.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { describeToken, tokenInUse } from "../token-in-use.ts";

const CLIENT_IDS = CLIENTS.map(({ id }) => id);

export const command = defineCommand({
  description: `Adds svc to the MCP servers of a client, which then starts svc itself. Changes nothing else in the file, and saves the previous file next to it with the suffix .svc-backup. Updates an existing entry and keeps your additions to it. Clients: ${CLIENT_IDS.join(", ")}. docs/clients.md lists their files.\n\nThe entry holds no secret: svc uses the token saved on this machine, creates one if there is none, and renews one that has expired. Without CLIENT, lists the clients on this machine and whether they have svc.`,
  args: [
    {
      name: "client",
      suggests: CLIENT_IDS,
      description: "Client to configure; without it, all clients are listed.",
    },
  ],
  flags: {
    project: PROJECT_FLAG,
    root: {
      ...ROOT_FLAG,
      description:
        "Folder to serve (default: the folder that is open in the client, or the project around the working directory if the client starts servers elsewhere).",
    },
    namespace: { type: "string", placeholder: "NS", description: "Serve this namespace." },
    remote: {
      type: "string",
      placeholder: "URL",
      description: "Answer from this server of your team; run `svc auth login URL` first.",
    },
    fromRemote: {
      type: "string",
      placeholder: "URL",
      description:
        "Answer from this machine, and start its index from that of this server; run `svc auth login URL` first.",
    },
    withRules: {
      type: "boolean",
      description:
        "Also write rules that tell the agent when to use which tool, if the client reads such a file. Your own text stays, and `svc uninstall` removes only these rules.",
    },
    print: {
      type: "boolean",
      description: "Print the entry without writing it.",
    },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc install",
      description: "List clients on this machine, and which of them have svc.",
    },
    { run: "svc install cursor", description: "Add svc to Cursor, for all projects." },
    {
      run: "svc install vscode --project",
      description: "Add svc to .vscode/mcp.json of this project.",
    },
    {
      run: "svc install claude-desktop --root ~/src/project",
      description: "Serve this project to a client without projects.",
    },
    {
      run: "svc install claude-code --remote https://svc.example.org",
      description: "Answer from the server of a team.",
    },
  ],
  async run({ args, flags }, context) {
    const { app, io } = context;
    const { project, root, namespace } = flags;
    const remote = flags.remote && parseServerAddress(flags.remote).name;
    const fromRemote = offerChoice({ ...flags, remoteNamespace: undefined }, remote)?.server;
    if (args.client === undefined) {
      if (
        project ||
        flags.print ||
        flags.withRules ||
        [root, namespace, remote, fromRemote].some((one) => one !== undefined)
      ) {
        throw new SvcError("USAGE", "Without CLIENT, only --json is allowed.", {
          hint: `Name a client: ${CLIENT_IDS.join(", ")}.`,
        });
      }
      const found = findInstalled(clientMachine(app), await findWorkspace(app));
      if (flags.json) printJson(io, clientsJson(found));
      else io.out(safeText(clientTable(found)));
      return;
    }
    if (flags.print && flags.withRules) {
      throw new SvcError("USAGE", "--print shows only the entry, so --with-rules has no effect.", {
        hint: "Omit one of them.",
      });
    }
    if (namespace !== undefined) requireNamespaceName(namespace);
    const target = await targetOf(app, requireClient(args.client), { project, root });
    const server = await entryOptionsFor(app, target, { root, namespace, remote, fromRemote });
    const program = programOf(app);
    const rules = flags.withRules ? requireRulesTarget(target, clientMachine(app)) : undefined;
    const installation = { target, server, program, rules, asJson: flags.json };
    if (flags.print) printEntry(context, installation);
    else await installInto(context, installation);
  },
});

interface Installation {
  readonly target: ConfigTarget;
  readonly server: ServerEntryOptions;
  readonly program: ProgramCommand;
  readonly rules: RulesTarget | undefined;
  readonly asJson: boolean;
}

function programOf({ settings }: App): ProgramCommand {
  return programCommand(mainEntry(), {
    typed: process.argv0,
    searchPath: settings.clientVariables["PATH"],
    workingDirectory: process.cwd(),
  });
}

function printEntry(
  { io }: CommandContext,
  { target: { client, scope, path }, server, program, asJson }: Installation,
): void {
  const entry = buildEntry(client, program, server);
  if (asJson) printJson(io, { client: client.id, scope, file: path, entry });
  else io.out(ConfigText.withOnlyEntry(client, entry));
}

async function installInto(
  { app, io }: CommandContext,
  { target, server, program, rules, asJson }: Installation,
): Promise<void> {
  const { client, scope, path } = target;
  let ensured: EnsuredToken | undefined;
  const result = await install({
    target,
    program,
    server,
    lockFile: clientLock(app),
    async prepare() {
      if (server.remote === undefined) ensured = await ensureDefaultToken(app, io, "svc install");
      const from = server.remote ?? server.fromRemote;
      if (from !== undefined) await warnWithoutToken(app, io, from);
    },
  });
  const written = rules && installRules(rules);
  // The client does not get the SERVICE_TOKEN of this shell.
  const token = server.remote === undefined ? await tokenInUse(app, undefined) : null;
  const next = client.next[scope] ?? client.next.user;
  if (asJson) {
    const { state, entry, changed, unmanaged, backup = null } = result;
    const location = { client: client.id, scope, file: path };
    const made = { backup, token_id: ensured?.record.id ?? null, token };
    const more = written === undefined ? {} : { rules: rulesJson(written) };
    printJson(io, { ...location, state, entry, changed, kept: unmanaged, ...made, ...more, next });
    return;
  }
  reportResult(io, target, result);
  if (written !== undefined) reportRules(io, written);
  if (ensured !== undefined) reportToken(io, ensured);
  if (token !== null) io.err(safeText(`svc: ${describeToken(token)}\n`));
  if (result.state === "unchanged") return;
  io.out(`${next}\n`);
  warnAboutVariables(io, app, client.name);
}

function reportResult(
  io: Io,
  { client, path }: ConfigTarget,
  { state, entry = {}, changed, unmanaged, backup }: InstallResult,
): void {
  const head =
    state === "unchanged"
      ? `${client.name} already has svc`
      : state === "added"
        ? `Added svc to ${client.name}`
        : `Changed ${changed.join(" and ")} of svc in ${client.name}`;
  io.out(safeText(`${head}: ${path}\n\n${ConfigText.withOnlyEntry(client, entry)}\n`));
  if (unmanaged.length > 0) io.out(safeText(`Kept your additions: ${unmanaged.join(", ")}.\n`));
  if (backup !== undefined) io.err(safeText(`svc: the previous file is saved as ${backup}.\n`));
}

function reportToken(io: Io, { record: { id, name }, change }: EnsuredToken): void {
  const saved = change === "created" ? " and saved it for this machine" : "";
  io.err(`svc: ${change} token ${id} "${name}"${saved}.\n`);
}

async function warnWithoutToken(app: App, io: Io, server: string): Promise<void> {
  const saved = app.savedTokenOf(server);
  try {
    if ((await saved.read()) !== undefined) return;
  } finally {
    await saved.close();
  }
  io.err(`svc: no token for ${server} is saved yet: run \`svc auth login ${server}\`.\n`);
}

/** The client starts svc with its own variables: without one of this shell's, svc uses another directory there. */
function warnAboutVariables(io: Io, { settings }: App, client: string): void {
  const directorySettings = settings.resolution.settings.filter(
    ({ name, origin }) => (name === "home" || name === "config_home") && origin === "environment",
  );
  for (const { source } of directorySettings) {
    io.err(
      `svc: ${source} is set here. Set it for ${client} too, or svc uses another directory there.\n`,
    );
  }
}
