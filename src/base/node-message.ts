// The protocol constants that sender and receiver of a message between nodes of a team share.

/** Where a node receives messages of others, after its address. */
export const NODE_PATH = "/internal/v1/search";
/** The header with the signature of a message, and of its reply. */
export const SIGNATURE_HEADER = "x-svc-signature";

/** A message or its reply, with a signature that shows where it comes from. */
export interface SignedText {
  readonly body: string;
  readonly signature: string;
}
