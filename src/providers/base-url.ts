import { SvcError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";

/** Where the API of a provider is. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** What all paths begin with, as in `/v1`; without a slash at its end. */
  readonly path: string;
}

const HINT =
  "Give the address of an OpenAI-compatible API, as in https://api.openai.com/v1 or http://127.0.0.1:11434/v1.";

/** The address an operator gave; `/v1` is added to an origin alone. Throws USAGE. */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null) throw unusableUrl("is not an address");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw unusableUrl("is not of HTTP");
  if (url.username !== "" || url.password !== "") throw unusableUrl("holds a credential");
  if (url.search !== "" || url.hash !== "") throw unusableUrl("has a query or a fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw unusableUrl("would have keys cross a network over plain HTTP");
  }
  const path = url.pathname.replace(/\/+$/, "");
  return { origin: url.origin, path: path === "" ? "/v1" : path };
}

/** Without the text itself, which may hold a password. */
function unusableUrl(problem: string): SvcError {
  return new SvcError("USAGE", `--provider ${problem}.`, { hint: HINT });
}
