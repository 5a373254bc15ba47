import * as v from "valibot";

import type { SearchRequest } from "../../engine/api/search.ts";
import { languages, namespaces, pathGlobs } from "../arguments.ts";
import { parseBody } from "../rest/parse-body.ts";
import type { ParsedCall } from "../rest/rest-call.ts";
import { SEARCH_ARGUMENTS } from "./search-context.ts";
import { fullSearchRecord, searchRecord } from "./search-record.ts";

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
  const { kind, max_tokens, detail, ...rest } = parseBody(SEARCH_BODY, body, {
    example: '{"query": "where are tokens revoked"}',
    codes: { query: "INVALID_QUERY" },
  });
  return {
    ...rest,
    kinds: typeof kind === "string" ? [kind] : kind,
    maxTokens: max_tokens,
    showsFullPassages: detail === "full",
  };
}

/** The search that a body requests. Throws as `parseRestQuery` does. */
export function parseSearchCall(body: unknown): ParsedCall {
  const question = parseRestQuery(body);
  const { namespace, query } = question;
  return {
    namespace,
    subject: query,
    run: async ({ engine, principal, signal, deadline }) => {
      const result = await engine.search({ ...question, principal, signal, deadline });
      const { passages } = result;
      const record = question.showsFullPassages === true ? fullSearchRecord : searchRecord;
      return {
        record: record(query, result),
        items: passages.length,
        characters: passages.reduce((sum, { text }) => sum + text.length, 0),
      };
    },
  };
}
