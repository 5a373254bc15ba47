import type { Settings } from "../config/settings.ts";
import type { StoreOptions } from "../credentials/open-store.ts";
import type { AuditDirectories } from "../credentials/audit/log-files.ts";
import type { Finding } from "./finding.ts";
import type { Inventory } from "./inventory.ts";

/** Input of the checks. */
export interface CheckContext {
  readonly settings: Settings;
  readonly storeOptions: () => Promise<StoreOptions>;
  readonly auditDirectories: AuditDirectories;
  /** `--deep`: read all data, instead of only a quick check. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
}

/** Checks one thing. Changes no file of svc or of the project; an error that it throws becomes a finding. */
export interface Check {
  readonly name: string;
  readonly run: (
    context: CheckContext,
    inventory: Inventory,
  ) => Promise<readonly Finding[]> | readonly Finding[];
}
