import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, join, resolve, sep } from "node:path";

import type { ProgramCommand } from "./entry.ts";

/** How this process was started. */
interface ProcessStart {
  /** The name as the user or the shell typed it: `process.argv0`. */
  readonly typed: string;
  /** Value of PATH. */
  readonly searchPath: string | undefined;
  readonly workingDirectory: string;
}

/**
 * Returns the command that starts this program again, with an absolute path. A link that it was started through is
 * kept: it still works when it points to the next version, while its current target may be gone by then.
 */
export function programCommand(
  { command, args }: ProgramCommand,
  { typed, searchPath = "", workingDirectory }: ProcessStart,
): ProgramCommand {
  // When run from the sources, the program is Node, whose name does not identify svc.
  if (args.length > 0) return { command, args };
  const isPath = typed.includes("/") || typed.includes(sep);
  const folders = isPath ? [workingDirectory] : searchPath.split(delimiter);
  const names = folders.filter((folder) => folder !== "").map((folder) => join(folder, typed));
  const found = (isPath ? [resolve(workingDirectory, typed)] : names).find(isProgram);
  const isThis = found !== undefined && realpathSync(found) === realpathSync(command);
  return { command: isThis ? resolve(workingDirectory, found) : command, args };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
