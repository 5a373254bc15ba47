// The two published conformance suites, and how one of them is run against a server.
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

/** One thing that a scenario looked at. The same may be looked at several times. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  /** A warning counts as a failure: it says what a server SHOULD do. */
  readonly passed: boolean;
  readonly message: string;
}

/**
 * Everything the suite looked at. Its own baseline knows whole scenarios alone, which would hide the rest of
 * one that applies in part. Throws where it did not run at all: a server that cannot be reached fails no check.
 */
export async function runSuite(
  host: Host,
  { script, args }: Suite,
  url: string,
): Promise<readonly Check[]> {
  const directory = mkdtempSync(join(tmpdir(), "svc-conformance-"));
  try {
    // It ends with 1 where a check fails, which is no matter here.
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

/** Of folders named `server-<scenario>-<time>`. Skipped checks and mere information are left out. */
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
