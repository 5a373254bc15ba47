// The audit log of a process that is not to load it before there is something to write.
import type { AuditLog, AuditLogOptions } from "./audit-log.ts";

export interface LateLog {
  /** Loads the code of the log. Nothing is opened before its first line. */
  readonly load: () => Promise<void>;
  readonly setKey: (key: Uint8Array) => void;
  /** Only after `load` and `setKey`. */
  readonly opened: () => AuditLog;
  /** Says, once in a while, that calls cannot be handed to the log. */
  readonly failed: (error: unknown) => void;
  readonly close: () => void;
}

const WARN_MS = 60_000;

export function createLateLog(options: Omit<AuditLogOptions, "key">): LateLog {
  let Log: typeof AuditLog | undefined;
  let key: Uint8Array | undefined;
  let log: AuditLog | undefined;
  let warnedAt = -Infinity;
  return {
    async load() {
      Log ??= (await import("./audit-log.ts")).AuditLog;
    },
    setKey(given) {
      // A store that is opened again has the same one: it outlives the data key.
      key ??= Uint8Array.from(given);
    },
    opened() {
      if (Log === undefined || key === undefined) throw new Error("The audit log is not loaded.");
      log ??= new Log({ ...options, key });
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
