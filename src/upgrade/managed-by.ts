// Whether a package manager installed this program: it would undo, or trip over, a change behind its back.

import { dirname, sep } from "node:path";

import { SvcError } from "../base/errors.ts";
import { runProgram } from "../base/run-program.ts";

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

const DPKG_TIMEOUT_MS = 30_000;

/** Throws UPGRADE_FAILED with the command that upgrades the program instead, if it is not a file of its user. */
export async function requireOwnFile(
  { command, args }: Program,
  signal: AbortSignal,
): Promise<void> {
  const [script] = args;
  const parts = (script ?? command).split(sep);
  if (parts.includes("node_modules")) throw managed("npm", "npm install --global svc@latest");
  if (script !== undefined) throw managed("git", "git pull && npm run build");
  if (parts.includes("Cellar")) throw managed("Homebrew", "brew upgrade svc");
  if (await isOfDpkg(command, signal))
    throw managed("dpkg", "sudo apt-get install ./svc_VERSION_ARCHITECTURE.deb");
}

async function isOfDpkg(path: string, signal: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const { outcome } = await runProgram("dpkg-query", ["--search", path], {
    directory: dirname(path),
    environment: { PATH: "/usr/bin:/bin" },
    signal,
    idleTimeoutMs: DPKG_TIMEOUT_MS,
    onLine: () => {},
  });
  return outcome === "done";
}

function managed(manager: string, command: string): SvcError {
  return new SvcError("UPGRADE_FAILED", `This svc was installed with ${manager}.`, {
    hint: `Run \`${command}\` instead.`,
  });
}
