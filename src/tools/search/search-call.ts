// `POST /v1/search` as a call of the REST interface.
import type { ParsedCall } from "../rest/rest-call.ts";
import { parseRestQuery } from "./rest-search.ts";
import { fullSearchRecord, searchRecord } from "./search-record.ts";

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
