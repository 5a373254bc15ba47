import type { Settings } from "../config/settings.ts";
import type { StoreOptions } from "../credentials/open-store.ts";
import type { AuditDirectories } from "../credentials/audit/log-files.ts";
import type { Finding } from "./finding.ts";
import type { Inventory } from "./inventory.ts";

/** What the checks are told. */
export interface CheckContext {
  readonly settings: Settings;
  readonly storeOptions: () => Promise<StoreOptions>;
  readonly auditDirectories: AuditDirectories;
  /** Reads everything, and not only what shows most faults at once. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
}

/** Checks one thing. Changes no file of svc or of the project; an error that it throws becomes a finding. */
export interface Check {
  readonly name: string;
  readonly run: (
    examination: CheckContext,
    inventory: Inventory,
  ) => Promise<readonly Finding[]> | readonly Finding[];
}
