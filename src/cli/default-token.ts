import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import { verify } from "../credentials/authenticate.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import type { CredentialStore } from "../credentials/store.ts";
import { createToken, saveDefaultToken } from "../credentials/access-tokens.ts";
import { withStore } from "./with-store.ts";
import type { Io } from "./io.ts";

/**
 * Makes a token and saves it as this machine's default, unless there is one in force: that is used as it is. The
 * successor of one that has expired may see no more than that. Undefined where nothing had to be made; the secret
 * is shown to nobody.
 */
export async function ensureDefaultToken(
  app: App,
  io: Io,
  name: string,
): Promise<CredentialRecord | undefined> {
  const store = await app.credentials();
  const secret = store?.defaultToken();
  if (store !== undefined && secret !== undefined && isInForce(store, secret)) return undefined;
  const former = secret === undefined ? undefined : store?.find(secret);
  return withStore({ app, io, requireKeychain: false }, async (opened) => {
    const created = createToken(opened, {
      name,
      isNumbered: true,
      ...(former && { namespaces: former.namespaces, readOnly: former.readOnly }),
    });
    saveDefaultToken(opened, created.secret);
    return created.record;
  });
}

function isInForce(store: CredentialStore, secret: string): boolean {
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
