import { SvcError } from "../base/errors.ts";
import { problemWithServerUrl } from "../base/server-url.ts";

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
  const problem = problemWithServerUrl(text);
  if (problem !== undefined) throw unusableUrl(problem);
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, "");
  return { origin: url.origin, path: path === "" ? "/v1" : path };
}

/** The message omits the text, which may contain a password. */
function unusableUrl(problem: string): SvcError {
  return new SvcError("USAGE", `--provider ${problem}.`, { hint: HINT });
}
