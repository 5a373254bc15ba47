import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import { verify } from "../credentials/authenticate.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import type { CredentialStore } from "../credentials/store.ts";
import { createToken, saveDefaultToken } from "../credentials/access-tokens.ts";
import { withStore } from "./with-store.ts";
import type { Io } from "./io.ts";

/**
 * Creates a token and saves it as this machine's default, unless there is a valid default. The successor of an expired
 * token has the same namespaces and the same read-only flag. Returns the new token's record, or undefined if none was
 * created; the secret is never shown.
 */
export async function ensureDefaultToken(
  app: App,
  io: Io,
  name: string,
): Promise<CredentialRecord | undefined> {
  const store = await app.credentials();
  const secret = store?.defaultToken();
  if (store !== undefined && secret !== undefined && isValid(store, secret)) return undefined;
  const previous = secret === undefined ? undefined : store?.find(secret);
  return withStore({ app, io, requireKeychain: false }, async (opened) => {
    const created = createToken(opened, {
      name,
      isNumbered: true,
      ...(previous && { namespaces: previous.namespaces, readOnly: previous.readOnly }),
    });
    saveDefaultToken(opened, created.secret);
    return created.record;
  });
}

function isValid(store: CredentialStore, secret: string): boolean {
  try {
    verify(store, secret, "token");
    return true;
  } catch (thrown) {
    const code = thrown instanceof SvcError ? thrown.code : undefined;
    if (code === "TOKEN_EXPIRED" || code === "CREDENTIAL_REVOKED" || code === "UNAUTHENTICATED") {
      return false;
    }
    throw thrown;
  }
}
