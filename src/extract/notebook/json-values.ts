export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object of that key; an empty one if there is none. */
export function recordIn(record: JsonRecord, key: string): JsonRecord {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  return isRecord(value) ? value : {};
}

/** Returns the text of that key: a string, or a list of strings that are joined. "" if it is none of them. */
export function textIn(record: JsonRecord, key: string): string {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.filter((part: unknown) => typeof part === "string").join("");
}
