// A store with its audit log, opened as the program opens them: each must agree with the other.
import { join } from "node:path";

import { silentLogger } from "../../../src/base/log.ts";
import { ChainKey } from "../../../src/credentials/audit/chain.ts";
import { createLazyAuditLog } from "../../../src/credentials/audit/local/lazy-audit-log.ts";
import type { AuditDirectories } from "../../../src/credentials/audit/local/log-files.ts";
import { verifyAuditLog } from "../../../src/credentials/audit/local/verify.ts";
import {
  openOrCreateStore,
  type StoreOptions,
} from "../../../src/credentials/sealed/open-store.ts";
import type { SealedStore } from "../../../src/credentials/sealed/sealed-store.ts";

/** Returns options for a store below `root` that must agree with the audit log there. */
export function auditedHome(
  root: string,
): StoreOptions & { readonly auditPlaces: AuditDirectories } {
  const keyDirectory = join(root, "keys");
  const auditPlaces = { directory: join(root, "audit"), keyDirectory };
  return { directory: join(root, "store"), keyDirectory, auditPlaces };
}

export interface AuditedStore {
  readonly store: SealedStore;
  readonly close: () => Promise<void>;
}

/** Opens or creates the store below `root`, and writes its events to the log there. */
export async function openAudited(root: string): Promise<AuditedStore> {
  const home = auditedHome(root);
  const log = createLazyAuditLog({ ...home.auditPlaces, withQueries: false, log: silentLogger });
  await log.load();
  const audit: StoreOptions["audit"] = (opened) => {
    log.setStore(opened);
    return log.opened();
  };
  const store = await openOrCreateStore({ ...home, audit });
  return {
    store,
    async close() {
      await store.close();
      await log.close();
    },
  };
}

/** Returns the damage in the log of an open store; undefined when there is none. */
export function logDamage(root: string, store: SealedStore): string | undefined {
  const history = store.history.bind(store);
  const key = new ChainKey(store.auditKey);
  const damage = verifyAuditLog(auditedHome(root).auditPlaces, key, { history })?.damage;
  return damage && `${damage.part}: ${damage.kind} (${damage.detail})`;
}
