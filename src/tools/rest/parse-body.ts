import * as v from "valibot";

import { SvcError, type ErrorCode } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import { argumentProblem } from "../argument-problem.ts";

type BodySchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

interface BodyOptions {
  /** A valid body, for the hint to a client that sends no object. */
  readonly example: string;
  /** Errors of single members; INVALID_PARAMS for all others. */
  readonly codes?: Readonly<Partial<Record<string, ErrorCode>>>;
}

/** Validates the body of a request. Throws INVALID_PARAMS, or the code of the wrong member. */
export function parseBody<Schema extends BodySchema>(
  schema: Schema,
  body: unknown,
  { example, codes = {} }: BodyOptions,
): v.InferOutput<Schema> {
  if (Array.isArray(body)) throw notAnObject(example);
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const key = issue.path?.[0]?.key;
  if (typeof key !== "string") throw notAnObject(example);
  if (issue.type === "strict_object" && issue.expected === "never") {
    throw unknownMember(key, Object.keys(schema.entries));
  }
  const isMissing = issue.type === "strict_object" && issue.received === "undefined";
  throw new SvcError(
    codes[key] ?? "INVALID_PARAMS",
    isMissing ? `${key} is required.` : `${key}: ${argumentProblem(issue)}.`,
  );
}

function unknownMember(key: string, members: readonly string[]): SvcError {
  const closest = closestWord(key, members);
  return new SvcError("INVALID_PARAMS", `The body has no member "${key.slice(0, 80)}".`, {
    hint: closest === undefined ? `It takes: ${members.join(", ")}.` : `Did you mean "${closest}"?`,
  });
}

function notAnObject(example: string): SvcError {
  return new SvcError("INVALID_PARAMS", "The body must be a JSON object.", {
    hint: `For example ${example}.`,
  });
}
