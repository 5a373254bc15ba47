// Sends searches to the server that the page came from. One request at a time: a new one cancels the previous one.
import type { SearchResponse, SearchQuery } from "./search-response.ts";
import { failureOf, SearchError, serverUnreachable } from "./failure.ts";

const PAGE_LENGTH = 10;
/** The maximum that the server accepts; a person reads faster than a model. */
const MAX_TOKENS = 20_000;
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
   * Returns the namespaces that the key can search; none if the first search should report why. Throws SearchError when the
   * key is not accepted, or when the server cannot check it.
   */
  async namespaces(): Promise<readonly string[]> {
    try {
      const { namespaces } = await send<{ namespaces: readonly string[] }>("/v1/namespaces", {
        method: "GET",
        headers: { "X-API-Key": this.#key },
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

function post(
  body: unknown,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<SearchResponse> {
  return send<SearchResponse>("/v1/search", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify(body),
    signal,
  });
}

async function send<Body>(path: string, request: RequestInit): Promise<Body> {
  const response = await fetch(path, { ...request, credentials: "omit", redirect: "error" });
  const parsedBody = parsed(await response.text());
  if (!response.ok || parsedBody === undefined) throw failureOf(response, parsedBody);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- /openapi.json and its test say so
  return parsedBody as Body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
