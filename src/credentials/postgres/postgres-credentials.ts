// Credentials and the audit log in the database of a shared backend. Everything is loaded and opened on first use.

import { userInfo } from "node:os";

import { SvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { PostgresAuditLog } from "../audit/postgres/postgres-audit-log.ts";
import type { CredentialBackend } from "../backend.ts";
import type { CredentialStore, DefaultToken } from "../port.ts";

/** A credential that another node revoked counts as valid for this time at most. */
const MAX_AGE_MS = 1000;

interface PostgresCredentialsOptions {
  /** As `parseDatabaseUrl` takes it. */
  readonly url: string;
  /** The credentials of this machine, whose sealed store keeps the secret of the default token. */
  readonly machine: CredentialBackend;
  /** Whether the audit log contains the text of queries. */
  readonly withQueries: boolean;
  readonly logger: Logger;
}

/** What is open after the first use. */
interface Opened {
  readonly store: CredentialStore;
  readonly audit: PostgresAuditLog;
  readonly defaultToken: DefaultToken;
  readonly close: () => Promise<void>;
}

/** Opens the credentials of a shared backend. Connects with the first use; methods throw BACKEND_UNAVAILABLE and USAGE. */
export function postgresCredentials(options: PostgresCredentialsOptions): CredentialBackend {
  const { machine, logger } = options;
  let opening: Promise<Opened> | undefined;
  const opened = (): Promise<Opened> => (opening ??= openShared(options));
  return {
    // Only the database knows.
    mayExist: () => true,
    store: async () => (await opened()).store,
    use: async (work) => work((await opened()).store),
    async create({ requireKeychain = false } = {}) {
      if (requireKeychain) {
        throw new SvcError(
          "USAGE",
          "The credentials are in a shared backend, not on this machine.",
          {
            hint: "Leave out --require-keychain.",
          },
        );
      }
      return { store: (await opened()).store, notice: undefined };
    },
    defaultToken: {
      read: async () => (await opened()).defaultToken.read(),
      save: async (secret, credential) => (await opened()).defaultToken.save(secret, credential),
      remove: async (credential) => (await opened()).defaultToken.remove(credential),
    },
    // Another node may have revoked it.
    acceptedTokens: { has: () => false, add: () => {} },
    recordCall(call) {
      const time = Date.now();
      void opened().then(
        ({ audit }) => audit.recordCall(call, time),
        (error: unknown) => logger.warn("a call was not audited", { error }),
      );
    },
    auditReader: async () => (await opened()).audit,
    slow: machine.slow,
    async close() {
      const open = await opening?.catch(() => undefined);
      await Promise.all([open?.close(), machine.close()]);
    },
  };
}

async function openShared({
  url,
  machine,
  withQueries,
  logger,
}: PostgresCredentialsOptions): Promise<Opened> {
  const [{ Database }, { parseDatabaseUrl }, { PostgresAuditLog }, storing, { machineToken }] =
    await Promise.all([
      import("../../postgres/database.ts"),
      import("../../postgres/database-url.ts"),
      import("../audit/postgres/postgres-audit-log.ts"),
      import("./postgres-credential-store.ts"),
      import("./machine-token.ts"),
    ]);
  const database = new Database(parseDatabaseUrl(url), userInfo().username);
  const audit = new PostgresAuditLog(database, {
    withQueries,
    onFailure: (error) => logger.warn("calls could not be audited yet", { error }),
  });
  const store = new storing.PostgresCredentialStore(database, { audit, maxAgeMs: MAX_AGE_MS });
  const saved: DefaultToken = {
    read: () => machine.defaultToken.read(),
    async save(secret, credential) {
      await machine.create();
      await machine.defaultToken.save(secret, credential);
    },
    remove: (credential) => machine.defaultToken.remove(credential),
  };
  return {
    store,
    audit,
    defaultToken: machineToken(saved, store, audit),
    async close() {
      await store.close();
      await audit.close();
      await database.close();
    },
  };
}
