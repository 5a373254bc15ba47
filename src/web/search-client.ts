// Sends searches to the server that the page came from. One request at a time: a new one cancels the previous one.
import type { SearchResponse, SearchQuery } from "./search-response.ts";
import { failureOf, SearchError, serverUnreachable } from "./failure.ts";

const PAGE_LENGTH = 10;
/** The maximum that the server accepts; a person reads faster than a model. */
const MAX_TOKENS = 20_000;
/** The smallest search, to test whether a key is accepted. */
const PROBE = { query: "readme", limit: 1, max_tokens: 100 };

/** Sends the searches of one API key. */
export class SearchClient {
  readonly #key: string;
  #running: AbortController | undefined;

  /** The key is kept only here. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Returns the response; undefined when a newer search replaced this one. Throws SearchError. */
  search(searchQuery: SearchQuery, cursor?: string): Promise<SearchResponse | undefined> {
    const { query, language, kinds, path } = searchQuery;
    return this.#send({
      query,
      limit: PAGE_LENGTH,
      max_tokens: MAX_TOKENS,
      detail: "full",
      ...(language === "" ? {} : { language }),
      ...(kinds.length === 0 ? {} : { kind: kinds }),
      ...(path === "" ? {} : { path }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  }

  /** Throws SearchError when the key is not accepted, or when the server cannot check it. */
  async probe(): Promise<void> {
    try {
      await this.#send(PROBE);
    } catch (error) {
      // The key is accepted; the first search will report any other problem.
      if (error instanceof SearchError && ACCEPTED_KEY_CODES.has(error.failure.code)) return;
      throw error;
    }
  }

  /** Cancels the request in progress. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  async #send(body: unknown): Promise<SearchResponse | undefined> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    try {
      return await post(body, { key: this.#key, signal: running.signal });
    } catch (error) {
      if (running.signal.aborted) return undefined;
      throw error instanceof SearchError ? error : serverUnreachable();
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}

/** Errors that only clients with an accepted key receive. */
const ACCEPTED_KEY_CODES: ReadonlySet<string> = new Set([
  "INDEX_EMPTY",
  "INDEX_UNAVAILABLE",
  "TIMEOUT",
]);

async function post(
  body: unknown,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<SearchResponse> {
  const response = await fetch("/v1/search", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify(body),
    credentials: "omit",
    redirect: "error",
    signal,
  });
  const parsedBody = parsed(await response.text());
  if (!response.ok || parsedBody === undefined) throw failureOf(response, parsedBody);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- /openapi.json and its test say so
  return parsedBody as SearchResponse;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
