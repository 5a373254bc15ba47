import { toSvcError } from "../base/errors.ts";
import type { Settings } from "../config/settings.ts";
import { checkBackend } from "./check-backend.ts";
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

/** In the order of the report. */
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

/** The checks of a machine whose indexes and credentials are in a shared backend. */
const SHARED_CHECKS: readonly Check[] = [
  checkProgram,
  checkMcpServer,
  checkSettings,
  checkDataDirectory,
  checkPermissions,
  checkBackend,
  checkGit,
];

/** The checks of a machine with these settings, in the order of the report. */
export function checksOf({ backend }: Settings): readonly Check[] {
  return backend === undefined ? CHECKS : SHARED_CHECKS;
}

/** Runs the checks. Throws only when aborted: a check that fails becomes a finding. Changes nothing. */
export async function runChecks(
  context: CheckContext,
  checks: readonly Check[] = checksOf(context.settings),
): Promise<readonly Finding[]> {
  const inventory = await readInventory(context.settings.dataDirectory);
  const findings: Finding[] = [];
  for (const check of checks) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the report
    findings.push(...(await findingsOf(check, context, inventory)));
  }
  return findings;
}

async function findingsOf(
  { name, run }: Check,
  context: CheckContext,
  inventory: Inventory,
): Promise<readonly Finding[]> {
  try {
    return await run(context, inventory);
  } catch (thrown) {
    context.signal.throwIfAborted();
    const { message, hint, code } = toSvcError(thrown);
    const detail = code === "INTERNAL_ERROR" && thrown instanceof Error ? thrown.message : message;
    const fix = hint ?? "Run `svc doctor` again with SERVICE_DEBUG=true.";
    return [createReporter(name).failed(`cannot be checked: ${detail}`, fix)];
  }
}
