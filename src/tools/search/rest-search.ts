import * as v from "valibot";

import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { SearchRequest } from "../../engine/api/search.ts";
import { argumentProblem } from "../argument-problem.ts";
import { namespaces } from "../arguments.ts";
import { SEARCH_ARGUMENTS } from "./search-context.ts";

/** Body of `POST /v1/search`. */
export const SEARCH_BODY = v.strictObject({
  ...SEARCH_ARGUMENTS,
  namespace: namespaces,
  detail: v.optional(v.picklist(["brief", "full"], 'must be "brief" or "full"'), "brief"),
});
const MEMBERS = Object.keys(SEARCH_BODY.entries);

/** The search that a body of `POST /v1/search` requests. */
export type RestQuery = Omit<SearchRequest, "principal" | "signal">;

/** Validates a body. Throws INVALID_QUERY for a query of the wrong length, INVALID_PARAMS for anything else. */
export function parseRestQuery(body: unknown): RestQuery {
  if (Array.isArray(body)) throw notAnObject();
  const parsed = v.safeParse(SEARCH_BODY, body);
  if (!parsed.success) throw invalidBody(parsed.issues[0]);
  const { kind, max_tokens, detail, ...rest } = parsed.output;
  return {
    ...rest,
    kinds: typeof kind === "string" ? [kind] : kind,
    maxTokens: max_tokens,
    showsFullPassages: detail === "full",
  };
}

function invalidBody(issue: v.BaseIssue<unknown>): SvcError {
  const key = issue.path?.[0]?.key;
  if (typeof key !== "string") return notAnObject();
  if (issue.type === "strict_object" && issue.expected === "never") {
    const closest = closestWord(key, MEMBERS);
    return new SvcError("INVALID_PARAMS", `The body has no member "${key.slice(0, 80)}".`, {
      hint:
        closest === undefined ? `It takes: ${MEMBERS.join(", ")}.` : `Did you mean "${closest}"?`,
    });
  }
  const isMissing = issue.type === "strict_object" && issue.received === "undefined";
  return new SvcError(
    key === "query" ? "INVALID_QUERY" : "INVALID_PARAMS",
    isMissing ? `${key} is required.` : `${key}: ${argumentProblem(issue)}.`,
  );
}

function notAnObject(): SvcError {
  return new SvcError("INVALID_PARAMS", "The body must be a JSON object.", {
    hint: 'For example {"query": "where are tokens revoked"}.',
  });
}
