import { existsSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { ConfigText } from "./config-text.ts";
import { readConfigFile } from "./config-file.ts";
import {
  CLIENTS,
  type ClientDefinition,
  type InstallScope,
  type StartFolder,
} from "./definitions.ts";
import { userConfigPaths, type ClientMachine } from "./client-paths.ts";

/** One configuration file of one client. */
export interface ConfigTarget {
  readonly client: ClientDefinition;
  readonly scope: InstallScope;
  /** Absolute. */
  readonly path: string;
  /** The folder in which the client starts servers of this file. */
  readonly startsIn: StartFolder;
  /** Root of the project that symbolic links must not lead out of. */
  readonly below: string | undefined;
}

/** Returns the file that already contains svc, else the first existing one, else the one to create. */
export function userTarget(client: ClientDefinition, machine: ClientMachine): ConfigTarget {
  const place = {
    client,
    scope: "user",
    startsIn: client.user.startsIn,
    below: undefined,
  } as const;
  return chooseTarget(userConfigPaths(client, machine).map((path) => ({ ...place, path })));
}

/** As `userTarget`, for the project with this root. Throws USAGE when the client has no project files. */
export function projectTarget(client: ClientDefinition, root: string): ConfigTarget {
  const target = findProjectTarget(client, root);
  if (target !== undefined) return target;
  const others: readonly ClientDefinition[] = CLIENTS;
  const able = others.filter(({ project }) => project !== undefined).map(({ id }) => id);
  throw new SvcError("USAGE", `${client.name} has no configuration for a single project.`, {
    hint: `Omit --project. These clients have one: ${able.join(", ")}.`,
  });
}

/** As `projectTarget`, but returns undefined when the client has no project files. */
export function findProjectTarget(
  client: ClientDefinition,
  root: string,
): ConfigTarget | undefined {
  const { project } = client;
  if (project === undefined) return undefined;
  const place = { client, scope: "project", startsIn: project.startsIn, below: root } as const;
  return chooseTarget(project.files.map((path) => ({ ...place, path: join(root, path) })));
}

function chooseTarget<One extends ConfigTarget>(targets: readonly One[]): One {
  const [first] = targets;
  if (first === undefined) throw new Error("a client has at least one file");
  const present = targets.filter(({ path }) => existsSync(path));
  const other = present.length > 1 ? present.find(hasSvcEntry) : undefined;
  return other ?? present[0] ?? first;
}

/** Throws CLIENT_CONFIG when the file cannot be read or parsed. */
export function readTarget({ client, path, below }: ConfigTarget): ConfigText {
  return new ConfigText(client, path, readConfigFile(path, below).bytes);
}

function hasSvcEntry(target: ConfigTarget): boolean {
  try {
    return readTarget(target).entry !== undefined;
  } catch {
    // Its error is reported if this turns out to be the file to use.
    return false;
  }
}
