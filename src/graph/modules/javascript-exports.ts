// Reads from package.json which files the names of a package refer to.

import { isConfigObject, asStrings, type ConfigValue, type ConfigObject } from "./config-text.ts";

const OTHER_CONDITION =
  /^(?:require|browser|deno|bun|worker|workerd|edge-light|react-native|react-server|development|types@.*)$/;

/**
 * Returns the targets of `exports` or `imports` for a key ("./client", "#log"), for all conditions, in the
 * order of the file. Targets are returned as written, with `*` replaced.
 */
export function targetsOf(table: ConfigValue | undefined, key: string): readonly string[] {
  if (!isConfigObject(table) || !Object.keys(table).some((name) => /^[.#]/.test(name))) {
    return key === "." ? stringsIn(table) : [];
  }
  if (Object.hasOwn(table, key)) return stringsIn(table[key]);
  const pattern = bestPattern(Object.keys(table), key);
  if (pattern === undefined) return [];
  const star = starOf(pattern, key) ?? "";
  return stringsIn(table[pattern]).map((target) => target.replaceAll("*", star));
}

/**
 * Returns the targets for a module that an `import` names, in the order of the file: without those that only `require`, a
 * browser, another runtime or an older TypeScript gets.
 */
export function importedTargetsOf(table: ConfigValue | undefined, key: string): readonly string[] {
  return targetsOf(withoutOthers(table), key);
}

function withoutOthers(value: ConfigValue | undefined): ConfigValue | undefined {
  if (Array.isArray(value)) return value.map((one) => withoutOthers(one) ?? null);
  if (!isConfigObject(value)) return value;
  const rows = Object.entries(value).filter(([name]) => !OTHER_CONDITION.test(name));
  return Object.fromEntries(rows.map(([name, one]) => [name, withoutOthers(one) ?? null]));
}

/** Returns the matching pattern with the longest prefix. */
export function bestPattern(patterns: readonly string[], key: string): string | undefined {
  let best: string | undefined;
  for (const pattern of patterns) {
    if (starOf(pattern, key) === undefined) continue;
    if (best === undefined || pattern.indexOf("*") > best.indexOf("*")) best = pattern;
  }
  return best;
}

/** Returns the text that the `*` of a pattern matches in a key, or undefined if they do not match. */
export function starOf(pattern: string, key: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return undefined;
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits = key.length >= start.length + end.length;
  if (!fits || !key.startsWith(start) || !key.endsWith(end)) return undefined;
  return key.slice(start.length, key.length - end.length);
}

/** Returns the keys of `exports` that name a single module: "." and "./client", not "./*". */
export function plainKeys(exports: ConfigValue | undefined): readonly string[] {
  if (!isConfigObject(exports)) return ["."];
  const keys = Object.keys(exports).filter((key) => key.startsWith(".") && !key.includes("*"));
  return keys.length === 0 ? ["."] : keys;
}

/** Returns the main files of a package, those closest to the source first. */
export function mainsOf(manifest: ConfigObject): readonly string[] {
  return ["source", "module", "main", "types", "typings", "svelte"].flatMap((field) =>
    asStrings(manifest[field]),
  );
}

function stringsIn(value: ConfigValue | undefined): readonly string[] {
  if (isConfigObject(value)) return Object.values(value).flatMap(stringsIn);
  return Array.isArray(value) ? value.flatMap(stringsIn) : asStrings(value);
}
