import type { CredentialEvent } from "../../src/credentials/audit-event.ts";
import type { AuditSink } from "../../src/credentials/audit/local/store-history.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";

interface AuditedMemoryStore {
  readonly store: MemoryCredentialStore;
  /** Events recorded so far. */
  readonly events: readonly CredentialEvent[];
}

/** Creates a store in memory whose audit log is a list; nothing can be recorded where `requireRoom` throws. */
export function auditedStore(requireRoom: () => void = () => {}): AuditedMemoryStore {
  const events: CredentialEvent[] = [];
  const audit = {
    async append(more: readonly CredentialEvent[]): Promise<void> {
      requireRoom();
      events.push(...more);
    },
    committed() {},
  };
  return { store: new MemoryCredentialStore(undefined, { audit }), events };
}

/** An audit log of a sealed store that appends to a list; it fails where `requireRoom` throws. */
export function listSink(
  events: CredentialEvent[] = [],
  requireRoom: () => void = () => {},
): AuditSink {
  return {
    recordEvent(more) {
      requireRoom();
      events.push(...more);
      return undefined;
    },
    committed() {},
  };
}
