// Sends requests to the server that the page came from.
import { SearchError, serverUnreachable } from "./failure.ts";
import { send, sessionHeaders } from "./session.ts";

/** Errors that only users who are signed in receive. */
const ACCEPTED_KEY_CODES: ReadonlySet<string> = new Set([
  "INDEX_EMPTY",
  "INDEX_UNAVAILABLE",
  "TIMEOUT",
]);

/** The namespaces that a user can search, and the one of a search that names none. */
export interface SearchableNamespaces {
  readonly namespaces: readonly string[];
  readonly default: string | null;
}

/** Sends the requests of the user who is signed in. */
export class SearchClient {
  /** Returns the answer of a call. Throws SearchError; an aborted call throws the reason of its signal. */
  async ask<Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
    try {
      return await send<Answer>(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...sessionHeaders() },
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
   * Returns the namespaces that the user can search; none if the first search should report why. Throws SearchError when the
   * session is not accepted, or when the server cannot check it.
   */
  async namespaces(): Promise<SearchableNamespaces> {
    try {
      return await send<SearchableNamespaces>("/v1/namespaces", {
        method: "GET",
        headers: sessionHeaders(),
      });
    } catch (error) {
      if (!(error instanceof SearchError)) throw serverUnreachable();
      if (ACCEPTED_KEY_CODES.has(error.failure.code)) return { namespaces: [], default: null };
      throw error;
    }
  }
}
