// Which access token this machine's `svc mcp` was last let in with. `initialize` need not open the store to know that a
// token works: that would cost each start of an editor a third more. The note decides nothing: each call is verified.
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readRegularFile } from "../base/files.ts";

const FILE = "accepted-token.json";
const MAX_BYTES = 1000;

/** True when that token was accepted, has not expired since, and no credential was changed. `secret`: of SERVICE_TOKEN; undefined for the saved token. */
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

/** Notes that the token was accepted. Never throws: without the note the store is asked. */
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

/** To be called when any credential changes. Never throws. */
export function forgetAccepted(dataDirectory: string): void {
  try {
    rmSync(join(dataDirectory, FILE), { force: true });
  } catch {
    // A data directory that is read-only: no credential can have been changed in it.
  }
}

/** Not the hash by which the store finds a token. */
function nameOf(secret: string | undefined): string {
  if (secret === undefined) return "saved";
  return createHash("sha256").update(`accepted\n${secret}`).digest("hex");
}
