import { hash } from "node:crypto";

/**
 * Returns the SHA-256 of the whole secret, in hexadecimal. No slow hash is needed, because a secret has 190 random bits.
 */
export function secretDigest(secret: string): string {
  return hash("sha256", secret, "hex");
}
