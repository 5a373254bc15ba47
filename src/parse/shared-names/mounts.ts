// Prefixes under which a server serves the routes of another file: Express, Fastify, Hono, FastAPI, Flask, Django, axum.

import { lineNumbers } from "./named-text.ts";
import { mountableRouteOf, type Mount } from "./shared-name.ts";

const MODULE = String.raw`(?:require|include|import)\(\s*["'][\w@./-]+["']\s*\)`;
const SERVED = String.raw`(${MODULE}|[\w$][\w$.:]*)`;
const PATTERNS: readonly { readonly pattern: RegExp; readonly isPrefixFirst: boolean }[] = [
  // The handlers between the prefix and the router check the request.
  {
    pattern: new RegExp(
      String.raw`\.(?:use|route|nest)\(\s*["'\x60](/[^"'\x60\s]*)["'\x60]\s*,\s*(?:[\w$.]+(?:\([^()]*\))?\s*,\s*)*${SERVED}\s*[,)(]`,
      "g",
    ),
    isPrefixFirst: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?:\.register|\.?include_router|\.?register_blueprint)\(\s*${SERVED}\s*,[^()]{0,300}?(?:url_)?prefix["']?\s*[=:]\s*f?["'\x60]((?:\{[^}]*\})?/[^"'\x60\s]*)["'\x60]`,
      "g",
    ),
    isPrefixFirst: false,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:path|url)\(\s*r?["']\^?([\w/<>:-]+)["']\s*,\s*(include\(\s*["'][\w.]+["'])`,
      "g",
    ),
    isPrefixFirst: true,
  },
];
const MAY_MOUNT = /\.(?:use|route|nest|register)\(|include_router|register_blueprint|\binclude\(/;
const LANGUAGES = new Set("javascript typescript tsx vue svelte python rust".split(" "));

/** Returns the mounts in a text. */
export function mountsIn(text: string, language = ""): readonly Mount[] {
  if (!LANGUAGES.has(language) || !MAY_MOUNT.test(text)) return [];
  return PATTERNS.flatMap(({ pattern, isPrefixFirst }) => {
    const lineAt = lineNumbers(text);
    return [...text.matchAll(pattern)].flatMap((match): Mount[] => {
      const [, first = "", second = ""] = match;
      const [path, served] = isPrefixFirst ? [first, second] : [second, first];
      const prefix = mountableRouteOf(undefined, `/${path}`);
      if (prefix === undefined || prefix === "/") return [];
      const module = /["']([^"']+)["']/.exec(served)?.[1];
      const target = module === undefined ? served : `"${module}"`;
      return [{ prefix, served: target, line: lineAt(match.index) }];
    });
  });
}
