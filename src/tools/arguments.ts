// Arguments of several tools. Every prompt carries their descriptions, so they are short, and absent when the name
// and the limits are clear.

import * as v from "valibot";

import { groupedDigits } from "../base/grouped-digits.ts";
import { hasQueryLength, QUERY_LENGTH, QUERY_LENGTH_PROBLEM } from "../base/query-length.ts";

/** Limits of its length: interface, section 8. */
export const query = v.pipe(
  v.string(),
  v.check(hasQueryLength, QUERY_LENGTH_PROBLEM),
  v.metadata({ minLength: QUERY_LENGTH.min, maxLength: QUERY_LENGTH.max }),
);

/**
 * A text of 1 to `maxLength` characters. The limit is not in the schema, because callers rarely reach it and it would
 * take space in every prompt; the error names it.
 */
export function boundedText(maxLength: number) {
  const problem = `must be 1 to ${groupedDigits(maxLength)} characters long`;
  return v.pipe(
    v.string(),
    v.check((value) => value.length > 0 && value.length <= maxLength, problem),
  );
}

/** The namespace of the workspace by default. */
export const namespace = v.optional(boundedText(64));

/** For searches: one namespace, several (`a,b`) or all (`*`). `index_status` says so; every prompt would carry it. */
export const namespaces = v.optional(boundedText(2000));

export const pathGlob = v.optional(v.pipe(boundedText(1000), v.description("Glob.")));

export const language = v.optional(boundedText(40));

/** Maximum number of globs, and of languages, that a REST request may be limited by. */
const MAX_LIMITS = 20;

/** Globs, each of which must match; `!` before one excludes. For REST requests. */
export const pathGlobs = v.optional(oneOrSeveral(boundedText(1000)));

/** Languages, `!` before one excludes it. For REST requests. */
export const languages = v.optional(oneOrSeveral(boundedText(41)));

function oneOrSeveral(text: ReturnType<typeof boundedText>) {
  const problem = `must be a text, or up to ${MAX_LIMITS} texts`;
  return v.union([text, v.pipe(v.array(text), v.maxLength(MAX_LIMITS))], problem);
}

/** `next_cursor` of the previous answer. */
export const cursor = v.optional(boundedText(200));

export const FILE_KINDS = ["code", "docs", "tests", "config"] as const;

/** `max_tokens`: hard limit of the reply. */
export const maxTokens = v.optional(wholeNumber(100, 20_000), 2000);

export function wholeNumber(min: number, max: number, description?: string) {
  const number = v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(min, `must be ${min} to ${max}`),
    v.maxValue(max, `must be ${min} to ${max}`),
  );
  return description === undefined ? number : v.pipe(number, v.description(description));
}

/** As `wholeNumber`, with only the maximum in the schema: nobody asks for a number below `min`, which the error names. */
export function wholeNumberUpTo(max: number, min: number) {
  const problem = `must be ${min} to ${max}`;
  return v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.check((value) => value >= min, problem),
    v.maxValue(max, problem),
  );
}

/** Off by default. */
export const flag = v.optional(v.boolean(), false);
