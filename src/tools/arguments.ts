// Arguments that several tools take. A model reads the descriptions to choose: they are short.

import * as v from "valibot";

import { hasQueryLength, QUERY_LENGTH, QUERY_LENGTH_PROBLEM } from "../base/query-length.ts";

/** Length as the interface has it, section 8. */
export function query(description: string) {
  return v.pipe(
    v.string(),
    v.check(hasQueryLength, QUERY_LENGTH_PROBLEM),
    v.metadata({ minLength: QUERY_LENGTH.least, maxLength: QUERY_LENGTH.most }),
    v.description(description),
  );
}

export const namespace = v.optional(
  v.pipe(v.string(), v.maxLength(64), v.description("Default: the workspace's.")),
);

export const pathGlob = v.optional(
  v.pipe(v.string(), v.minLength(1), v.maxLength(1000), v.description("Glob, e.g. src/**/*.ts")),
);

export const language = v.optional(
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(40),
    v.description("E.g. typescript, python, markdown."),
  ),
);

export const cursor = v.optional(
  v.pipe(v.string(), v.maxLength(200), v.description("From the answer before.")),
);

export const KINDS = ["code", "docs", "tests", "config"] as const;

/** `max_tokens`: a hard cap on the reply. */
export const maxTokens = v.optional(wholeNumber(100, 20_000, "Hard cap on the reply."), 2000);

export function wholeNumber(least: number, most: number, description?: string) {
  const number = v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(least, `must be ${least} to ${most}`),
    v.maxValue(most, `must be ${least} to ${most}`),
  );
  return description === undefined ? number : v.pipe(number, v.description(description));
}

export function flag(description: string) {
  return v.optional(v.pipe(v.boolean(), v.description(description)), false);
}
