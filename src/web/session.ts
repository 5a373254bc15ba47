// The session of this page (docs/decisions/0073-sessions-of-the-page.md). The cookie that no script can read is one half of
// it; the other half is kept here, for all tabs of this server.
import { failureOf, SearchError, serverUnreachable } from "./failure.ts";

const STORED = "svc-page-token";
const PATH = "/page/session";

/** Who is signed in. */
export interface User {
  /** Name of the key or token. */
  readonly name: string;
  /** True if the user may see the admin's view. */
  readonly admin: boolean;
}

/** The header that each request of the session needs. */
export function sessionHeaders(): Readonly<Record<string, string>> {
  return { "X-Svc-Page": localStorage.getItem(STORED) ?? "" };
}

/** True if this browser may have a session. */
export function mayHaveSession(): boolean {
  return localStorage.getItem(STORED) !== null;
}

/** Opens a session for an API key or an access token, or for the one-time code of `svc serve --open`. Throws SearchError. */
export async function openSession(given: { secret: string } | { code: string }): Promise<User> {
  const headers = "code" in given ? { "X-Svc-Code": given.code } : credential(given.secret);
  const request = { method: "POST", headers };
  const { page_token: pageToken, ...user } = await send<User & { page_token: string }>(
    PATH,
    request,
  );
  localStorage.setItem(STORED, pageToken);
  return user;
}

/** Returns who is signed in. Throws SearchError. */
export function currentUser(): Promise<User> {
  return send<User>(PATH, { method: "GET", headers: sessionHeaders() });
}

/** Ends the session here and on the server, if that can be reached. */
export async function closeSession(): Promise<void> {
  const headers = sessionHeaders();
  localStorage.removeItem(STORED);
  try {
    await fetch(PATH, { method: "DELETE", headers, credentials: "same-origin", redirect: "error" });
  } catch {
    // Without the half that was kept here, the cookie is worth nothing.
  }
}

/** Sends a request to this server, with the cookie. Throws SearchError for any answer but success. */
export async function send<Body>(path: string, request: RequestInit): Promise<Body> {
  const { response, text } = await received(path, request);
  const body = parsed(text);
  if (!response.ok || body === undefined) throw failureOf(response, body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- /openapi.json and its test say so
  return body as Body;
}

async function received(
  path: string,
  request: RequestInit,
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(path, {
      ...request,
      credentials: "same-origin",
      redirect: "error",
    });
    return { response, text: await response.text() };
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw serverUnreachable();
  }
}

function credential(secret: string): Readonly<Record<string, string>> {
  return secret.startsWith("svt_")
    ? { Authorization: `Bearer ${secret}` }
    : { "X-API-Key": secret };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The failure that a caught error has; other errors are thrown again. */
export function failureIn(error: unknown): SearchError["failure"] {
  if (error instanceof SearchError) return error.failure;
  throw error;
}
