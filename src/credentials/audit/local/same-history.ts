// The store and the audit log each record how far the other one had got, so each reveals an older copy of the
// other. Copies of both from the same moment agree, and cannot be distinguished from the originals.
import { SvcError } from "../../../base/errors.ts";
import type { AuditedStore, LogEnd, StoreHistory } from "./store-history.ts";
import { ChainKey } from "../chain.ts";
import { readLogEnd } from "./log-end.ts";
import type { AuditDirectories } from "./log-files.ts";
import { whileLocked } from "./snapshot.ts";

/** The detail and the first part of the hint of an error, each a sentence. */
interface Disagreement {
  readonly detail: string;
  readonly restore: string;
}

/**
 * Throws CREDENTIAL_STORE when the store lacks changes that the log records, or the log lacks lines that the store
 * records.
 */
export function requireSameHistory(store: AuditedStore, places: AuditDirectories): void {
  const key = new ChainKey(store.auditKey);
  const compare = (): Disagreement | undefined => {
    // Read the line first and the generation last: other processes may change both meanwhile, and the log is
    // written before the store.
    const { line } = store.history();
    const end = readLogEnd(places, key);
    return disagreement({ line, generation: store.history().generation }, end);
  };
  // Usually nobody is writing. A mismatch is checked again under the lock: a head read during a write may be half
  // old and half new.
  const found = compare() && whileLocked(places, compare);
  if (found === undefined) return;
  throw new SvcError("CREDENTIAL_STORE", found.detail, {
    hint: `${found.restore} If you made this change yourself, run \`svc auth store accept\`.`,
  });
}

function disagreement(
  { line, generation }: StoreHistory,
  end: LogEnd | undefined,
): Disagreement | undefined {
  const known = line?.seq ?? 0;
  if (end === undefined) {
    if (known === 0) return undefined;
    return {
      detail: `The audit log is gone or its head was altered, but the credential store knows the log up to line ${known}.`,
      restore: "Put the folder audit and the file audit.head back from the newest backup.",
    };
  }
  if (end.seq < known) {
    return {
      detail: `The audit log is an older copy: it ends at line ${end.seq}, but the credential store knows line ${known}.`,
      restore: "Put the newest copy of the folder audit and of the file audit.head back.",
    };
  }
  // A store that never held a credential admits nobody.
  if (generation === 0 || generation >= end.generation) return undefined;
  return {
    detail: `The credential store is an older copy: it has ${generation} changes, but the audit log knows ${end.generation}.`,
    restore: "Put the newest copy of credentials.db and of credentials.anchor back.",
  };
}
