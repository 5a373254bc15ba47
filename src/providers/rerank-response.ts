import { providerError } from "./provider-client.ts";

/** The requested format. Models that reason aloud write several orders; the last one counts. */
const ORDER = /"order"\s*:\s*(?<list>\[[\d\s,"]*\])/g;
/** A response that consists only of a list, with or without a code fence. */
const BARE = /^\s*(?:```\w*\s)?\s*(?<list>\[[\d\s,"]*\])\s*(?:```)?\s*$/;

/**
 * Returns the order in a response of POST /chat/completions: distinct numbers below `count`, the best first. Other
 * numbers are dropped, and missing ones are left to the caller. Throws PROVIDER_ERROR when there is no usable
 * order.
 */
export function parseOrder(response: unknown, count: number): readonly number[] {
  const content = contentOf(response) ?? "";
  const found = [...content.matchAll(ORDER)].at(-1) ?? BARE.exec(content);
  const numbers = (found?.groups?.["list"]?.match(/\d+/g) ?? []).map(Number);
  const order = [...new Set(numbers)].filter((number) => number < count);
  if (order.length === 0) throw providerError("returned no order of the passages");
  return order;
}

function contentOf(response: unknown): string | undefined {
  const choices = memberOf(response, "choices");
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const content = memberOf(memberOf(first, "message"), "content");
  return typeof content === "string" ? content : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
