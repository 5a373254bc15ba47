import { requireNamespaces } from "./credential-namespaces.ts";
import { requireCredentialName, requireFreeName } from "./credential-name.ts";
import { newId, newSecret } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialStore } from "./port.ts";
import { secretDigest } from "./secret-digest.ts";

interface KeyRequest {
  readonly name: string;
  /** The namespaces that the key can search; `all` includes later ones. They never change. */
  readonly namespaces: "all" | readonly string[];
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
  { name, namespaces }: KeyRequest,
  now = Date.now(),
): Promise<NewKey> {
  requireCredentialName(name);
  requireNamespaces(namespaces);
  const secret = newSecret("key");
  const record: CredentialRecord = {
    id: newId("key"),
    kind: "key",
    name,
    namespaces: namespaces === "all" ? namespaces : [...new Set(namespaces)],
    // A key is for the REST search, which changes nothing.
    readOnly: true,
    createdAt: await store.time(now),
    digest: secretDigest(secret),
  };
  await store.write(({ records, put, audit }) => {
    requireFreeName(records.values(), record, record.createdAt);
    put(record);
    audit({ event: "key.create", credential: record.id, details: namespacesOfKey(record) });
  });
  return { record, secret };
}

/**
 * Returns the namespaces of an API key as its JSON has them: `namespace` for one, `namespaces` for several, and "all".
 */
export function namespacesOfKey({
  namespaces,
}: Pick<CredentialRecord, "namespaces">):
  | { readonly namespace: string }
  | { readonly namespaces: "all" | readonly string[] } {
  const [only, ...others] = namespaces === "all" ? [] : namespaces;
  return only === undefined || others.length > 0 ? { namespaces } : { namespace: only };
}
