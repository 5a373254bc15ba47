import { requireNamespaceName } from "../sources/namespace.ts";
import { requireCredentialName, requireFreeName } from "./credential-name.ts";
import { newId, newSecret } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialStore } from "./port.ts";
import { secretDigest } from "./secret-digest.ts";

interface KeyRequest {
  readonly name: string;
  /** The only namespace that the key opens. It never changes. */
  readonly namespace: string;
}

interface NewKey {
  readonly record: CredentialRecord;
  /** Shown to the user once; the store keeps its SHA-256. */
  readonly secret: string;
}

/**
 * Creates an API key, which does not expire. Throws USAGE when a name or namespace is invalid, or when the name is
 * taken.
 */
export async function createKey(
  store: CredentialStore,
  { name, namespace }: KeyRequest,
  now = Date.now(),
): Promise<NewKey> {
  requireCredentialName(name);
  requireNamespaceName(namespace);
  const secret = newSecret("key");
  const record: CredentialRecord = {
    id: newId("key"),
    kind: "key",
    name,
    namespaces: [namespace],
    // A key is for the REST search, which changes nothing.
    readOnly: true,
    createdAt: await store.time(now),
    digest: secretDigest(secret),
  };
  await store.write(({ records, put, audit }) => {
    requireFreeName(records.values(), record, record.createdAt);
    put(record);
    audit({ event: "key.create", credential: record.id, details: { namespace } });
  });
  return { record, secret };
}

/** Returns the namespace that an API key was created for. */
export function namespaceOfKey({ namespaces }: CredentialRecord): string {
  return namespaces === "all" ? "" : (namespaces[0] ?? "");
}
