// Whether a package manager installed this program: it would undo, or trip over, a change behind its back.

import { sep } from "node:path";

import { SvcError } from "../base/errors.ts";
import { readRegularFile } from "../base/files.ts";

const DPKG_LISTS = ["/var/lib/dpkg/info/svc.list"];
const MAX_LIST_BYTES = 1 << 20;

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Throws UPGRADE_FAILED with the command that upgrades the program instead, if it is not a file of its user. */
export function requireOwnFile(
  { command, args }: Program,
  dpkgLists: readonly string[] = DPKG_LISTS,
): void {
  const [script] = args;
  const path = script ?? command;
  if (path.split(sep).includes("node_modules"))
    throw managed("npm", "npm install --global svc@latest");
  if (script !== undefined) throw managed("git", "git pull && npm run build");
  if (path.split(sep).includes("Cellar")) throw managed("Homebrew", "brew upgrade svc");
  if (
    dpkgLists.some((list) =>
      readRegularFile(list, MAX_LIST_BYTES)?.toString().split("\n").includes(path),
    )
  )
    throw managed("dpkg", "sudo apt-get install ./svc_VERSION_ARCHITECTURE.deb");
}

function managed(manager: string, command: string): SvcError {
  return new SvcError("UPGRADE_FAILED", `This svc was installed with ${manager}.`, {
    hint: `Run \`${command}\` instead.`,
  });
}
