// Credentials in memory, verified by the code that the program uses.
import { credentialAccess, type CredentialAccess } from "../../../src/credentials/access.ts";
import type { CredentialRecord } from "../../../src/credentials/credential-record.ts";
import {
  memoryCredentials,
  sharedCredentialMemory,
} from "../../../src/credentials/memory/memory-backend.ts";
import { RightsWatcher } from "../../../src/credentials/rights-watcher.ts";
import { secretDigest } from "../../../src/credentials/secret-digest.ts";

/** Secrets of the published format, with valid check characters. */
export const SECRETS = {
  token: "svt_000000000000000000000000000000000Byi4J",
  otherToken: "svt_UVWXYZabcdefghijklmnopqrstuvwxyz1qvW7a",
  key: "svk_000000000000000000000000000000000sJerT",
} as const;

type GivenCredential = Pick<CredentialRecord, "id" | "kind" | "namespaces"> & {
  readonly secret: string;
};

export interface MemoryAccess extends CredentialAccess {
  /** Changes the record with this id, as another process does. */
  readonly change: (id: string, values: Partial<CredentialRecord>) => Promise<void>;
}

/** Returns access to these credentials. Listeners notice a change within `intervalMs`. */
export async function memoryAccess(
  credentials: readonly GivenCredential[],
  intervalMs = 1000,
): Promise<MemoryAccess> {
  const backend = memoryCredentials(sharedCredentialMemory());
  const { store } = await backend.create();
  await store.write(({ put }) => {
    for (const { secret, ...record } of credentials) {
      const digest = secretDigest(secret);
      put({ ...record, name: "test", readOnly: false, createdAt: 0, digest });
    }
  });
  return {
    ...credentialAccess(backend, undefined),
    rights: new RightsWatcher({ revision: store.revision, intervalMs }),
    change: (id, values) =>
      store.write(({ records, put }) => {
        const record = records.get(id);
        if (record === undefined) throw new Error(`There is no ${id}.`);
        put({ ...record, ...values });
      }),
  };
}
