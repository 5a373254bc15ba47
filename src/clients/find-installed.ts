import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";

import { SvcError } from "../base/errors.ts";
import { CLIENTS, type ClientDefinition, type InstallScope } from "./definitions.ts";
import { commandOf, isRemoteEntry } from "./entry.ts";
import { programPaths, markerPaths, type ClientMachine } from "./client-paths.ts";
import { findProjectTarget, readTarget, userTarget, type ConfigTarget } from "./config-target.ts";

/** One configuration file of a client, and whether it contains svc. */
interface FoundFile {
  readonly scope: InstallScope;
  readonly path: string;
  readonly exists: boolean;
  /** `remote`: an entry "svc" for a remote server, not written by `svc install`. */
  readonly entry: "none" | "program" | "remote";
  /** The program of the entry, and whether it exists. */
  readonly command: string | undefined;
  readonly commandExists: boolean | undefined;
  /** Reason why the file cannot be used. */
  readonly problem: string | undefined;
}

/** What was found of a client on this machine. */
export interface FoundClient {
  readonly client: ClientDefinition;
  /** True when one of its folders or programs is on this machine. */
  readonly isFound: boolean;
  readonly files: readonly FoundFile[];
}

/** Returns every client in the order of the table. `root` is the project whose files are checked too. */
export function findInstalled(machine: ClientMachine, root: string | undefined): FoundClient[] {
  return CLIENTS.map((client: ClientDefinition) => ({
    client,
    isFound: [...markerPaths(client, machine), ...programPaths(client, machine)].some((path) =>
      existsSync(path),
    ),
    files: [
      userTarget(client, machine),
      root === undefined ? undefined : findProjectTarget(client, root),
    ]
      .filter((target) => target !== undefined)
      .map(inspectTarget),
  }));
}

function inspectTarget(target: ConfigTarget): FoundFile {
  const { scope, path } = target;
  const file = { scope, path, exists: existsSync(path) };
  const nothing = { entry: "none", command: undefined, commandExists: undefined } as const;
  try {
    const { entry } = readTarget(target);
    if (entry === undefined) return { ...file, ...nothing, problem: undefined };
    const command = commandOf(entry);
    return {
      ...file,
      entry: isRemoteEntry(entry) ? "remote" : "program",
      command,
      // The client resolves a bare name in its own way, so svc cannot check it.
      commandExists: command !== undefined && isAbsolute(command) ? existsSync(command) : undefined,
      problem: undefined,
    };
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) throw thrown;
    return { ...file, ...nothing, problem: thrown.message };
  }
}
