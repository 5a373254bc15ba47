// An audit log whose code is loaded only when there is something to write.
import type { AuditedStore } from "./store-history.ts";
import type { LocalAuditLog, LocalAuditLogOptions } from "./local-audit-log.ts";

export interface LazyAuditLog {
  /** Loads the code of the log. No file is opened before the first line. */
  readonly load: () => Promise<void>;
  /** Takes the key, and the state of the log that the store remembers. */
  readonly setStore: (store: AuditedStore) => void;
  /** Returns the log. Call `load` and `setStore` first. */
  readonly opened: () => LocalAuditLog;
  /** Logs, up to once a minute, that calls cannot be passed to the log. */
  readonly failed: (error: unknown) => void;
  readonly close: () => Promise<void>;
}

const WARN_MS = 60_000;

export function createLazyAuditLog(
  options: Omit<LocalAuditLogOptions, "key" | "known">,
): LazyAuditLog {
  let Log: typeof LocalAuditLog | undefined;
  let store: Pick<LocalAuditLogOptions, "key" | "known"> | undefined;
  let log: LocalAuditLog | undefined;
  let warnedAt = -Infinity;
  return {
    async load() {
      Log ??= (await import("./local-audit-log.ts")).LocalAuditLog;
    },
    setStore(opened) {
      // A store that is reopened has the same key: the key outlives the data key.
      store ??= { key: Uint8Array.from(opened.auditKey), known: opened.history() };
    },
    opened() {
      if (Log === undefined || store === undefined) throw new Error("The audit log is not loaded.");
      log ??= new Log({ ...options, ...store });
      return log;
    },
    failed(error) {
      const now = performance.now();
      if (now - warnedAt < WARN_MS) return;
      warnedAt = now;
      options.log.warn("CALLS ARE NOT AUDITED: the credential store cannot be opened", { error });
    },
    close: async () => log?.close(),
  };
}
