// Sends searches to the server that the page came from. One request at a time: a new one cancels the previous one.
import type { SearchResponse, SearchQuery } from "./search-response.ts";
import { SearchError, serverUnreachable } from "./failure.ts";
import { send, sessionHeaders } from "./session.ts";

const PAGE_LENGTH = 10;
/** The maximum that the server accepts; a person reads faster than a model. */
const MAX_TOKENS = 20_000;
/** Sends the searches of the user who is signed in. */
export class SearchClient {
  #running: AbortController | undefined;

  /** Returns the response; undefined when a newer search replaced this one. Throws SearchError. */
  search(searchQuery: SearchQuery, cursor?: string): Promise<SearchResponse | undefined> {
    const { query, language, kinds, path, namespace } = searchQuery;
    return this.#send({
      query,
      limit: PAGE_LENGTH,
      max_tokens: MAX_TOKENS,
      detail: "full",
      ...(language === "" ? {} : { language }),
      ...(kinds.length === 0 ? {} : { kind: kinds }),
      ...(path === "" ? {} : { path }),
      ...(namespace === "" ? {} : { namespace }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  }

  /**
   * Returns the namespaces that the user can search; none if the first search should report why. Throws SearchError when the
   * session is not accepted, or when the server cannot check it.
   */
  async namespaces(): Promise<readonly string[]> {
    try {
      const { namespaces } = await send<{ namespaces: readonly string[] }>("/v1/namespaces", {
        method: "GET",
        headers: sessionHeaders(),
      });
      return namespaces;
    } catch (error) {
      if (!(error instanceof SearchError)) throw serverUnreachable();
      if (ACCEPTED_KEY_CODES.has(error.failure.code)) return [];
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
      return await post(body, running.signal);
    } catch (error) {
      if (running.signal.aborted) return undefined;
      throw error instanceof SearchError ? error : serverUnreachable();
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}

/** Errors that only users who are signed in receive. */
const ACCEPTED_KEY_CODES: ReadonlySet<string> = new Set([
  "INDEX_EMPTY",
  "INDEX_UNAVAILABLE",
  "TIMEOUT",
]);

function post(body: unknown, signal: AbortSignal): Promise<SearchResponse> {
  return send<SearchResponse>("/v1/search", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...sessionHeaders() },
    body: JSON.stringify(body),
    signal,
  });
}
