// Nodes of a shared backend that search in shards of an index for each other.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { SignedText } from "../../base/node-message.ts";

/** Returns the namespace if it exists. Throws NAMESPACE_NOT_FOUND. */
export type Authorize = (namespace: string) => Promise<AuthorizedNamespace>;

/** This process as one of the nodes. */
export interface SearchNodes {
  /** From now on, other nodes know that they can ask this one. */
  readonly join: () => void;
  /** Answers a message of another node. Throws UNAUTHENTICATED, INVALID_REQUEST, and what the index throws. */
  readonly answer: (message: SignedText, authorize: Authorize) => Promise<SignedText>;
  /** Leaves the nodes. */
  readonly close: () => Promise<void>;
}
