import type { App } from "../app.ts";
import type { CredentialStore } from "../credentials/port.ts";
import type { BooleanFlag } from "./flag-definition.ts";
import type { Io } from "./io.ts";

export const REQUIRE_KEYCHAIN_FLAG = {
  type: "boolean",
  description: "Fail unless the key of the credential store is in the system keychain.",
} as const satisfies BooleanFlag;

interface WithStoreOptions {
  readonly app: App;
  readonly io: Io;
  readonly requireKeychain: boolean;
}

/** Opens the credential store for a new credential. Creates it if there is none, and prints a notice. */
export async function withStore<T>(
  { app, io, requireKeychain }: WithStoreOptions,
  work: (store: CredentialStore) => Promise<T>,
): Promise<T> {
  const { store, notice } = await app.credentials.create({ requireKeychain });
  if (notice !== undefined) io.err(`svc: ${notice}\n`);
  return work(store);
}
