import type * as v from "valibot";

/**
 * Returns arguments with the types of their schemas, where a model wrote a value of another type that can only mean one
 * thing: one text for a list of texts, a list as the text of its JSON, a number or a flag in quotes. Leaves the others as
 * they are, for the schema to refuse.
 */
export function typedArguments(entries: v.ObjectEntries, given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  if (!Object.values(given).some((value) => typeof value === "string")) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]: readonly [string, unknown]) => {
      const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
      const isText = typeof value === "string" && entry !== undefined;
      return [key, isText ? typedText(typeOf(entry), value) : value];
    }),
  );
}

/** The type of an argument, also of an optional one. */
function typeOf(entry: v.ObjectEntries[string]): string {
  return "wrapped" in entry ? entry.wrapped.type : entry.type;
}

function typedText(type: string, text: string): unknown {
  if (type === "array") return text === "" ? text : (listIn(text) ?? [text]);
  if (type === "number") return /^-?\d{1,9}$/.test(text) ? Number(text) : text;
  if (type !== "boolean") return text;
  return text === "true" || (text === "false" ? false : text);
}

/** The texts of a JSON list; undefined for any other text, such as a path with brackets. */
function listIn(text: string): readonly string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    const isTexts = Array.isArray(list) && list.every((one) => typeof one === "string");
    return isTexts ? list : undefined;
  } catch {
    return undefined;
  }
}
