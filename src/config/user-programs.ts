// The programs with which a user reads and edits text.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import type { Environment } from "./paths.ts";

export const PROGRAM_VARIABLES = ["PAGER", "NO_PAGER", "VISUAL", "EDITOR"];

export const DEFAULT_PAGER = "less";

/**
 * Returns the command line of the pager, as git chooses it: that of svc's own setting, else PAGER, else less. Undefined if
 * NO_PAGER is set, for `cat` and for an empty one, and on a terminal that cannot move its cursor.
 */
export function pagerIn(env: Environment, setting: string | undefined): string | undefined {
  if ((env["NO_PAGER"] ?? "") !== "" || env["TERM"] === "dumb") return undefined;
  const pager = (setting ?? env["PAGER"] ?? DEFAULT_PAGER).trim();
  return pager === "" || pager === "cat" ? undefined : pager;
}

/** Returns the command line of the editor; undefined if there is none. */
export function editorIn(env: Environment): string | undefined {
  return [env["VISUAL"], env["EDITOR"]].find((editor) => (editor ?? "").trim() !== "")?.trim();
}

/** Whether a folder of PATH has the program. */
export function isInstalled(program: string, { PATH = "" }: Environment): boolean {
  const name = process.platform === "win32" ? `${program}.exe` : program;
  return PATH.split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name)));
}
