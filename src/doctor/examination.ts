import type { Settings } from "../config/settings.ts";
import type { StoreOptions } from "../credentials/open-store.ts";
import type { AuditPlaces } from "../credentials/audit/log-files.ts";
import type { Finding } from "./finding.ts";
import type { Inventory } from "./inventory.ts";

/** What the checks are told. */
export interface Examination {
  readonly settings: Settings;
  readonly storeOptions: () => Promise<StoreOptions>;
  readonly auditPlaces: AuditPlaces;
  /** Reads everything, and not only what shows most faults at once. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
}

/** Looks at one thing. Changes nothing; what it throws becomes a finding as well. */
export interface Check {
  readonly name: string;
  readonly run: (
    examination: Examination,
    inventory: Inventory,
  ) => Promise<readonly Finding[]> | readonly Finding[];
}
