// Negotiates the protocol version. No other file compares versions.
import { SvcError } from "../base/errors.ts";

/** The version in the interface, which serverInfo always has. */
export const DOCUMENTED_VERSION = "2024-11-05";

/** Versions without a handshake: each request names its version. */
export const STATELESS_VERSIONS: readonly string[] = ["2026-07-28"];

export const CAPABILITIES = { tools: { listChanged: true } } as const;

/** Newest version with a handshake. */
const NEWEST = "2025-11-25";
const VERSIONS = new Set([DOCUMENTED_VERSION, "2025-03-26", "2025-06-18", NEWEST]);

/**
 * The version that `initialize` returns: the requested one if it is supported, else the newest. A client that names
 * none follows the interface and gets the documented version.
 */
export function negotiate(requested: unknown): string {
  if (requested === undefined) return DOCUMENTED_VERSION;
  if (typeof requested !== "string") {
    throw new SvcError("INVALID_PARAMS", "protocolVersion must be a string.", {
      hint: `For example "${NEWEST}".`,
    });
  }
  return VERSIONS.has(requested) ? requested : NEWEST;
}

/** All supported versions. */
export const KNOWN_VERSIONS: readonly string[] = [...VERSIONS, ...STATELESS_VERSIONS];

export function isStateless(version: string): boolean {
  return STATELESS_VERSIONS.includes(version);
}

/** Only 2025-03-26 has batches. `version` is undefined before `initialize`. */
export function allowsBatches(version: string | undefined): boolean {
  return version === undefined || version === "2025-03-26";
}
