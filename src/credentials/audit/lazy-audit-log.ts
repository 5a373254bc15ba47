// The audit log of a process that is not to load it before there is something to write.
import type { AuditedStore } from "../store-change.ts";
import type { AuditLog, AuditLogOptions } from "./audit-log.ts";

export interface LazyAuditLog {
  /** Loads the code of the log. Nothing is opened before its first line. */
  readonly load: () => Promise<void>;
  /** Takes the key, and what the store knows of the log. */
  readonly setStore: (store: AuditedStore) => void;
  /** Only after `load` and `setStore`. */
  readonly opened: () => AuditLog;
  /** Says, once in a while, that calls cannot be handed to the log. */
  readonly failed: (error: unknown) => void;
  readonly close: () => void;
}

const WARN_MS = 60_000;

export function createLazyAuditLog(options: Omit<AuditLogOptions, "key" | "known">): LazyAuditLog {
  let Log: typeof AuditLog | undefined;
  let store: Pick<AuditLogOptions, "key" | "known"> | undefined;
  let log: AuditLog | undefined;
  let warnedAt = -Infinity;
  return {
    async load() {
      Log ??= (await import("./audit-log.ts")).AuditLog;
    },
    setStore(opened) {
      // A store that is opened again has the same key: it outlives the data key.
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
    close: () => log?.close(),
  };
}
