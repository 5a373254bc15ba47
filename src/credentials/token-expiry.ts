// Notes for people and models on a token that will expire.
import type { CredentialPrincipal } from "./authenticate.ts";
import type { TokenOrigin } from "./token-remedy.ts";

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** From so many milliseconds before its end on, a token is said to expire. */
const NOTICE_MS = 7 * DAY_MS;

/** True in the last seven days of a token. Times in milliseconds since 1970. */
export function expiresSoon(expiresAt: number | undefined, now: number): boolean {
  return expiresAt !== undefined && expiresAt - now <= NOTICE_MS;
}

/** The command that renews the token of this machine; with an id, the one that SERVICE_TOKEN holds. */
export function renewCommand(origin: TokenOrigin, id: string): string {
  return origin === "store" ? "svc auth token renew" : `svc auth token renew ${id}`;
}

/** One line for a model and its user in the last seven days of a token; undefined before. */
export function expiryNote(
  { id, name, expiresAt }: Pick<CredentialPrincipal, "id" | "name" | "expiresAt">,
  origin: TokenOrigin,
  now = Date.now(),
): string | undefined {
  if (expiresAt === undefined || !expiresSoon(expiresAt, now)) return undefined;
  const date = new Date(expiresAt).toISOString();
  return `Note for your user: the access token "${oneLine(name)}" of svc expires ${leftText(expiresAt - now)}, at ${date}. Run \`${renewCommand(origin, id)}\` to renew it.`;
}

function leftText(leftMs: number): string {
  if (leftMs >= 2 * DAY_MS) return `in ${Math.floor(leftMs / DAY_MS)} days`;
  if (leftMs >= 2 * HOUR_MS) return `in ${Math.floor(leftMs / HOUR_MS)} hours`;
  return "in less than 2 hours";
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029"`]/gu, " ");
}
