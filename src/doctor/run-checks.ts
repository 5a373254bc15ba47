import { toSvcError } from "../base/errors.ts";
import { checkCredentials } from "./check-credentials.ts";
import { checkDataDirectory } from "./check-data-directory.ts";
import { checkGit } from "./check-git.ts";
import { checkIndexes } from "./check-indexes.ts";
import { checkUnusedFiles } from "./check-unused-files.ts";
import { checkLocks } from "./check-locks.ts";
import { checkMcpServer } from "./check-mcp-server.ts";
import { checkPermissions } from "./check-permissions.ts";
import { checkProgram } from "./check-program.ts";
import { checkRegistry } from "./check-registry.ts";
import { checkSettings } from "./check-settings.ts";
import { checkSources } from "./check-sources.ts";
import { checkWatchLimits } from "./check-watch-limits.ts";
import type { Check, CheckContext } from "./check-context.ts";
import { type Finding, createReporter } from "./finding.ts";
import { type Inventory, readInventory } from "./inventory.ts";

/** In the order of the report; a check of something new is one more line. */
const CHECKS: readonly Check[] = [
  checkProgram,
  checkMcpServer,
  checkSettings,
  checkDataDirectory,
  checkPermissions,
  checkCredentials,
  checkRegistry,
  checkIndexes,
  checkSources,
  checkLocks,
  checkWatchLimits,
  checkUnusedFiles,
  checkGit,
];

/** Looks at everything. Never throws: a check that cannot be made is a finding. Changes nothing. */
export async function runChecks(examination: CheckContext): Promise<readonly Finding[]> {
  const inventory = readInventory(examination.settings.dataDirectory);
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the report
    findings.push(...(await findingsOf(check, examination, inventory)));
  }
  return findings;
}

async function findingsOf(
  { name, run }: Check,
  examination: CheckContext,
  inventory: Inventory,
): Promise<readonly Finding[]> {
  try {
    return await run(examination, inventory);
  } catch (thrown) {
    examination.signal.throwIfAborted();
    const { message, hint, code } = toSvcError(thrown);
    const detail = code === "INTERNAL_ERROR" && thrown instanceof Error ? thrown.message : message;
    const fix = hint ?? "Run `svc doctor` again with SERVICE_DEBUG=true.";
    return [createReporter(name).failed(`cannot be checked: ${detail}`, fix)];
  }
}
