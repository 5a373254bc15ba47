import { SvcError } from "../base/errors.ts";
import { hasQueryLength, QUERY_LENGTH_PROBLEM } from "../base/query-length.ts";

/** Throws INVALID_QUERY for a query that is too short or too long. */
export function requireQuery(query: string, minLength?: number): void {
  if (hasQueryLength(query, minLength)) return;
  throw new SvcError("INVALID_QUERY", `query: ${QUERY_LENGTH_PROBLEM}.`);
}
