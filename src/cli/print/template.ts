// Templates of `--format`: `{path}:{line}: {text}`.

import { closestWord } from "../../base/closest-word.ts";
import { SvcError } from "../../base/errors.ts";
import type { StringFlag } from "../flag-definition.ts";
import { safeText } from "./safe-text.ts";

/** The fields of one kind of result, by name. */
export type TemplateFields<Item> = Readonly<Record<string, (item: Item) => string | number>>;

/** Text that stays as it is, or the name of a field. */
type Part = { readonly text: string } | { readonly field: string };

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", "0": "\0" };
const TOKEN = /\\(.)|\{([^{}]*)\}|([{}]|\\$)/gsu;

/** The flag of a command whose results have these fields. */
export function formatFlag(fields: readonly string[]) {
  return {
    type: "string",
    placeholder: "TEMPLATE",
    description: `Print each result in the form of TEMPLATE, such as '{path}:{line}:{column}: {text}'. Fields: ${fields.join(", ")}. \\t, \\n and \\0 are a tab, a line end and a zero byte; \\{ is a brace. svc adds a line end, unless TEMPLATE ends with \\n or \\0.`,
  } as const satisfies StringFlag;
}

/**
 * Returns a function that writes a result. Values are safe for a terminal. Throws USAGE for an unknown field, or a brace
 * or backslash that begins nothing.
 */
export function compileTemplate<Item>(
  template: string,
  fields: TemplateFields<Item>,
): (item: Item) => string {
  const parts = partsOf(template, Object.keys(fields));
  const last = parts.at(-1);
  const isEnded = last !== undefined && "text" in last && /[\n\0]$/.test(last.text);
  const end = isEnded ? "" : "\n";
  return (item) => {
    const texts = parts.map((part) =>
      "text" in part ? part.text : safeText(String(fields[part.field]?.(item))),
    );
    return texts.join("") + end;
  };
}

function partsOf(template: string, names: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of template.matchAll(TOKEN)) {
    const [token, escaped, field, stray] = match;
    if (stray !== undefined) throw unpaired(stray);
    parts.push({ text: template.slice(end, match.index) });
    if (field === undefined) parts.push({ text: ESCAPES[escaped ?? ""] ?? escaped ?? "" });
    else parts.push({ field: requireField(field, names) });
    end = match.index + token.length;
  }
  const rest = template.slice(end);
  return rest === "" ? parts : [...parts, { text: rest }];
}

function requireField(field: string, names: readonly string[]): string {
  if (names.includes(field)) return field;
  const near = closestWord(field, names);
  throw new SvcError("USAGE", `--format has no field {${field}}.`, {
    hint: near === undefined ? `The fields are ${names.join(", ")}.` : `Did you mean {${near}}?`,
  });
}

function unpaired(character: string): SvcError {
  return new SvcError("USAGE", `--format has a ${character} that begins no field or escape.`, {
    hint: `Write \\${character} for the character itself.`,
  });
}
