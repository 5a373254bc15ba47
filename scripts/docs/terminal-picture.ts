// Writes docs/terminal.svg, the picture of the README: the real output of one search in the published sources of webpack,
// whose version package-lock.json pins. test/e2e/real-project.test.ts compares the picture with the output of the built
// program.
// To update it:
//
//     npm run build && node scripts/docs/terminal-picture.ts
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { realProject } from "../../test/helpers/real-project.ts";
import { terminalSvg } from "./terminal-svg.ts";

/** Typed in the folder that holds the project. */
export const PICTURED_COMMAND =
  'svc search "how is a relative path made absolute" webpack --limit 3 --max-tokens 260';

const ROOT = path.join(import.meta.dirname, "../..");

/** Runs the command with the built program, its own home and its own index. */
function outputOf(command: string): string {
  const parent = mkdtempSync(path.join(tmpdir(), "svc-picture-"));
  try {
    const home = path.join(parent, "home");
    mkdirSync(home);
    realProject(parent);
    const run = (line: string): string =>
      execFileSync("sh", ["-c", line], {
        cwd: parent,
        encoding: "utf8",
        env: {
          PATH: `${path.join(ROOT, "dist")}:${process.env["PATH"] ?? ""}`,
          HOME: home,
          SERVICE_HOME: path.join(home, "data"),
        },
      });
    // The search would answer from half an index otherwise.
    run("svc index webpack");
    return run(`${command} --color always`);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const picture = terminalSvg(PICTURED_COMMAND, outputOf(PICTURED_COMMAND));
  writeFileSync(path.join(ROOT, "docs/terminal.svg"), picture);
}
