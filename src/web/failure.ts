/** What went wrong, in words for whoever asked. */
export interface Failure {
  /** Our own words. */
  readonly title: string;
  /** What the server says, and how to mend it; "" if it says nothing. */
  readonly detail: string;
  /** The code of the server's error; "" where there was no answer of it. */
  readonly code: string;
  /** True when the key does not let in any more, or never did. */
  readonly isRefusal: boolean;
}

/** An error of the search, to be shown. */
export class SearchError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.title);
    this.failure = failure;
  }
}

const TITLES: Readonly<Record<string, string>> = {
  CREDENTIAL_MALFORMED: "This is not an API key",
  CREDENTIAL_REVOKED: "This key was revoked",
  CREDENTIAL_STORE: "The server cannot check keys",
  FORBIDDEN: "The server does not answer to this address",
  INDEX_EMPTY: "Nothing is indexed yet",
  INVALID_CURSOR: "The index has changed since these results",
  INVALID_PARAMS: "A filter does not fit",
  INVALID_QUERY: "The question does not fit",
  OVERLOADED: "The server has too much to do",
  RATE_LIMITED: "Too many attempts",
  TIMEOUT: "The search took too long",
  TOKEN_EXPIRED: "This key has expired",
  UNAUTHENTICATED: "This key does not open anything here",
};

/** Where the server's words are about more than keys. */
const DETAILS: Readonly<Record<string, string>> = {
  CREDENTIAL_MALFORMED:
    "It is mistyped or cut short. An API key is one word that begins with `svk_`; copy it again as a whole.",
};

const NOT_OURS =
  "That is not an answer of svc: a proxy may stand between. Look at the server's log.";

const UNAUTHORIZED = 401;

/** Nobody answered. */
export function serverAway(): SearchError {
  return new SearchError({
    title: "The server cannot be reached",
    detail: `Nothing answers at ${location.origin}. Is \`svc serve\` still running there?`,
    code: "",
    isRefusal: false,
  });
}

/** What an answer says that is not one of a search. */
export function failureOf(response: Response, body: unknown): SearchError {
  const { status } = response;
  const { code, detail } = errorIn(body);
  const title =
    TITLES[code] ?? (code === "" ? `The server answered ${status}` : "The search failed");
  return new SearchError({
    title,
    detail: code === "" ? NOT_OURS : (DETAILS[code] ?? detail),
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
