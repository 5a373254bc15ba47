// Who is signed in to the search page (docs/decisions/0073-sessions-of-the-page.md). Sessions are in memory: they end with
// the server.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

import { errorRow, SvcError, toSvcError } from "../../base/errors.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import type { HttpExchange } from "./exchange.ts";
import { UNAUTHORIZED } from "./reply.ts";

/** Verifies the credential of a session again. Throws UNAUTHENTICATED and the other errors of credentials. */
type VerifyHolder = () => Promise<CredentialPrincipal>;

/** The two halves that only the browser of the session knows. */
interface NewPageSession {
  /** For the cookie, which no script can read. */
  readonly cookie: string;
  /** For the header, which no other page can send. */
  readonly pageToken: string;
}

interface Session {
  readonly pageTokenHash: Buffer;
  readonly verify: VerifyHolder;
  /** On the clock of the sessions, in milliseconds: when it ends without a request, and when it ends in any case. */
  idleEnd: number;
  readonly end: number;
}

const HOUR_MS = 60 * 60_000;
/** A page that is open all day stays signed in; one that was left for a night does not. */
const IDLE_MS = 8 * HOUR_MS;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
const CODE_MS = 2 * 60_000;
/** The session that was used least recently ends when there is one more. */
const MAX_SESSIONS = 1000;
const SECRET_BYTES = 32;
const PAGE_TOKEN_HEADER = "x-svc-page";
/** A browser accepts a cookie with this prefix only with `Secure`, from its own host, for the whole host. */
const SECURE_PREFIX = "__Host-";

/** The sessions of one server, and its one-time codes. */
export class PageSessions {
  readonly #now: () => number;
  /** By the SHA-256 of the cookie; the session that was used last is the last one. */
  readonly #sessions = new Map<string, Session>();
  readonly #codes = new Map<string, number>();

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Number of sessions, ended ones included. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Returns a code that signs the owner of the machine in, once and within two minutes. */
  newCode(): string {
    const code = newSecret();
    this.#codes.set(digestOf(code), this.#now() + CODE_MS);
    return code;
  }

  /** Uses a code up. Throws UNAUTHENTICATED unless it is unused and not too old. */
  useCode(code: string): void {
    const digest = digestOf(code);
    const end = this.#codes.get(digest) ?? 0;
    this.#codes.delete(digest);
    if (end > this.#now()) return;
    throw new SvcError("UNAUTHENTICATED", "This one-time code is invalid or was already used.", {
      hint: "Run `svc serve --open` again, or sign in with an API key or an access token.",
    });
  }

  /** Opens a session for whom `verify` accepts. */
  open(verify: VerifyHolder): NewPageSession {
    const made = { cookie: newSecret(), pageToken: newSecret() };
    const now = this.#now();
    this.#sessions.set(digestOf(made.cookie), {
      pageTokenHash: hashOf(made.pageToken),
      verify,
      idleEnd: now + IDLE_MS,
      end: now + MAX_AGE_MS,
    });
    for (const [id] of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) break;
      this.#sessions.delete(id);
    }
    return made;
  }

  /**
   * Verifies the holder of the request's session; undefined for a request without the cookie. Throws UNAUTHENTICATED for a
   * session that has ended, FORBIDDEN for a request of another page, and what the verification throws. A session whose
   * credential is refused ends.
   */
  authenticate(exchange: HttpExchange): Promise<CredentialPrincipal> | undefined {
    const cookies = cookiesOf(exchange);
    return cookies.length === 0 ? undefined : this.#verified(cookies, exchange);
  }

  /** Ends the session of the request, if there is one. */
  end(exchange: HttpExchange): void {
    for (const cookie of cookiesOf(exchange)) {
      if (this.#find(cookie, exchange) !== undefined) this.#sessions.delete(digestOf(cookie));
    }
  }

  async #verified(
    cookies: readonly string[],
    exchange: HttpExchange,
  ): Promise<CredentialPrincipal> {
    requireOwnPage(exchange);
    const cookie = cookies.find((one) => this.#find(one, exchange) !== undefined);
    const session = cookie === undefined ? undefined : this.#find(cookie, exchange);
    if (cookie === undefined || session === undefined) throw noSession();
    try {
      const principal = await session.verify();
      this.#renew(cookie, session);
      return principal;
    } catch (thrown) {
      if (errorRow(toSvcError(thrown)).http === UNAUTHORIZED) {
        this.#sessions.delete(digestOf(cookie));
      }
      throw thrown;
    }
  }

  /** Keeps a session that is used, unless it ended meanwhile. */
  #renew(cookie: string, session: Session): void {
    const id = digestOf(cookie);
    if (!this.#sessions.delete(id)) return;
    session.idleEnd = this.#now() + IDLE_MS;
    this.#sessions.set(id, session);
  }

  #find(cookie: string, exchange: HttpExchange): Session | undefined {
    const id = digestOf(cookie);
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    if (Math.min(session.idleEnd, session.end) <= this.#now()) {
      this.#sessions.delete(id);
      return undefined;
    }
    const { [PAGE_TOKEN_HEADER]: pageToken } = exchange.request.headers;
    const isOwn = timingSafeEqual(hashOf(String(pageToken)), session.pageTokenHash);
    return isOwn ? session : undefined;
  }
}

/** The header that sets the cookie, or that deletes it. */
export function cookieHeader(exchange: HttpExchange, cookie: string | undefined): string {
  const isSecure = exchange.request.headers.origin?.startsWith("https:") === true;
  const name = `${isSecure ? SECURE_PREFIX : ""}${cookieName(exchange)}`;
  const end = cookie === undefined ? "; Max-Age=0" : "";
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${cookie ?? ""}; Path=/; HttpOnly; SameSite=Strict${secure}${end}`;
}

/** Throws FORBIDDEN for a request that another page has sent, as far as the browser says so. */
export function requireOwnPage({ request }: HttpExchange): void {
  const { "sec-fetch-site": site = "same-origin" } = request.headers;
  if (site === "same-origin") return;
  throw new SvcError("FORBIDDEN", "Only the page of this server may send this request.");
}

/** Browsers send a cookie to every port of a host: two servers of one machine must not overwrite each other's. */
function cookieName({ request }: HttpExchange): string {
  return `svc-session-${request.socket.localPort ?? 0}`;
}

/** The values of our cookie. Another server of the host may have set one of the same name, so there may be several. */
function cookiesOf(exchange: HttpExchange): readonly string[] {
  const name = cookieName(exchange);
  const names = [`${SECURE_PREFIX}${name}=`, `${name}=`];
  return (exchange.request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .flatMap((pair) => {
      const found = names.find((one) => pair.startsWith(one));
      return found === undefined ? [] : [pair.slice(found.length)];
    });
}

function noSession(): SvcError {
  return new SvcError("UNAUTHENTICATED", "You are no longer signed in.", {
    hint: "Sign in again.",
  });
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

function digestOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
