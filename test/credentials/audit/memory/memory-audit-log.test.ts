import { SvcError } from "../../../../src/base/errors.ts";
import {
  MemoryAuditLog,
  sharedAuditLog,
} from "../../../../src/credentials/audit/memory/memory-audit-log.ts";
import { auditContract } from "../../../contract/audit.ts";

auditContract(() => {
  const shared = sharedAuditLog();
  return {
    open: (options) => new MemoryAuditLog(shared, options),
    reader: new MemoryAuditLog(shared),
    block() {
      shared.obstacle = new SvcError("STORAGE_FULL", "The disk is full.");
      return () => void (shared.obstacle = undefined);
    },
    tamper(change) {
      shared.lines = [...change(shared.lines)];
    },
  };
});
