// What a package.json says of the files behind a name of the package.

import { isJsonObject, asStrings, type Json, type JsonObject } from "./config-text.ts";

/**
 * What `exports` or `imports` has for a key ("./client", "#log"), under whatever conditions, in the order in
 * which it is written: paths as they stand there, with the part that `*` stands for filled in.
 */
export function targetsOf(table: Json | undefined, key: string): readonly string[] {
  if (!isJsonObject(table) || !Object.keys(table).some((name) => /^[.#]/.test(name))) {
    return key === "." ? stringsIn(table) : [];
  }
  if (Object.hasOwn(table, key)) return stringsIn(table[key]);
  const pattern = bestPattern(Object.keys(table), key);
  if (pattern === undefined) return [];
  const star = starOf(pattern, key) ?? "";
  return stringsIn(table[pattern]).map((target) => target.replaceAll("*", star));
}

/** The pattern with the longest beginning that a key matches. */
export function bestPattern(patterns: readonly string[], key: string): string | undefined {
  let best: string | undefined;
  for (const pattern of patterns) {
    if (starOf(pattern, key) === undefined) continue;
    if (best === undefined || pattern.indexOf("*") > best.indexOf("*")) best = pattern;
  }
  return best;
}

/** What the `*` of a pattern stands for in a key; undefined where they do not match. */
export function starOf(pattern: string, key: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return undefined;
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits = key.length >= start.length + end.length;
  if (!fits || !key.startsWith(start) || !key.endsWith(end)) return undefined;
  return key.slice(start.length, key.length - end.length);
}

/** The keys of `exports` that name one module: "." and "./client", not "./*". */
export function plainKeys(exports: Json | undefined): readonly string[] {
  if (!isJsonObject(exports)) return ["."];
  const keys = Object.keys(exports).filter((key) => key.startsWith(".") && !key.includes("*"));
  return keys.length === 0 ? ["."] : keys;
}

/** What a package says of its main file, what is nearest to the source first. */
export function mainsOf(manifest: JsonObject): readonly string[] {
  return ["source", "module", "main", "types", "typings", "svelte"].flatMap((field) =>
    asStrings(manifest[field]),
  );
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (isJsonObject(value)) return Object.values(value).flatMap(stringsIn);
  return Array.isArray(value) ? value.flatMap(stringsIn) : asStrings(value);
}
