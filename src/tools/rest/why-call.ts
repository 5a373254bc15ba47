// The commits behind lines over REST: what `svc read FILE:LINES --why` prints.
import * as v from "valibot";

import { boundedText, namespace, wholeNumber } from "../arguments.ts";
import { defineRestCall, engineRequest } from "./rest-call.ts";

const MAX_LINE = 10_000_000;
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;
const whole = v.pipe(v.number(), v.integer());
const texts = v.array(v.string());

export const restWhy = defineRestCall({
  path: "/v1/why",
  operationId: "explainLines",
  summary: "List the commits behind lines of a file",
  body: v.strictObject({
    path: boundedText(4096),
    start_line: wholeNumber(1, MAX_LINE),
    end_line: wholeNumber(1, MAX_LINE),
    limit: v.optional(wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT),
    namespace,
  }),
  descriptions: {
    path: "Path of the file, relative to the root of its source.",
    start_line: "From 1, in the file as it is now.",
    end_line: "The last line, inclusive.",
    limit: "Maximum number of commits.",
  },
  example: '{"path": "src/main.ts", "start_line": 10, "end_line": 40}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    commits: v.pipe(
      v.array(
        v.object({
          commit: v.pipe(v.string(), v.description("Full id.")),
          date: v.pipe(v.string(), v.description("ISO 8601, in UTC; may be empty.")),
          author: v.string(),
          subject: v.string(),
          why: v.pipe(texts, v.description("What it did, such as `wrote line 12`.")),
          issues: v.pipe(texts, v.description("Issues and pull requests that its message names.")),
          merged: v.pipe(
            v.string(),
            v.description("The pull request that brought it, such as `#12`; may be empty."),
          ),
        }),
      ),
      v.description("Those that wrote most of the lines first, then the others of the definition."),
    ),
    more_commits: whole,
    uncommitted_lines: v.array(whole),
    partial: v.pipe(texts, v.description("What is missing, a sentence each.")),
  }),
  subject: (input) => placeOf(input),
  run: async (input, context) => {
    const result = await context.engine.why({
      ...engineRequest(input, context),
      question: placeOf(input),
      kind: "place",
      limit: input.limit,
      waitMs: 0,
    });
    const commits = result.commits.map((one) => ({
      commit: one.id,
      date: one.authoredAt,
      author: one.author,
      subject: one.subject,
      why: [...one.why],
      issues: [...one.issues],
      merged: one.merged?.request ?? "",
    }));
    const record = {
      namespace: result.namespace,
      generation: result.generation,
      commits,
      more_commits: result.moreCommits,
      uncommitted_lines: [...(result.target?.uncommitted ?? [])],
      partial: [...result.partial],
    };
    return { record, items: commits.length, characters: 0 };
  },
});

function placeOf({
  path,
  start_line: start,
  end_line: end,
}: {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
}): string {
  return `${path}:${start}-${end}`;
}
