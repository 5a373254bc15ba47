import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import { verify } from "../credentials/authenticate.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import { recordOf } from "../credentials/find-credential.ts";
import type { CredentialStore } from "../credentials/port.ts";
import { createToken, saveDefaultToken } from "../credentials/access-tokens.ts";
import { renewToken } from "../credentials/renew.ts";
import { withStore } from "./with-store.ts";
import type { Io } from "./io.ts";

/** What became of this machine's default token. */
export interface EnsuredToken {
  readonly record: CredentialRecord;
  readonly change: "created" | "renewed";
}

/**
 * Creates a token and saves it as this machine's default, unless there is a valid default. Renews an expired one. The
 * successor of a revoked token has the same namespaces and the same read-only flag. Returns the token that was created or
 * renewed, or undefined if nothing was changed; the secret is never shown.
 */
export async function ensureDefaultToken(
  app: App,
  io: Io,
  name: string,
): Promise<EnsuredToken | undefined> {
  const { credentials } = app;
  const store = await credentials.store();
  const secret = await credentials.defaultToken.read();
  const isSaved = store !== undefined && secret !== undefined;
  const state = isSaved ? await stateOf(store, secret) : "missing";
  if (state === "valid") return undefined;
  if (state === "expired") {
    const { record } = await renewToken(store, { saved: credentials.defaultToken });
    return { record, change: "renewed" };
  }
  const previous = isSaved ? await recordOf(store, secret) : undefined;
  return withStore({ app, io, requireKeychain: false }, async (opened) => {
    const created = await createToken(opened, {
      name,
      isNumbered: true,
      ...(previous && { namespaces: previous.namespaces, readOnly: previous.readOnly }),
    });
    await saveDefaultToken(opened, credentials.defaultToken, created.secret);
    return { record: created.record, change: "created" };
  });
}

async function stateOf(
  store: CredentialStore,
  secret: string,
): Promise<"valid" | "expired" | "refused"> {
  try {
    await verify(store, secret, "token");
    return "valid";
  } catch (thrown) {
    const code = thrown instanceof SvcError ? thrown.code : undefined;
    if (code === "TOKEN_EXPIRED") return "expired";
    if (code === "CREDENTIAL_REVOKED" || code === "UNAUTHENTICATED") return "refused";
    throw thrown;
  }
}
