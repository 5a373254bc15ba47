// Credentials in the sealed store of this machine, with its audit log. Everything is loaded and opened on first use, so
// that `svc --help` opens nothing and `initialize` is answered before any of it is loaded.

import { join } from "node:path";

import type { Logger } from "../../base/log.ts";
import type { Settings } from "../../config/settings.ts";
import type { CallEvent } from "../audit-event.ts";
import { createLazyAuditLog, type LazyAuditLog } from "../audit/local/lazy-audit-log.ts";
import type { LocalAuditLog } from "../audit/local/local-audit-log.ts";
import type { CredentialBackend } from "../backend.ts";
import { forgetAccepted, noteAccepted, wasAccepted } from "./accepted-token.ts";
import type { StoreOptions } from "./open-store.ts";
import type { SealedStoreAdmin } from "./store-admin.ts";
import { storeExists } from "./store-file.ts";
import { StoreHandle } from "./store-handle.ts";

/** The credentials of this machine, and their store for its owner. */
export interface SealedBackend extends CredentialBackend {
  readonly sealedStore: () => Promise<SealedStoreAdmin>;
}

interface SealedBackendOptions {
  readonly settings: Settings;
  readonly logger: Logger;
}

export function sealedBackend({ settings, logger }: SealedBackendOptions): SealedBackend {
  const { dataDirectory } = settings;
  const storeDirectory = join(dataDirectory, "credentials");
  const places = {
    directory: join(dataDirectory, "audit"),
    // Derived when it is needed: the start of `svc mcp` needs neither it nor node:crypto.
    get keyDirectory() {
      return settings.keyDirectory;
    },
    withQueries: settings.auditQuery,
    log: logger,
  };
  const audit = createLazyAuditLog(places);
  const closing = new AbortController();
  const keychain = Promise.withResolvers<void>();
  // Does not load the audit log's code, so that `initialize` and `tools/list` do not wait for it.
  const bareOptions = async (): Promise<StoreOptions> => {
    const { storeOptionsOf } = await import("./store-options.ts");
    return storeOptionsOf(
      { settings, logger, directory: storeDirectory, auditPlaces: places },
      {
        audit,
        signal: closing.signal,
        onKeychain: keychain.resolve,
        onChange: () => forgetAccepted(dataDirectory),
      },
    );
  };
  // Other users of these options may change the store, and changes are audited synchronously.
  const storeOptions = async (): Promise<StoreOptions> => {
    await audit.load();
    return bareOptions();
  };
  const handle = new StoreHandle(async () => {
    const { openStore } = await import("./open-store.ts");
    return openStore(await bareOptions());
  });
  const store = () => audit.load().then(() => handle.get());
  const sealedStore = async (): Promise<SealedStoreAdmin> => {
    const { createStoreAdmin } = await import("./store-admin.ts");
    return createStoreAdmin({ options: await storeOptions(), auditPlaces: places, store });
  };
  const calls = recorder(audit, handle);
  return {
    mayExist: () => storeExists(storeDirectory),
    store,
    use: (work) => handle.use(work),
    async create({ requireKeychain } = {}) {
      const { openOrCreateStore } = await import("./open-store.ts");
      const created = await openOrCreateStore({ ...(await storeOptions()), requireKeychain });
      handle.set(created);
      return { store: created, notice: created.notice };
    },
    defaultToken: {
      read: () => handle.use(async (opened) => opened?.defaultToken.read()),
      save: async (...saved) => (await store())?.defaultToken.save(...saved),
      remove: async (...removed) => (await store())?.defaultToken.remove(...removed),
    },
    acceptedTokens: {
      has: (secret) => wasAccepted(dataDirectory, secret),
      add: (secret, expiresAt) => noteAccepted(dataDirectory, secret, expiresAt),
    },
    recordCall: calls.record,
    async auditReader() {
      const { LocalAuditReader } = await import("../audit/local/local-audit-reader.ts");
      return new LocalAuditReader(places, async (work) => {
        const { withUnauditedStore } = await import("./store-admin.ts");
        return withUnauditedStore(await bareOptions(), async (opened) => work(opened));
      });
    },
    slow: keychain.promise,
    sealedStore,
    async close() {
      // A blocked keychain must not delay the end of the process.
      closing.abort();
      await calls.settled();
      await handle.close();
      await audit.close();
    },
  };
}

interface CallRecorder {
  readonly record: (call: CallEvent) => void;
  /** Resolves when all calls have been passed to the log. */
  readonly settled: () => Promise<unknown>;
}

/** The key of the log is in the store, so the first call waits until both are open. */
function recorder(audit: LazyAuditLog, handle: StoreHandle): CallRecorder {
  const pending = new Set<Promise<void>>();
  const opened = async (): Promise<LocalAuditLog | undefined> => {
    const [store] = await Promise.all([handle.get(), audit.load()]);
    return store === undefined ? undefined : audit.opened();
  };
  return {
    record(call) {
      const time = Date.now();
      const handed = opened()
        .then((log) => log?.recordCall(call, time))
        .catch((error: unknown) => audit.failed(error))
        .finally(() => pending.delete(handed));
      pending.add(handed);
    },
    settled: () => Promise.all(pending),
  };
}
