import { join } from "node:path";

import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import type { ClientDefinition } from "../clients/definitions.ts";
import type { ServerEntryOptions } from "../clients/entry.ts";
import { platformOf, type ClientMachine } from "../clients/client-paths.ts";
import { projectTarget, userTarget, type ConfigTarget } from "../clients/config-target.ts";
import type { BooleanFlag, StringFlag } from "./flag-definition.ts";

/** Flags of both `svc install` and `svc uninstall`. */
export const PROJECT_FLAG = {
  type: "boolean",
  description: "Use the project's configuration file instead of yours.",
} as const satisfies BooleanFlag;

export const ROOT_FLAG = {
  type: "string",
  placeholder: "DIR",
  description: "Project folder (default: the project around the working directory).",
} as const satisfies StringFlag;

interface ProjectFlags {
  readonly project: boolean;
  readonly root: string | undefined;
}

/** A placeholder in a client's file: the client replaces it with the open folder. */
const OPEN_FOLDER = "${workspaceFolder}";

export function clientMachine({ settings }: App): ClientMachine {
  const { home, clientVariables } = settings;
  return { platform: platformOf(process.platform), home, env: clientVariables };
}

/** Path of the lock to hold while a client's file is changed. */
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

/** The root and namespace of an entry. The default root depends on where the client starts servers. */
export async function entryOptionsFor(
  app: App,
  { client, scope, startsIn, below }: ConfigTarget,
  { root, ...options }: Omit<ServerEntryOptions, "defaultRoot">,
): Promise<ServerEntryOptions> {
  // For a project's file, --root names the project, which the client knows already.
  const given = scope === "project" || root === undefined ? undefined : await app.workspace(root);
  const common = { root: given, ...options };
  if (startsIn === "workspace") return { ...common, defaultRoot: () => undefined };
  if (startsIn === "variable") return { ...common, defaultRoot: () => OPEN_FOLDER };
  const found = below ?? (await findWorkspace(app));
  return {
    ...common,
    defaultRoot() {
      if (found !== undefined) return found;
      throw new SvcError("NO_WORKSPACE", `${client.name} starts servers outside projects.`, {
        hint: `Name the project to serve: \`svc install ${client.id} --root DIR\`.`,
      });
    },
  };
}

/** The workspace of the working directory; undefined if it has none. */
export async function findWorkspace(app: App): Promise<string | undefined> {
  try {
    return await app.workspace();
  } catch (thrown) {
    if (thrown instanceof SvcError) return undefined;
    throw thrown;
  }
}
