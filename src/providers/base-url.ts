import { SvcError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";

/** Address of a provider's API. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Prefix of all paths, such as `/v1`, without a trailing slash. */
  readonly path: string;
}

const HINT =
  "Give the address of an OpenAI-compatible API, as in https://api.openai.com/v1 or http://127.0.0.1:11434/v1.";

/** Parses the address that an operator gave; adds `/v1` when it has no path. Throws USAGE. */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null) throw unusableUrl("is not a URL");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw unusableUrl("is not an HTTP URL");
  if (url.username !== "" || url.password !== "") throw unusableUrl("contains a credential");
  if (url.search !== "" || url.hash !== "") throw unusableUrl("has a query or a fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw unusableUrl("would send keys over plain HTTP");
  }
  const path = url.pathname.replace(/\/+$/, "");
  return { origin: url.origin, path: path === "" ? "/v1" : path };
}

/** The message omits the text, which may contain a password. */
function unusableUrl(problem: string): SvcError {
  return new SvcError("USAGE", `--provider ${problem}.`, { hint: HINT });
}
