import * as v from "valibot";

import type { SearchRequest } from "../../engine/api/search.ts";
import { languages, namespaces, pathGlobs } from "../arguments.ts";
import { parseBody } from "../rest/parse-body.ts";
import { SEARCH_ARGUMENTS } from "./search-context.ts";

/** Body of `POST /v1/search`. */
export const SEARCH_BODY = v.strictObject({
  ...SEARCH_ARGUMENTS,
  path: pathGlobs,
  language: languages,
  namespace: namespaces,
  detail: v.optional(v.picklist(["brief", "full"], 'must be "brief" or "full"'), "brief"),
});

/** The search that a body of `POST /v1/search` requests. */
export type RestQuery = Omit<SearchRequest, "principal" | "signal">;

/** Validates a body. Throws INVALID_QUERY for a query of the wrong length, INVALID_PARAMS for anything else. */
export function parseRestQuery(body: unknown): RestQuery {
  const { kind, max_tokens, all_copies, detail, ...rest } = parseBody(SEARCH_BODY, body, {
    example: '{"query": "where are tokens revoked"}',
    codes: { query: "INVALID_QUERY" },
  });
  return {
    ...rest,
    kinds: typeof kind === "string" ? [kind] : kind,
    maxTokens: max_tokens,
    allCopies: all_copies,
    showsFullPassages: detail === "full",
  };
}
