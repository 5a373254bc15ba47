import { providerError } from "./provider-client.ts";

/** Asked for; models that think aloud name several, and the last one is meant. */
const ORDER = /"order"\s*:\s*(?<list>\[[\d\s,"]*\])/g;
/** An answer that is nothing but a list, in a fence or not. */
const BARE = /^\s*(?:```\w*\s)?\s*(?<list>\[[\d\s,"]*\])\s*(?:```)?\s*$/;

/**
 * The order in an answer of POST /chat/completions: numbers below `count`, each once, the best first. Numbers
 * that were not given are dropped, what is missing is left to the caller. Throws PROVIDER_ERROR where
 * there is nothing of use.
 */
export function parseOrder(response: unknown, count: number): readonly number[] {
  const content = contentOf(response) ?? "";
  const found = [...content.matchAll(ORDER)].at(-1) ?? BARE.exec(content);
  const numbers = (found?.groups?.["list"]?.match(/\d+/g) ?? []).map(Number);
  const order = [...new Set(numbers)].filter((number) => number < count);
  if (order.length === 0) throw providerError("answers without an order of the passages");
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
