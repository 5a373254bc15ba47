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

/** One file of one client. */
export interface ConfigTarget {
  readonly client: ClientDefinition;
  readonly scope: InstallScope;
  /** Absolute. */
  readonly path: string;
  readonly startsIn: StartFolder;
  /** The project that links in the path may not lead out of. */
  readonly below: string | undefined;
}

/** The file that holds svc already, else the one that exists, else the one to be made. */
export function userTarget(client: ClientDefinition, machine: ClientMachine): ConfigTarget {
  const place = {
    client,
    scope: "user",
    startsIn: client.user.startsIn,
    below: undefined,
  } as const;
  return chooseTarget(userConfigPaths(client, machine).map((path) => ({ ...place, path })));
}

/** The same for the project with this root. Throws USAGE for a client whose projects have no such file. */
export function projectTarget(client: ClientDefinition, root: string): ConfigTarget {
  const target = findProjectTarget(client, root);
  if (target !== undefined) return target;
  const others: readonly ClientDefinition[] = CLIENTS;
  const able = others.filter(({ project }) => project !== undefined).map(({ id }) => id);
  throw new SvcError("USAGE", `${client.name} has no configuration for a single project.`, {
    hint: `Leave --project out. These have one: ${able.join(", ")}.`,
  });
}

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

/** Throws CLIENT_CONFIG for a file that cannot be read or understood. */
export function readTarget({ client, path, below }: ConfigTarget): ConfigText {
  return new ConfigText(client, path, readConfigFile(path, below).bytes);
}

function hasSvcEntry(target: ConfigTarget): boolean {
  try {
    return readTarget(target).entry !== undefined;
  } catch {
    // What is wrong with it is told if it turns out to be the file that counts.
    return false;
  }
}
