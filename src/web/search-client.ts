// Sends requests to the server that the page came from.
import { failureOf, SearchError, serverUnreachable } from "./failure.ts";

/** Errors that only clients with an accepted key receive. */
const ACCEPTED_KEY_CODES: ReadonlySet<string> = new Set([
  "INDEX_EMPTY",
  "INDEX_UNAVAILABLE",
  "TIMEOUT",
]);

/** Sends the requests of one API key. */
export class SearchClient {
  readonly #key: string;

  /** The key is kept only here. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Returns the answer of a call. Throws SearchError; an aborted call throws the reason of its signal. */
  async ask<Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
    try {
      return await send<Answer>(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-Key": this.#key },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (error instanceof SearchError) throw error;
      signal?.throwIfAborted();
      throw serverUnreachable();
    }
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
