import {
  MemoryAuditLog,
  sharedAuditLog,
} from "../../../src/credentials/audit/memory/memory-audit-log.ts";
import {
  MemoryCredentialStore,
  sharedCredentials,
} from "../../../src/credentials/memory/memory-credential-store.ts";
import { credentialsContract } from "../../contract/credentials.ts";

credentialsContract(() => {
  const shared = sharedCredentials();
  const log = sharedAuditLog();
  return {
    async open({ onAppend, isReadOnly = false } = {}) {
      const { append, committed } = new MemoryAuditLog(log);
      const audit = {
        append: async (events: Parameters<typeof append>[0]): Promise<void> => {
          await onAppend?.();
          await append(events);
        },
        committed,
      };
      return new MemoryCredentialStore(shared, { audit, isReadOnly });
    },
    audited: async () => log.lines.map((line): Record<string, unknown> => JSON.parse(line)),
  };
});
