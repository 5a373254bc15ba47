import type { App } from "../app.ts";
import type { CredentialStore } from "../credentials/store.ts";
import type { BooleanFlag } from "./command.ts";
import type { Io } from "./io.ts";

export const REQUIRE_KEYCHAIN_FLAG = {
  type: "boolean",
  description: "Fail unless the system's keychain keeps the key of the credential store.",
} as const satisfies BooleanFlag;

interface WithStoreOptions {
  readonly app: App;
  readonly io: Io;
  readonly requireKeychain: boolean;
}

/** The store of this machine for a new credential; made when there is none, which is then told. */
export async function withStore<T>(
  { app, io, requireKeychain }: WithStoreOptions,
  work: (store: CredentialStore) => Promise<T>,
): Promise<T> {
  const { openOrCreateStore } = await import("../credentials/open-store.ts");
  const store = requireKeychain
    ? await openOrCreateStore({ ...(await app.storeOptions()), requireKeychain })
    : await app.createCredentials();
  try {
    if (store.notice !== undefined) io.err(`svc: ${store.notice}\n`);
    return await work(store);
  } finally {
    store.close();
  }
}
