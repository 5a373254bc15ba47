// The two published conformance suites, and a function that runs one of them against a server.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startHost, type Host } from "../helpers/hosted-program.ts";

export type SuiteName = "0.1.16" | "0.2 2025-11-25" | "0.2 2026-07-28";

export interface Suite {
  readonly name: SuiteName;
  readonly script: string;
  readonly args: readonly string[];
}

const MODULES = join(import.meta.dirname, "../../node_modules");
const RELEASED = join(MODULES, "@modelcontextprotocol/conformance/dist/index.js");
const NEXT = join(MODULES, "conformance-next/dist/index.js");

export const SUITES: readonly Suite[] = [
  { name: "0.1.16", script: RELEASED, args: ["--suite", "all"] },
  { name: "0.2 2025-11-25", script: NEXT, args: ["--requirements", "2025-11-25"] },
  { name: "0.2 2026-07-28", script: NEXT, args: ["--requirements", "2026-07-28"] },
];

/** The process that runs the suites. */
export function startSuites(): Host {
  return startHost(join(import.meta.dirname, "fixtures/suite-host.ts"));
}

/** One check of a scenario. The same check may run several times. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  /** A warning counts as a failure: it concerns something that a server SHOULD do. */
  readonly passed: boolean;
  readonly message: string;
}

/**
 * All checks of the suite. Its own baseline knows only whole scenarios, which would hide the other checks of a scenario
 * that applies in part. Throws if the suite did not run at all: an unreachable server fails no check.
 */
export async function runSuite(
  host: Host,
  { script, args }: Suite,
  url: string,
): Promise<readonly Check[]> {
  const directory = mkdtempSync(join(tmpdir(), "svc-conformance-"));
  try {
    // The suite ends with 1 if a check fails, which does not matter here.
    const run = await host.run([script, "server", "--url", url, ...args, "-o", directory]);
    const checks = readChecks(directory);
    if (checks.length === 0) {
      throw new Error(`the suite looked at nothing:\n${run.stdout}${run.stderr}`);
    }
    return checks;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface RecordedCheck {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Reads folders named `server-<scenario>-<time>`. Leaves out skipped checks and mere information. */
function readChecks(directory: string): readonly Check[] {
  return readdirSync(directory).flatMap((folder) => {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\dZ-]+$/, "");
    const recorded: readonly RecordedCheck[] = JSON.parse(
      readFileSync(join(directory, folder, "checks.json"), "utf8"),
    );
    return recorded
      .filter(({ status }) => status !== "SKIPPED" && status !== "INFO")
      .map(({ id, status, errorMessage = "" }) => ({
        scenario,
        id,
        passed: status === "SUCCESS",
        message: errorMessage,
      }));
  });
}
