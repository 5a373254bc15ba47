import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialStore } from "./port.ts";
import { secretDigest } from "./secret-digest.ts";

/** Returns the record of a secret, whatever its state; undefined if no credential has it. */
export async function recordOf(
  store: CredentialStore,
  secret: string,
): Promise<CredentialRecord | undefined> {
  const { record } = await store.find(secretDigest(secret), Date.now());
  return record;
}
