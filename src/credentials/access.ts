// Verifies the credentials of callers against the store, and notices when their rights change.

import { SvcError } from "../base/errors.ts";
import type { CredentialPrincipal } from "./authenticate.ts";
import type { CredentialBackend } from "./backend.ts";
import { RightsWatcher } from "./rights-watcher.ts";
import type { CredentialKind } from "./secret-format.ts";
import type { TokenOrigin } from "./token-remedy.ts";

export interface AuthorizeOptions {
  /** False for a check without a call, so that `auth token list` does not show the token as used. */
  readonly shouldTouchLastUsed: boolean;
}

export interface CredentialAccess {
  /** Verifies SERVICE_TOKEN, else the default token. Throws UNAUTHENTICATED, TOKEN_EXPIRED or CREDENTIAL_REVOKED. */
  readonly authorize: (how?: AuthorizeOptions) => Promise<CredentialPrincipal>;
  /** Verifies a secret that a client sent. Throws the same. */
  readonly authenticateAs: (
    secret: string,
    wanted: CredentialKind,
    how?: AuthorizeOptions,
  ) => Promise<CredentialPrincipal>;
  /** Notifies listeners of changes to their credentials. */
  readonly rights: RightsWatcher;
  /** Whether there may be a token, without opening the store. */
  readonly mayHaveToken: () => boolean;
  /** True when the token to try worked before and nothing is known against it, without opening the store. */
  readonly wasTokenAccepted: () => boolean;
}

const USE: AuthorizeOptions = { shouldTouchLastUsed: true };

/** `token`: the value of SERVICE_TOKEN. */
export function credentialAccess(
  credentials: CredentialBackend,
  token: string | undefined,
): CredentialAccess {
  const authenticateAs: CredentialAccess["authenticateAs"] = async (secret, wanted, how = USE) => {
    const { authenticate, verify } = await import("./authenticate.ts");
    return credentials.use((store) =>
      how.shouldTouchLastUsed
        ? authenticate(store, secret, undefined, wanted)
        : verify(store, secret, wanted),
    );
  };
  return {
    authorize: ownTokenVerifier(credentials, token, authenticateAs),
    authenticateAs,
    rights: new RightsWatcher({
      revision: () => credentials.use(async (store) => store?.revision()),
    }),
    mayHaveToken: () => token !== undefined || credentials.mayExist(),
    wasTokenAccepted: () => credentials.acceptedTokens.has(token),
  };
}

/** Verifies SERVICE_TOKEN, else the saved token; a refusal has the remedy for the one that was tried. */
function ownTokenVerifier(
  { defaultToken, acceptedTokens }: CredentialBackend,
  token: string | undefined,
  authenticateAs: CredentialAccess["authenticateAs"],
): CredentialAccess["authorize"] {
  let isNoted = false;
  return async (how) => {
    let origin: TokenOrigin | undefined;
    try {
      const secret = token ?? (await defaultToken.read());
      if (secret === undefined) throw noToken();
      origin = token === undefined ? "store" : "environment";
      const principal = await authenticateAs(secret, "token", how);
      if (!isNoted) acceptedTokens.add(token, principal.expiresAt);
      isNoted = true;
      return principal;
    } catch (thrown) {
      if (origin === undefined) throw thrown;
      const { withTokenRemedy } = await import("./token-remedy.ts");
      throw withTokenRemedy(thrown, origin);
    }
  };
}

function noToken(): SvcError {
  return new SvcError("UNAUTHENTICATED", "No access token was given.", {
    hint: "Run `svc auth token create --name NAME --save` once on this machine, or set SERVICE_TOKEN.",
  });
}
