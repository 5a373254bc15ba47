// Bring your own key: what a client may send of the model provider's, and where it stands in a request.
import { SvcError } from "../../base/errors.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import { looksLikeSecret } from "../../credentials/secret-format.ts";
import type { Reranker } from "../../engine/engine.ts";
import type { Principal } from "../../sources/principal.ts";
import type { HttpExchange } from "./exchange.ts";

/** What a server does with keys of the one provider that it was started with. */
export interface Byok {
  /**
   * Who may come with a key alone; undefined where nobody may. `requireAllowed` throws when this client must not have
   * the provider asked. Throws UNAUTHENTICATED, PROVIDER_ERROR.
   */
  readonly admit: ((key: string, request: ProviderKeyRequest) => Promise<Principal>) | undefined;
  readonly rerankerFor: (key: string) => Reranker;
}

interface ProviderKeyRequest {
  readonly signal: AbortSignal;
  readonly requireAllowed: () => void;
}

/** Who may listen for events. */
export interface StreamPrincipal {
  readonly principal: CredentialPrincipal;
  /** Verifies the credential while nothing is called, which is no use of it. */
  readonly recheck: () => Promise<CredentialPrincipal>;
}

/** Who has come with a request, and what came along. */
export interface AuthContext {
  /** Whose turn it takes among the calls that wait. */
  readonly owner: string;
  /** Verifies the credential once more, when the call is about to begin. */
  readonly confirm: () => Promise<Principal>;
  /** Undefined for a key that came alone: its holders share one name, and would take each other's streams. */
  readonly listener: StreamPrincipal | undefined;
  readonly reranker: Reranker | undefined;
  /** True when a key of the provider came along. */
  readonly isByok: boolean;
}

/** Visible ASCII: what can stand in a header without being read as something else. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** The value of `Authorization: Bearer`; "" where there is none. */
export function bearerOf({ request }: HttpExchange): string {
  const { authorization = "" } = request.headers;
  return /^bearer +(?<secret>\S+)\s*$/i.exec(authorization)?.groups?.["secret"] ?? "";
}

/** True for a bearer that can only be the provider's. */
export function isProviderKey(bearer: string): boolean {
  return KEY.test(bearer) && !looksLikeSecret(bearer);
}

/** The key in a header of its own; undefined where there is none. Throws INVALID_REQUEST, or FORBIDDEN where none is taken. */
export function providerKeyHeader(
  { request }: HttpExchange,
  byok: Byok | undefined,
): string | undefined {
  const given = request.headers["x-provider-key"];
  if (given === undefined) return undefined;
  const key = String(given).trim();
  if (byok === undefined) {
    throw new SvcError("FORBIDDEN", "This server takes no keys of model providers.", {
      hint: "Leave X-Provider-Key out, or start the server with --byok and --provider URL.",
    });
  }
  if (looksLikeSecret(key)) {
    throw new SvcError("INVALID_REQUEST", "X-Provider-Key holds a credential of svc.", {
      hint: "It was not sent on. Give it as Authorization: Bearer, and the provider's key here.",
    });
  }
  if (!KEY.test(key)) {
    throw new SvcError("INVALID_REQUEST", "X-Provider-Key holds no key.", {
      hint: "Give it as one word, or leave the header out.",
    });
  }
  return key;
}
