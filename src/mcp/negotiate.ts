// Which revision of the protocol is spoken, and what follows from it. Nothing else compares versions.
import { SvcError } from "../base/errors.ts";

/** The version the interface documents; it stands in serverInfo whatever is negotiated. */
export const DOCUMENTED_VERSION = "2024-11-05";

/** Revisions without a handshake: each request names the one it speaks. */
export const STATELESS_VERSIONS: readonly string[] = ["2026-07-28"];

export const CAPABILITIES = { tools: { listChanged: true } } as const;

/** Of the revisions with a handshake. */
const NEWEST = "2025-11-25";
const VERSIONS = new Set([DOCUMENTED_VERSION, "2025-03-26", "2025-06-18", NEWEST]);

/**
 * The version `initialize` answers: the requested one if it is spoken here, else the newest. A
 * client that asks for none is one the interface shows, and gets the documented one.
 */
export function negotiate(requested: unknown): string {
  if (requested === undefined) return DOCUMENTED_VERSION;
  if (typeof requested !== "string") {
    throw new SvcError("INVALID_PARAMS", "protocolVersion is a string.", {
      hint: `For example "${NEWEST}".`,
    });
  }
  return VERSIONS.has(requested) ? requested : NEWEST;
}

/** Every revision that is spoken, of either kind. */
export const KNOWN_VERSIONS: readonly string[] = [...VERSIONS, ...STATELESS_VERSIONS];

export function isStateless(version: string): boolean {
  return STATELESS_VERSIONS.includes(version);
}

/** Batches came with 2025-03-26 and went with the next one. `version` is undefined before `initialize`. */
export function allowsBatches(version: string | undefined): boolean {
  return version === undefined || version === "2025-03-26";
}
