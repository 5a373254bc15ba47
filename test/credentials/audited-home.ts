import type { CredentialEvent } from "../../src/credentials/audit-event.ts";
import type { AuditSink } from "../../src/credentials/store-change.ts";
import type { CredentialStore } from "../../src/credentials/store.ts";
import { tempHome, type Home } from "./home.ts";

/** An audit log that appends to a list; it fails where `requireRoom` throws. */
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

interface AuditedHome {
  readonly home: Home;
  readonly store: CredentialStore;
  /** Events recorded since the store was created. */
  readonly events: CredentialEvent[];
}

/** Creates a store whose audit log is a list. */
export async function auditedHome(): Promise<AuditedHome> {
  const events: CredentialEvent[] = [];
  const home = tempHome();
  const store = await home.open({ audit: () => listSink(events) });
  events.length = 0;
  return { home, store, events };
}
