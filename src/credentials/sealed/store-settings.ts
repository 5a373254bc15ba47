import type { AuditLine } from "../audit/local/store-history.ts";
import type { RecordedClock } from "../high-water.ts";

/** The store's data other than credentials. */
export interface StoreSettings extends RecordedClock {
  /**
   * Key of the audit log's chain, in hexadecimal; absent while the store has its first data key, which derives it.
   */
  readonly auditKey?: string;
  /** The audit log line written by the last change of credentials. Absent in a store of svc 0.8 or older. */
  readonly auditLine?: AuditLine;
  /** The secret of this machine's default token. */
  readonly defaultToken?: string;
}

/** Parses the unsealed settings. The seal and the MAC have proved that svc wrote them, in this format. */
export function parseSettings(text: string): StoreSettings {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as StoreSettings;
}
