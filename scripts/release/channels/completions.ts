// The shell completions, as the program itself prints them.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Channel } from "./channel.ts";

/** By the name that the shell looks for. */
const FILES = {
  "svc.bash": "bash",
  _svc: "zsh",
  "svc.fish": "fish",
  "svc.ps1": "powershell",
} as const;

/** The script of each shell, printed by the executable at `program`. */
export function completionScripts(program: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(FILES).map(([file, shell]) => [
      file,
      execFileSync(program, ["completions", shell], { encoding: "utf8" }),
    ]),
  );
}

/** Files that install.sh and install.ps1 copy. */
export const completionsChannel: Channel = {
  name: "completions",
  make({ folder, program }) {
    mkdirSync(path.join(folder, "completions"));
    for (const [file, text] of completionScripts(program))
      writeFileSync(path.join(folder, "completions", file), text);
    return { files: [] };
  },
};
