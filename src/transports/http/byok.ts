// Bring your own key: the provider keys that a client may send, and the headers that contain them.
import { SvcError } from "../../base/errors.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import { looksLikeSecret } from "../../credentials/secret-format.ts";
import type { Reranker } from "../../engine/api/search.ts";
import type { Principal } from "../../sources/principal.ts";
import type { HttpExchange } from "./exchange.ts";

/** What a server does with keys of the model provider that it was started with. */
export interface Byok {
  /**
   * Authenticates a client by only a provider key; undefined when the server does not allow that. `requireAllowed`
   * throws when the provider must not be asked for this client. Throws UNAUTHENTICATED and PROVIDER_ERROR.
   */
  readonly authenticate:
    | ((key: string, request: ProviderKeyRequest) => Promise<Principal>)
    | undefined;
  /** Returns a reranker that uses this key. */
  readonly rerankerFor: (key: string) => Reranker;
}

interface ProviderKeyRequest {
  readonly signal: AbortSignal;
  readonly requireAllowed: () => void;
}

/** A principal that may listen for events. */
export interface StreamPrincipal {
  readonly principal: CredentialPrincipal;
  /** Verifies the credential without recording a use. */
  readonly recheck: () => Promise<CredentialPrincipal>;
}

/** The authenticated client of a request. */
export interface AuthContext {
  /** Id of the owner whose turn the call takes in the queue. */
  readonly owner: string;
  /** Verifies the credential again when the call is about to begin. */
  readonly confirm: () => Promise<Principal>;
  /**
   * Undefined for a client with only a provider key: such clients share one principal and would use up each other's
   * streams.
   */
  readonly listener: StreamPrincipal | undefined;
  /** Reranker with the request's provider key; undefined without one. */
  readonly reranker: Reranker | undefined;
  /** True when the request has a provider key. */
  readonly isByok: boolean;
}

/** Visible ASCII, which every server reads alike in a header. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** Returns the value of `Authorization: Bearer`; empty when there is none. */
export function bearerOf({ request }: HttpExchange): string {
  const { authorization = "" } = request.headers;
  return /^bearer +(?<secret>\S+)\s*$/i.exec(authorization)?.groups?.["secret"] ?? "";
}

/** True for a bearer token that can only be a provider key. */
export function isProviderKey(bearer: string): boolean {
  return KEY.test(bearer) && !looksLikeSecret(bearer);
}

/**
 * Returns the provider key of its own header; undefined when there is none. Throws INVALID_REQUEST, or FORBIDDEN
 * when the server accepts none.
 */
export function providerKeyHeader(
  { request }: HttpExchange,
  byok: Byok | undefined,
): string | undefined {
  const given = request.headers["x-provider-key"];
  if (given === undefined) return undefined;
  const key = String(given).trim();
  if (byok === undefined) {
    throw new SvcError("FORBIDDEN", "This server does not accept provider keys.", {
      hint: "Omit X-Provider-Key, or start the server with --byok and --provider URL.",
    });
  }
  if (looksLikeSecret(key)) {
    throw new SvcError("INVALID_REQUEST", "X-Provider-Key contains a credential of svc.", {
      hint: "It was not forwarded. Send it as Authorization: Bearer, and the provider's key as X-Provider-Key.",
    });
  }
  if (!KEY.test(key)) {
    throw new SvcError("INVALID_REQUEST", "X-Provider-Key contains no valid key.", {
      hint: "Send the key as one word, or omit the header.",
    });
  }
  return key;
}
