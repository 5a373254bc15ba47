import {
  MemoryAuditLog,
  sharedAuditLog,
  type SharedAuditLog,
} from "../audit/memory/memory-audit-log.ts";
import type { CredentialBackend } from "../backend.ts";
import {
  MemoryCredentialStore,
  sharedCredentials,
  type SharedCredentials,
} from "./memory-credential-store.ts";

/** Where the credentials of several processes meet. */
export interface SharedCredentialMemory {
  readonly credentials: SharedCredentials;
  readonly auditLog: SharedAuditLog;
  /** True once a store was created. */
  exists: boolean;
}

export function sharedCredentialMemory(): SharedCredentialMemory {
  return { credentials: sharedCredentials(), auditLog: sharedAuditLog(), exists: false };
}

/** Credentials in memory, for tests. */
export function memoryCredentials(
  shared: SharedCredentialMemory = sharedCredentialMemory(),
): CredentialBackend {
  const audit = new MemoryAuditLog(shared.auditLog);
  const opened = new MemoryCredentialStore(shared.credentials, { audit });
  const store = async (): Promise<MemoryCredentialStore | undefined> =>
    shared.exists ? opened : undefined;
  return {
    mayExist: () => shared.exists,
    store,
    use: async (work) => work(await store()),
    async create() {
      if (!shared.exists) await audit.append([{ event: "store.create" }]);
      shared.exists = true;
      return { store: opened, notice: undefined };
    },
    defaultToken: opened.defaultToken,
    acceptedTokens: { has: () => false, add: () => {} },
    recordCall: (call) => audit.recordCall(call),
    auditReader: async () => audit,
    slow: new Promise(() => {}),
    async close() {
      await opened.close();
      await audit.close();
    },
  };
}
