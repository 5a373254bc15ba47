import type { AuthorizedNamespace } from "../../src/base/authorized-namespace.ts";
import { localOwner } from "../../src/sources/principal.ts";

/** A namespace as the owner of the machine may read it, for tests below the engine. */
export function authorized(namespace: string): AuthorizedNamespace {
  return localOwner().authorize(namespace, () => true);
}
