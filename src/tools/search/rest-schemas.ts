// What `POST /v1/search` takes and answers, for the document that describes it.
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

import { FILE_KINDS } from "../arguments.ts";
import { SEARCH_BODY } from "./rest-search.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** More than the descriptions of the tool, which every prompt carries. */
const MEMBERS: Readonly<Record<keyof typeof SEARCH_BODY.entries, string>> = {
  query: "Question, keywords, symbol, error message or code. The length is in code points.",
  path: "Glob over the paths of files, relative to the root of their source.",
  language: "Files of this language alone.",
  kind: "Files of this kind alone, or of these kinds.",
  limit: "Passages on one page.",
  max_tokens: "Most tokens that the texts of a page may have together.",
  cursor: "`next_cursor` of the page before; the question must be the same.",
  detail:
    "With `full` a text has all lines of its passage, from `start_line` on and as far as `max_tokens` goes, and the answer always has `weak`, and `respelled`, `building`, `partial` and `changed` too.",
};

const wholeNumber = v.pipe(v.number(), v.integer());

const PASSAGE = v.object({
  path: v.pipe(v.string(), v.description("Relative to the root of the source.")),
  start_line: v.pipe(wholeNumber, v.minValue(1), v.description("First line, from 1.")),
  end_line: v.pipe(wholeNumber, v.minValue(1), v.description("Last line, inclusive.")),
  language: v.pipe(v.string(), v.description("Empty where it is not known.")),
  kind: v.picklist(FILE_KINDS),
  symbol: v.pipe(v.string(), v.description("Qualified name; empty outside of definitions.")),
  score: v.pipe(v.number(), v.description("To compare passages of one answer with.")),
  text: v.pipe(v.string(), v.description("Empty where max_tokens left room for the place alone.")),
});

const RECORD = v.object({
  query: v.string(),
  namespace: v.pipe(v.string(), v.description("That of the key.")),
  generation: v.pipe(
    wholeNumber,
    v.minValue(0),
    v.description("Grows with each change of the index."),
  ),
  results: v.pipe(v.array(PASSAGE), v.description("Best first.")),
  next_cursor: v.pipe(v.nullable(v.string()), v.description("Null on the last page.")),
  took_ms: v.pipe(v.number(), v.minValue(0), v.description("Milliseconds.")),
  weak: v.pipe(
    v.optional(v.boolean()),
    v.description("True where even the best passage is a poor match, absent otherwise."),
  ),
});

const BUILDING = v.object({
  stage: v.picklist(["fetch", "checkout", "list", "words", "syntax"]),
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
  weak: v.pipe(v.boolean(), v.description("Even the best passage is a poor match.")),
  respelled: v.pipe(
    v.array(v.object({ from: v.string(), to: v.string() })),
    v.description("Words of the query that stand nowhere, and what was searched for instead."),
  ),
  building: v.pipe(
    v.nullable(BUILDING),
    v.description("How far the first build of the index is, in files; null after it."),
  ),
  partial: v.pipe(v.array(v.string()), v.description("What the answer lacks, a sentence each.")),
});

/** What an answer consists of. */
export type SearchRecord = v.InferOutput<typeof RECORD>;

/** What an answer with `detail: "full"` consists of. */
export type FullSearchRecord = v.InferOutput<typeof FULL_RECORD>;

/** The body, as JSON Schema 2020-12. */
export function restQuerySchema(): JsonSchema {
  const { $schema: _dialect, properties = {}, ...rest } = schemaOf(SEARCH_BODY);
  const described = Object.entries(MEMBERS).map(([name, description]) => [
    name,
    Object.assign({}, properties[name], { description }),
  ]);
  return { ...rest, properties: Object.fromEntries(described) };
}

/** The answer, as JSON Schema 2020-12. More members may come in later versions. */
export function searchRecordSchema(): JsonSchema {
  const { $schema: _dialect, ...rest } = schemaOf(RECORD);
  return rest;
}

/** The answer to `detail: "full"`, as JSON Schema 2020-12. */
export function fullSearchRecordSchema(): JsonSchema {
  const { $schema: _dialect, ...rest } = schemaOf(FULL_RECORD);
  return rest;
}

function schemaOf(schema: v.GenericSchema): ReturnType<typeof toJsonSchema> {
  return toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    // What JSON Schema cannot say stands in `metadata` beside it.
    ignoreActions: ["check"],
  });
}
