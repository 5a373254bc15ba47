// The output of `svc` without arguments: the state of this folder and the next commands, in five lines.
import { sep } from "node:path";

import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import { findInstalled, type FoundClient } from "../clients/find-installed.ts";
import { isInside } from "../sources/confined-path.ts";
import { clientMachine } from "./client-flags.ts";
import { defineCommand } from "./command.ts";
import { readRegistry } from "./known-namespaces.ts";
import { safeLine } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";
import { displayWidth } from "./print/width.ts";

type Step = readonly [run: string, does: string];

/** Reads only the list of namespaces and the clients' files: opens no index and no credential, writes nothing. */
export const command = defineCommand({
  async run(_, { app, io }) {
    const style = createStyle(io.color);
    const root = await workspaceOf(app);
    const index = root === undefined ? undefined : await workspaceIndexOf(app, root);
    const steps = [...stepsHere(root, index), connect(findInstalled(clientMachine(app), root))];
    const all: readonly Step[] = [...steps, ["svc --help", "Show all commands."]];
    const width = Math.max(...all.map(([run]) => displayWidth(run)));
    io.out(`${safeLine(locationText({ root, index, home: app.settings.home }))}\n`);
    for (const [run, does] of all) {
      const space = " ".repeat(width - displayWidth(run));
      io.out(`  ${style.cyan(run)}${space}  ${safeLine(does)}\n`);
    }
  },
});

/** The workspace; undefined in the home directory and at the root of the file system, which are never indexed. */
async function workspaceOf(app: App): Promise<string | undefined> {
  try {
    return await app.workspace();
  } catch (thrown) {
    if (thrown instanceof SvcError) return undefined;
    throw thrown;
  }
}

interface WorkspaceIndex {
  readonly namespace: string;
  /** False until the first indexing run has finished. */
  readonly isDone: boolean;
}

async function workspaceIndexOf(app: App, root: string): Promise<WorkspaceIndex | undefined> {
  const registry = await readRegistry(app);
  const namespace = registry
    ?.namespaces()
    .find((name) => registry.sources(name).some((source) => isInside(source.root, root)));
  if (namespace === undefined) return undefined;
  return { namespace, isDone: registry?.lastRun(namespace) !== undefined };
}

interface WelcomeState {
  readonly root: string | undefined;
  readonly index: WorkspaceIndex | undefined;
  readonly home: string;
}

function locationText({ root, index, home }: WelcomeState): string {
  if (root === undefined)
    return "svc searches the code and docs of a project. This folder is not a project.";
  const folder = shortened(root, home);
  if (index === undefined) return `svc searches code and docs. ${folder} is not indexed yet.`;
  const { namespace, isDone } = index;
  if (isDone) return `svc searches code and docs. ${folder} is indexed as "${namespace}".`;
  return `svc searches code and docs. The first index of ${folder} ("${namespace}") is incomplete.`;
}

function stepsHere(root: string | undefined, index: WorkspaceIndex | undefined): readonly Step[] {
  if (root === undefined) {
    return [
      ["cd PROJECT", "Change to a project folder; it needs no setup."],
      ['svc search "QUESTION"', "Search it; the first search indexes it."],
    ];
  }
  const search: Step = ['svc search "QUESTION"', "Search with a question or a name."];
  if (index === undefined)
    return [["svc index", "Index it; the first search does so too."], search];
  const next: Step = index.isDone
    ? ["svc outline", "Show a map of the project."]
    : ["svc status", "Show the progress."];
  return [search, next];
}

function connect(clients: readonly FoundClient[]): Step {
  const connected = clients.filter(({ files }) => files.some(({ entry }) => entry === "program"));
  const names = connected.map(({ client }) => client.name).join(", ");
  if (names !== "") return ["svc install", `Connect more clients (connected: ${names}).`];
  const found = clients.find(({ isFound }) => isFound)?.client;
  if (found === undefined) return ["svc install", "List editors and agents to connect."];
  return [`svc install ${found.id}`, `Connect ${found.name} (found on this machine).`];
}

function shortened(path: string, home: string): string {
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
