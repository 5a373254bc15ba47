import { join } from "node:path";

import { onTestFinished } from "vitest";

import { silentLogger } from "../../../src/base/log.ts";
import { LocalAuditLog } from "../../../src/credentials/audit/local/local-audit-log.ts";
import type { OpenAudit } from "../../../src/credentials/audit/local/store-history.ts";
import { readTail } from "../../../src/credentials/audit/local/tail.ts";
import { openOrCreateStore, openStore } from "../../../src/credentials/sealed/open-store.ts";
import { credentialsContract } from "../../contract/credentials.ts";
import { tempHome } from "../home.ts";

credentialsContract(() => {
  const home = tempHome();
  const places = { directory: join(home.root, "audit"), keyDirectory: home.keyDirectory };
  const auditWith =
    (onAppend: () => void): OpenAudit =>
    (store) => {
      const options = { ...places, withQueries: false, log: silentLogger };
      const log = new LocalAuditLog({ ...options, key: store.auditKey, known: store.history() });
      onTestFinished(log.close);
      return {
        recordEvent: (events) => {
          onAppend();
          return log.recordEvent(events);
        },
        committed: log.committed,
      };
    };
  return {
    async open({ onAppend = () => {}, isReadOnly = false } = {}) {
      const options = { ...home, audit: auditWith(onAppend), auditPlaces: places };
      if (!isReadOnly) return await openOrCreateStore(options);
      const store = await openStore({ ...options, isReadOnly });
      if (store === undefined) throw new Error("The store was not created.");
      return store;
    },
    audited: async () =>
      (readTail(places, Infinity)?.lines ?? []).map((line): Record<string, unknown> =>
        JSON.parse(line),
      ),
  };
});
