import type { AuthorizedNamespace } from "../../src/base/authorized-namespace.ts";
import { localOwner } from "../../src/sources/principal.ts";

/** A namespace authorized for the owner of the machine, for tests below the engine. */
export function authorized(namespace: string): AuthorizedNamespace {
  return localOwner().authorize(namespace, () => true);
}
