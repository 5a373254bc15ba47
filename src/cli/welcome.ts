// What `svc` alone says: where one stands, and the next commands, in five lines.
import { sep } from "node:path";

import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import { findInstalled, type FoundClient } from "../clients/find-installed.ts";
import { isInside } from "../sources/confined-path.ts";
import { clientMachine } from "./client-flags.ts";
import { defineCommand } from "./command.ts";
import { withRegistry } from "./known-namespaces.ts";
import { safeLine } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";
import { displayWidth } from "./print/width.ts";

type Step = readonly [run: string, does: string];

/** It looks at the list of namespaces and at the clients' files: no index, no credential, no write. */
export const command = defineCommand({
  async run(_, { app, io }) {
    const style = createStyle(io.color);
    const root = await workspaceOf(app);
    const holder = root === undefined ? undefined : workspaceIndexOf(app, root);
    const steps = [...stepsHere(root, holder), connect(findInstalled(clientMachine(app), root))];
    const all: readonly Step[] = [...steps, ["svc --help", "Everything else."]];
    const width = Math.max(...all.map(([run]) => displayWidth(run)));
    io.out(`${safeLine(locationText({ root, holder, home: app.settings.home }))}\n`);
    for (const [run, does] of all) {
      const space = " ".repeat(width - displayWidth(run));
      io.out(`  ${style.cyan(run)}${space}  ${safeLine(does)}\n`);
    }
  },
});

/** Undefined where nothing is indexed: in the home directory and at the root of the file system. */
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
  /** False while the first run is under way, or when it did not end. */
  readonly isDone: boolean;
}

function workspaceIndexOf(app: App, root: string): WorkspaceIndex | undefined {
  return withRegistry(app, (registry) => {
    const namespace = registry
      .namespaces()
      .find((name) => registry.sources(name).some((source) => isInside(source.root, root)));
    if (namespace === undefined) return undefined;
    return { namespace, isDone: registry.lastRun(namespace) !== undefined };
  });
}

interface WelcomeState {
  readonly root: string | undefined;
  readonly holder: WorkspaceIndex | undefined;
  readonly home: string;
}

function locationText({ root, holder, home }: WelcomeState): string {
  if (root === undefined) return "svc finds code and docs in a project, and this folder is none.";
  const folder = shortened(root, home);
  if (holder === undefined) return `svc finds code and docs: ${folder} is not indexed yet.`;
  const { namespace, isDone } = holder;
  if (isDone) return `svc finds code and docs: ${folder} is indexed as "${namespace}".`;
  return `svc finds code and docs: the first index of ${folder} ("${namespace}") is not complete.`;
}

function stepsHere(root: string | undefined, holder: WorkspaceIndex | undefined): readonly Step[] {
  if (root === undefined) {
    return [
      ["cd PROJECT", "Go to a folder of code; nothing is set up there first."],
      ['svc search "QUESTION"', "Ask there; the first question indexes it."],
    ];
  }
  const search: Step = ['svc search "QUESTION"', "Ask in your own words, or for a name."];
  if (holder === undefined) return [["svc index", "Index it; a search does so by itself."], search];
  const see: Step = holder.isDone
    ? ["svc outline", "See a map of the project."]
    : ["svc status", "See how far it is."];
  return [search, see];
}

function connect(clients: readonly FoundClient[]): Step {
  const connected = clients.filter(({ files }) => files.some(({ entry }) => entry === "program"));
  const names = connected.map(({ client }) => client.name).join(", ");
  if (names !== "") return ["svc install", `Connect more than ${names}.`];
  const found = clients.find(({ isFound }) => isFound)?.client;
  if (found === undefined) return ["svc install", "Connect an editor or agent: see which."];
  return [`svc install ${found.id}`, `Connect ${found.name}, which is on this machine.`];
}

function shortened(path: string, home: string): string {
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
