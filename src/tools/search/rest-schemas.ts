// Request and response schemas of `POST /v1/search`, for its OpenAPI document.
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

import { FILE_KINDS } from "../arguments.ts";
import { SEARCH_BODY } from "./rest-search.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Longer than the descriptions of the tool, which every prompt carries. */
const MEMBERS: Readonly<Record<keyof typeof SEARCH_BODY.entries, string>> = {
  query: "Question, keywords, symbol, error message or code. The length is in code points.",
  path: "Glob over the paths of files, relative to the root of their source; of several, each must match. `!` before a glob excludes.",
  language: "Only files in this language, or in one of several. `!` before a language excludes it.",
  kind: "Only files of this kind, or of these kinds.",
  limit: "Maximum passages per page.",
  max_tokens: "Maximum tokens of all texts of a page together.",
  namespace:
    "One namespace, several (`gin,flask`), or `*` for all that the key can search. Required if it can search several.",
  all_copies:
    "Show copies and translations as separate results, instead of listing them with a result.",
  cursor: "`next_cursor` of the previous page; the query must be the same.",
  detail:
    "With `full`, a text has all lines of its passage from `start_line` on, up to `max_tokens`, and the answer has `weak`, `respelled`, `building`, `partial` and `changed`.",
};

const wholeNumber = v.pipe(v.number(), v.integer());

/** Where something is in a document. */
export const PLACE = v.pipe(
  v.optional(v.string()),
  v.description(
    "In a document, the place as `read_context` takes it: `manual.pdf:p12`; absent otherwise.",
  ),
);

const OUTDATED_NAME = v.object({
  line: v.pipe(wholeNumber, v.minValue(1), v.description("Line of the page.")),
  name: v.pipe(v.string(), v.description("The name, flag or path that is gone.")),
  became: v.pipe(
    v.optional(v.string()),
    v.description("What is there instead; absent if not known."),
  ),
  commit: v.pipe(v.string(), v.description("Full id of the commit that removed it.")),
  date: v.pipe(v.optional(v.string()), v.description("When, in ISO 8601.")),
});

const PASSAGE = v.object({
  namespace: v.pipe(
    v.optional(v.string()),
    v.description("Its namespace, if several were searched, absent otherwise."),
  ),
  path: v.pipe(v.string(), v.description("Relative to the root of the source.")),
  start_line: v.pipe(wholeNumber, v.minValue(1), v.description("First line, from 1.")),
  end_line: v.pipe(wholeNumber, v.minValue(1), v.description("Last line, inclusive.")),
  place: PLACE,
  language: v.pipe(v.string(), v.description("Empty when unknown.")),
  kind: v.picklist(FILE_KINDS),
  symbol: v.pipe(v.string(), v.description("Qualified name; empty outside definitions.")),
  score: v.pipe(v.number(), v.description("Comparable within one answer.")),
  confidence: v.pipe(
    v.number(),
    v.minValue(0),
    v.maxValue(1),
    v.description("Probability that the result is a right one."),
  ),
  text: v.pipe(v.string(), v.description("Empty when max_tokens left room only for the location.")),
  copies: v.pipe(
    v.optional(v.array(v.string())),
    v.description(
      "Paths of files that match and have the same content, such as build output; absent without any.",
    ),
  ),
  translations: v.pipe(
    v.optional(v.array(v.string())),
    v.description("Paths of the same document in other languages that match; absent without any."),
  ),
  outdated: v.pipe(
    v.optional(v.array(OUTDATED_NAME)),
    v.description("Names in its lines that the code no longer has; absent without any."),
  ),
});

const RECORD = v.object({
  query: v.string(),
  namespace: v.pipe(
    v.string(),
    v.description("The namespace that was searched; several as in the request."),
  ),
  generation: v.pipe(
    wholeNumber,
    v.minValue(0),
    v.description("Grows with each change of the index; the sum for several namespaces."),
  ),
  results: v.pipe(v.array(PASSAGE), v.description("Best first.")),
  next_cursor: v.pipe(v.nullable(v.string()), v.description("Null on the last page.")),
  took_ms: v.pipe(v.number(), v.minValue(0), v.description("Milliseconds.")),
  confidence: v.pipe(
    v.number(),
    v.minValue(0),
    v.maxValue(1),
    v.description("Probability that a right answer is among the first ten files."),
  ),
  weak: v.pipe(
    v.optional(v.boolean()),
    v.description("True where even the best passage is a poor match, absent otherwise."),
  ),
});

const BUILDING = v.object({
  stage: v.picklist(["fetch", "checkout", "list", "words", "syntax", "documents"]),
  done: wholeNumber,
  total: wholeNumber,
});

const FULL_RECORD = v.object({
  ...RECORD.entries,
  results: v.pipe(
    v.array(
      v.object({
        ...PASSAGE.entries,
        changed: v.pipe(v.boolean(), v.description("The file has changed since it was indexed.")),
      }),
    ),
    v.description("Best first."),
  ),
  weak: v.pipe(v.boolean(), v.description("True when even the best passage is a weak match.")),
  respelled: v.pipe(
    v.array(v.object({ from: v.string(), to: v.string() })),
    v.description("Query words without a match, and the words searched for instead."),
  ),
  building: v.pipe(
    v.nullable(BUILDING),
    v.description("Progress of the first build of the index, in files; null after it."),
  ),
  partial: v.pipe(
    v.array(v.string()),
    v.description("One sentence for each part that was not searched."),
  ),
});

/** The response. */
export type SearchRecord = v.InferOutput<typeof RECORD>;

/** The response with `detail: "full"`. */
export type FullSearchRecord = v.InferOutput<typeof FULL_RECORD>;

/** The request body, as JSON Schema 2020-12. */
export function restQuerySchema(): JsonSchema {
  const { $schema: _dialect, properties = {}, ...rest } = schemaOf(SEARCH_BODY);
  const described = Object.entries(MEMBERS).map(([name, description]) => [
    name,
    Object.assign({}, properties[name], { description }),
  ]);
  return { ...rest, properties: Object.fromEntries(described) };
}

/** The response, as JSON Schema 2020-12. Later versions may add members. */
export function searchRecordSchema(): JsonSchema {
  const { $schema: _dialect, ...rest } = schemaOf(RECORD);
  return rest;
}

/** The response with `detail: "full"`, as JSON Schema 2020-12. */
export function fullSearchRecordSchema(): JsonSchema {
  const { $schema: _dialect, ...rest } = schemaOf(FULL_RECORD);
  return rest;
}

function schemaOf(schema: v.GenericSchema): ReturnType<typeof toJsonSchema> {
  return toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    // JSON Schema cannot express this check; the schema's `metadata` has its limits.
    ignoreActions: ["check"],
  });
}
