import { SvcError, toSvcError } from "../base/errors.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import { revokeCredential } from "../credentials/revoke.ts";
import type { CredentialStore } from "../credentials/port.ts";
import type { Io } from "./io.ts";

/** Throws USAGE if output would be lost; called before a secret is created. */
export function requireVisibleOutput(io: Io): void {
  if (!io.outputIsLost) return;
  throw new SvcError("USAGE", "Standard output is discarded, and a secret is printed only once.", {
    hint: "Send it to a terminal, a variable or a file.",
  });
}

interface ShownSecret {
  readonly record: CredentialRecord;
  /** Writes the secret, or the record that contains it, to standard output. */
  readonly print: () => void;
  /** True: this machine has saved the secret, so it is usable unseen. */
  readonly isSaved: boolean;
}

/**
 * Prints a new secret, which can be done only once. Returns false if standard output fails; the credential is then
 * revoked, unless this machine has saved it.
 */
export async function showSecret(
  io: Io,
  store: CredentialStore,
  { record, print, isSaved }: ShownSecret,
): Promise<boolean> {
  print();
  await io.flush();
  if (!io.outputClosed.aborted) return true;
  const what = `svc: ${record.id} "${record.name}" could not be printed: standard output is closed or full.`;
  if (isSaved) {
    io.err(`${what} It stays this machine's default token.\n`);
    return false;
  }
  io.err(`${what} ${await revoked(store, record)}\n`);
  return false;
}

/** Revokes the credential and returns a message. A failure is part of it: once the output is closed, no other is reported. */
async function revoked(store: CredentialStore, { id, kind }: CredentialRecord): Promise<string> {
  try {
    await revokeCredential(store, { id, kind, reason: "it could not be printed" });
    return "It was revoked; create another one.";
  } catch (thrown) {
    const group = kind === "key" ? "keys" : "token";
    const { detail } = toSvcError(thrown);
    return `It could not be revoked either: ${detail} Run \`svc auth ${group} revoke ${id}\`.`;
  }
}
