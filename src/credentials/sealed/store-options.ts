import { join } from "node:path";

import type { Logger } from "../../base/log.ts";
import type { Settings } from "../../config/settings.ts";
import type { LazyAuditLog } from "../audit/local/lazy-audit-log.ts";
import type { AuditDirectories } from "../audit/local/log-files.ts";
import { systemKeychain } from "../keychain/data-key-keychain.ts";
import type { StoreOptions } from "./open-store.ts";

interface StorePlace {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly directory: string;
  readonly auditPlaces: AuditDirectories;
}

interface StoreUse {
  /** Must be loaded before the store is changed. */
  readonly audit: LazyAuditLog;
  /** Ends requests to the keychain. */
  readonly signal: AbortSignal;
  readonly onKeychain: () => void;
  /** Called before a change of credentials is recorded. */
  readonly onChange: () => void;
}

/** Returns the options that open the store of this machine and record its events. */
export function storeOptionsOf(
  { settings, logger, directory, auditPlaces }: StorePlace,
  { audit, signal, onKeychain, onChange }: StoreUse,
): StoreOptions {
  const { dataDirectory, keyDirectory, keyFile, passphrase } = settings;
  return {
    directory,
    keyDirectory,
    keyFile,
    passphrase,
    keychain: systemKeychain({
      nativeDirectory: join(dataDirectory, "native"),
      onRequest: onKeychain,
      signal,
    }),
    log: logger,
    auditPlaces,
    audit: (store) => {
      audit.setStore(store);
      return {
        recordEvent: (events) => {
          onChange();
          return audit.opened().recordEvent(events);
        },
        committed: (generation) => audit.opened().committed(generation),
      };
    },
  };
}
