import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, join, resolve, sep } from "node:path";

import type { ProgramCommand } from "./entry.ts";

/** How this process was started. */
interface ProcessStart {
  /** As the user or the shell typed it: `process.argv0`. */
  readonly typed: string;
  /** PATH. */
  readonly searchPath: string | undefined;
  readonly workingDirectory: string;
}

/**
 * The command that starts this program again, by an absolute path. A link through which it was started is kept:
 * it goes on working when it is set to the next version, where the file it leads to now may be gone.
 */
export function programCommand(
  { command, args }: ProgramCommand,
  { typed, searchPath = "", workingDirectory }: ProcessStart,
): ProgramCommand {
  // From its sources the program is started by Node, whose name says nothing about it.
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
