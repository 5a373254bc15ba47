// Which access token `svc mcp` uses here, and when it expires, for commands that show it.
import type { App } from "../app.ts";
import { expiresSoon, renewCommand } from "../credentials/token-expiry.ts";
import { withTokenRemedy } from "../credentials/token-remedy.ts";
import { safeLine } from "./print/safe-text.ts";
import { isoTime } from "./print/time.ts";

/** The JSON of `svc status` and `svc install`. `problem` has the reason and the remedy of a token that fails. */
interface TokenInUse {
  readonly source: "saved" | "SERVICE_TOKEN";
  readonly token_id?: string;
  readonly name?: string;
  readonly expires_at?: string;
  /** The command to run in the last seven days of the token. */
  readonly renew?: string;
  readonly problem?: string;
}

/**
 * Describes `given`, the value of SERVICE_TOKEN, else the saved token; null if there is none. Does not count as a use of the
 * token.
 */
export async function tokenInUse(app: App, given: string | undefined): Promise<TokenInUse | null> {
  if (given === undefined && !app.credentials.mayExist()) return null;
  const origin = given === undefined ? "store" : "environment";
  const source = given === undefined ? "saved" : "SERVICE_TOKEN";
  try {
    const secret = given ?? (await app.credentials.defaultToken.read());
    if (secret === undefined) return null;
    const how = { shouldTouchLastUsed: false };
    const { id, name, expiresAt } = await app.authenticateAs(secret, "token", how);
    return {
      source,
      token_id: id,
      name,
      ...(expiresAt === undefined ? {} : { expires_at: isoTime(expiresAt) }),
      ...(expiresSoon(expiresAt, Date.now()) ? { renew: renewCommand(origin, id) } : {}),
    };
  } catch (thrown) {
    return { source, problem: withTokenRemedy(thrown, origin).detail };
  }
}

/** One line of text. */
export function describeToken({ source, name, expires_at, renew, problem }: TokenInUse): string {
  const which = source === "saved" ? "saved on this machine" : "from SERVICE_TOKEN";
  if (problem !== undefined) return `Access token ${which}: ${problem}`;
  const end = expires_at === undefined ? "does not expire" : `expires ${expires_at}`;
  const remedy = renew === undefined ? "" : ` Run \`${renew}\` to renew it.`;
  return `Access token "${safeLine(name ?? "")}", ${which}, ${end}.${remedy}`;
}
