// `/page/session`: signing in to the search page, and out.
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import { pageOwner } from "../../credentials/page-owner.ts";
import type { Authenticator } from "./authenticator.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { cookieHeader, requireOwnPage, type PageSessions } from "./page-sessions.ts";
import { sendBody, sendJson } from "./reply.ts";

interface PageSessionOptions {
  readonly authenticator: Authenticator;
  readonly sessions: PageSessions;
  readonly audit: (call: CallEvent) => void;
}

const NO_CONTENT = 204;

/**
 * POST opens a session for the API key, the access token or the one-time code in the headers: no body is read, and no form
 * or link of another page can send them. GET describes the present session, DELETE ends it.
 */
export async function handlePageSession(
  exchange: HttpExchange,
  options: PageSessionOptions,
): Promise<void> {
  requireMethod(exchange, ["GET", "HEAD", "POST", "DELETE"]);
  requireOwnPage(exchange);
  const { method } = exchange.request;
  if (method === "POST") {
    await signIn(exchange, options);
    return;
  }
  if (method === "DELETE") {
    options.sessions.end(exchange);
    exchange.response.setHeader("Set-Cookie", cookieHeader(exchange, undefined));
    sendBody(exchange, NO_CONTENT, undefined);
    return;
  }
  sendJson(exchange, 200, description(await options.authenticator.authenticate(exchange, "key")));
}

async function signIn(exchange: HttpExchange, options: PageSessionOptions): Promise<void> {
  const { sessions } = options;
  let principal: CredentialPrincipal | undefined;
  let outcome = "ok";
  try {
    const verify = await holderOf(exchange, options);
    principal = await options.authenticator.countFailures(exchange, verify);
    const { cookie, pageToken } = sessions.open(verify);
    exchange.response.setHeader("Set-Cookie", cookieHeader(exchange, cookie));
    sendJson(exchange, 200, { page_token: pageToken, ...description(principal) });
  } catch (thrown) {
    outcome = toSvcError(thrown).code;
    throw thrown;
  } finally {
    // The authenticator has audited a refusal.
    if (principal !== undefined) report(exchange, options, { principal: principal.id, outcome });
  }
}

/** Returns what verifies the credential of the request, now and with each request of its session. */
async function holderOf(
  exchange: HttpExchange,
  { authenticator, sessions }: PageSessionOptions,
): Promise<() => Promise<CredentialPrincipal>> {
  const { authorization, "x-api-key": key, "x-svc-code": code } = exchange.request.headers;
  if (authorization !== undefined || key !== undefined) {
    return authenticator.verifier(exchange, key === undefined ? "token" : "key");
  }
  if (code === undefined) throw noCredential();
  await authenticator.countFailures(exchange, async () => sessions.useCode(String(code)));
  return () => Promise.resolve(pageOwner());
}

function noCredential(): SvcError {
  return new SvcError("UNAUTHENTICATED", "No credential was given.", {
    hint: "Send an API key as X-API-Key, or an access token as Authorization: Bearer TOKEN.",
  });
}

function description({ kind, name, id, isAdmin }: CredentialPrincipal): object {
  return { id, name, kind, admin: isAdmin };
}

function report(
  { receivedAt }: HttpExchange,
  { audit }: PageSessionOptions,
  { principal, outcome }: Pick<CallEvent, "principal" | "outcome">,
): void {
  audit({
    principal,
    tool: "/page/session",
    namespace: null,
    outcome,
    ms: Math.round(performance.now() - receivedAt),
    items: 0,
    characters: 0,
    request: null,
  });
}
