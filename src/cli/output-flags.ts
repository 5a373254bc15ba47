// How a list of results is printed: as text, as one JSON document, as lines of JSON, or by a template.
import { SvcError } from "../base/errors.ts";
import type { BooleanFlag } from "./flag-definition.ts";
import type { Io } from "./io.ts";
import { flagName } from "./parse.ts";
import { safeJson } from "./print/json.ts";
import { compileTemplate, type TemplateFields } from "./print/template.ts";

export const JSON_LINES_FLAG = {
  type: "boolean",
  description: "Print one JSON object per result, each on its own line.",
} as const satisfies BooleanFlag;

/** Prints one result. */
type PrintItem<Item> = (item: Item) => void;

interface ListOutput<Item> {
  readonly fields: TemplateFields<Item>;
  /** The record of a result, as `--json` has it in its list. */
  readonly recordOf: (item: Item) => unknown;
}

/** Returns how `--jsonl` or `--format` prints each result; undefined without them. Throws USAGE for a wrong template. */
export function itemPrinter<Item>(
  io: Io,
  { jsonl, format }: { readonly jsonl: boolean; readonly format: string | undefined },
  { fields, recordOf }: ListOutput<Item>,
): PrintItem<Item> | undefined {
  if (jsonl) return (item) => io.out(`${safeJson(JSON.stringify(recordOf(item)))}\n`);
  if (format === undefined) return undefined;
  const write = compileTemplate(format, fields);
  return (item) => io.out(write(item));
}

/** Throws USAGE if more than one of these flags is set: each is a format of its own. */
export function requireOneFormat(flags: Readonly<Record<string, unknown>>): void {
  const [first, second] = Object.entries(flags)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key]) => `--${flagName(key)}`);
  if (first === undefined || second === undefined) return;
  throw new SvcError("USAGE", `${first} and ${second} cannot be used together.`, {
    hint: "Give one of them.",
  });
}
