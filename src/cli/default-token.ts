import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import { verify } from "../credentials/authenticate.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import { recordOf } from "../credentials/find-credential.ts";
import type { CredentialStore } from "../credentials/port.ts";
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
  const { credentials } = app;
  const store = await credentials.store();
  const secret = await credentials.defaultToken.read();
  const isSaved = store !== undefined && secret !== undefined;
  if (isSaved && (await isValid(store, secret))) return undefined;
  const previous = isSaved ? await recordOf(store, secret) : undefined;
  return withStore({ app, io, requireKeychain: false }, async (opened) => {
    const created = await createToken(opened, {
      name,
      isNumbered: true,
      ...(previous && { namespaces: previous.namespaces, readOnly: previous.readOnly }),
    });
    await saveDefaultToken(opened, credentials.defaultToken, created.secret);
    return created.record;
  });
}

async function isValid(store: CredentialStore, secret: string): Promise<boolean> {
  try {
    await verify(store, secret, "token");
    return true;
  } catch (thrown) {
    const code = thrown instanceof SvcError ? thrown.code : undefined;
    if (code === "TOKEN_EXPIRED" || code === "CREDENTIAL_REVOKED" || code === "UNAUTHENTICATED") {
      return false;
    }
    throw thrown;
  }
}
