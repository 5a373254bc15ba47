import { SvcError, toSvcError } from "../base/errors.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import { revokeCredential } from "../credentials/revoke.ts";
import type { CredentialStore } from "../credentials/store.ts";
import type { Io } from "./io.ts";

/** Throws USAGE where nobody could ever see what is printed, before there is anything to lose. */
export function requireVisibleOutput(io: Io): void {
  if (!io.outputIsLost) return;
  throw new SvcError("USAGE", "Standard output leads nowhere, and a secret is printed only once.", {
    hint: "Let it go to a terminal, a variable or a file.",
  });
}

interface ShownSecret {
  readonly record: CredentialRecord;
  /** Writes the secret alone, or the record with it, to standard output. */
  readonly print: () => void;
  /** It serves its purpose unseen: this machine keeps it. */
  readonly isSaved: boolean;
}

/**
 * Prints a new secret, the only time it can be. Nobody is left with a credential that was never seen:
 * where standard output does not take it, it is revoked again. False then.
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
  io.err(`${what} ${revoked(store, record)}\n`);
  return false;
}

/** Revokes it and says so; a failure is told here, because nothing is reported once the output is closed. */
function revoked(store: CredentialStore, { id, kind }: CredentialRecord): string {
  try {
    revokeCredential(store, { id, kind, reason: "it could not be printed" });
    return "It was revoked; create another one.";
  } catch (thrown) {
    const group = kind === "key" ? "keys" : "token";
    const { detail } = toSvcError(thrown);
    return `It could not be revoked either: ${detail} Run \`svc auth ${group} revoke ${id}\`.`;
  }
}
