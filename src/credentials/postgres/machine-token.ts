import type { AuditWriter } from "../audit/port.ts";
import type { CredentialStore, DefaultToken } from "../port.ts";
import { secretDigest } from "../secret-digest.ts";

/** The default token of this machine, whose credential is in a shared store. `saved` keeps its secret on this machine. */
export function machineToken(
  saved: DefaultToken,
  store: Pick<CredentialStore, "find">,
  audit: Pick<AuditWriter, "append">,
): DefaultToken {
  return {
    read: async () => {
      const secret = await saved.read();
      if (secret === undefined) return undefined;
      const { record } = await store.find(secretDigest(secret), Date.now());
      return record?.revokedAt === undefined ? secret : undefined;
    },
    save: async (secret, credential) => {
      await audit.append([{ event: "token.save", credential }]);
      await saved.save(secret, credential);
    },
    remove: async (credential) => {
      await audit.append([{ event: "token.forget", credential }]);
      await saved.remove(credential);
    },
  };
}
