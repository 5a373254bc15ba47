// Records which access token `svc mcp` accepted last. With this note, `initialize` does not open the credential store to
// check the token, which would make each start a third slower. The note grants nothing: svc verifies each call.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readRegularFile } from "../../base/files.ts";

const FILE = "accepted-token.json";
const MAX_BYTES = 1000;

/**
 * True if the token was accepted, has not expired since, and no credential has changed. `secret`: the value of
 * SERVICE_TOKEN; undefined for the saved token.
 */
export function wasAccepted(
  dataDirectory: string,
  secret: string | undefined,
  now = Date.now(),
): boolean {
  try {
    const text = readRegularFile(join(dataDirectory, FILE), MAX_BYTES)?.toString();
    if (text === undefined) return false;
    const note: { readonly token?: unknown; readonly expires_at?: unknown } | null =
      JSON.parse(text);
    return note?.token === nameOf(secret) && Number(note.expires_at) > now;
  } catch {
    return false;
  }
}

/** Records that the token was accepted. Never throws: without the note, svc checks the token in the store. */
export function noteAccepted(
  dataDirectory: string,
  secret: string | undefined,
  expiresAt: number | undefined,
): void {
  if (expiresAt === undefined || wasAccepted(dataDirectory, secret)) return;
  const note = JSON.stringify({ token: nameOf(secret), expires_at: expiresAt });
  try {
    writeFileSync(join(dataDirectory, FILE), `${note}\n`, { mode: 0o600 });
  } catch {
    // A data directory that is read-only.
  }
}

/** Call this when any credential changes. Never throws. */
export function forgetAccepted(dataDirectory: string): void {
  try {
    rmSync(join(dataDirectory, FILE), { force: true });
  } catch {
    // A data directory that is read-only: no credential can have been changed in it.
  }
}

/**
 * Returns an id of the token, which shows that another one is given. 32 bits are too few to guess a token of 190 bits
 * from. It is no SHA-256 because loading node:crypto takes 10 ms of each start.
 */
function nameOf(secret: string | undefined): string {
  if (secret === undefined) return "saved";
  // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(secret)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `given ${(hash >>> 0).toString(16)}`;
}
