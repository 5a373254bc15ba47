/** A failure, in words for the user. */
export interface Failure {
  /** Heading written by the page. */
  readonly title: string;
  /** The server's message and hint; empty if there is none. */
  readonly detail: string;
  /** Error code of the server; empty if the response has none. */
  readonly code: string;
  /** True when the key is not accepted, or no longer. */
  readonly isRefusal: boolean;
}

/** A failed search, with what to show. */
export class SearchError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.title);
    this.failure = failure;
  }
}

const TITLES: Readonly<Record<string, string>> = {
  CREDENTIAL_MALFORMED: "This is not an API key or access token",
  CREDENTIAL_REVOKED: "This key or token was revoked",
  CREDENTIAL_STORE: "The server cannot check keys",
  FORBIDDEN: "The server does not accept this address",
  INDEX_EMPTY: "Nothing is indexed yet",
  INVALID_CURSOR: "The index has changed since these results",
  INVALID_PARAMS: "A filter is invalid",
  INVALID_QUERY: "The query is invalid",
  OVERLOADED: "The server is overloaded",
  RATE_LIMITED: "Too many attempts",
  TIMEOUT: "The search took too long",
  TOKEN_EXPIRED: "This token has expired",
  UNAUTHENTICATED: "The server does not accept this key or token",
};

/** Replaces server messages that also speak of other credentials. */
const DETAILS: Readonly<Record<string, string>> = {
  CREDENTIAL_MALFORMED:
    "It is mistyped or cut short. An API key is one word that begins with `svk_`, an access token begins with `svt_`; copy it again as a whole.",
};

const FOREIGN_RESPONSE =
  "This response is not from svc; a proxy may have sent it. Check the server's log.";

const UNAUTHORIZED = 401;

/** Returns the error for a server that did not respond. */
export function serverUnreachable(): SearchError {
  return new SearchError({
    title: "The server cannot be reached",
    detail: `Nothing answers at ${location.origin}. Is \`svc serve\` still running there?`,
    code: "",
    isRefusal: false,
  });
}

/** Returns the error for an unsuccessful response. */
export function failureOf(response: Response, body: unknown): SearchError {
  const { status } = response;
  const { code, detail } = errorIn(body);
  const title =
    TITLES[code] ?? (code === "" ? `The server answered ${status}` : "The search failed");
  return new SearchError({
    title,
    detail: code === "" ? FOREIGN_RESPONSE : (DETAILS[code] ?? detail),
    code,
    isRefusal: status === UNAUTHORIZED,
  });
}

function errorIn(body: unknown): { readonly code: string; readonly detail: string } {
  const data = memberOf(memberOf(body, "error"), "data");
  const [code, detail] = [memberOf(data, "error_code"), memberOf(data, "detail")];
  return {
    code: typeof code === "string" ? code : "",
    detail: typeof detail === "string" ? detail : "",
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
