export type JsonRecord = Readonly<Record<string, unknown>>;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENING_BRACKET = 91;
const OPENING_BRACE = 123;

/** Returns whether JSON in UTF-8 has more than so many values. A short text can have values that need much memory. */
export function hasMoreValues(bytes: Uint8Array, limit: number): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

/** Returns the offset of the quote that ends a string. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

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
