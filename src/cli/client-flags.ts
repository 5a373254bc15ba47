import { join } from "node:path";

import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import type { ClientDefinition } from "../clients/definitions.ts";
import type { ServerEntryOptions } from "../clients/entry.ts";
import { platformOf, type ClientMachine } from "../clients/client-paths.ts";
import { projectTarget, userTarget, type ConfigTarget } from "../clients/config-target.ts";
import type { BooleanFlag, StringFlag } from "./command.ts";

/** What both commands take. */
export const PROJECT_FLAG = {
  type: "boolean",
  description: "The file of this project instead of the user's.",
} as const satisfies BooleanFlag;

export const ROOT_FLAG = {
  type: "string",
  placeholder: "DIR",
  description: "The project; the one around the working directory unless given.",
} as const satisfies StringFlag;

interface ProjectFlags {
  readonly project: boolean;
  readonly root: string | undefined;
}

/** What stands in a client's file where the client puts in the folder that is open. */
const OPEN_FOLDER = "${workspaceFolder}";

export function clientMachine({ settings }: App): ClientMachine {
  const { home, clientVariables } = settings;
  return { platform: platformOf(process.platform), home, env: clientVariables };
}

/** Held by whoever changes a file of a client. */
export function clientLock({ settings }: App): string {
  return join(settings.dataDirectory, "clients.lock");
}

export async function targetOf(
  app: App,
  client: ClientDefinition,
  { project, root }: ProjectFlags,
): Promise<ConfigTarget> {
  if (!project) return userTarget(client, clientMachine(app));
  return projectTarget(client, await app.workspace(root));
}

/** What the entry says about the project, as its client starts servers. */
export async function entryOptionsFor(
  app: App,
  { client, scope, startsIn, below }: ConfigTarget,
  {
    root,
    namespace,
  }: { readonly root: string | undefined; readonly namespace: string | undefined },
): Promise<ServerEntryOptions> {
  // In a project's file --root named the project, and the client knows that.
  const given = scope === "project" || root === undefined ? undefined : await app.workspace(root);
  if (startsIn === "workspace") return { root: given, namespace, defaultRoot: () => undefined };
  if (startsIn === "variable") return { root: given, namespace, defaultRoot: () => OPEN_FOLDER };
  const found = below ?? (await findWorkspace(app));
  return {
    root: given,
    namespace,
    defaultRoot() {
      if (found !== undefined) return found;
      throw new SvcError("NO_WORKSPACE", `${client.name} starts servers outside of projects.`, {
        hint: `Name the one to serve: \`svc install ${client.id} --root DIR\`.`,
      });
    },
  };
}

/** Undefined where the working directory is none to be served. */
export async function findWorkspace(app: App): Promise<string | undefined> {
  try {
    return await app.workspace();
  } catch (thrown) {
    if (thrown instanceof SvcError) return undefined;
    throw thrown;
  }
}
