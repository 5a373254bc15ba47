// Catalogs of messages: files with the texts of a program in one language each, `lang/de/errors.php`, `locales/de.json`.

import { TRANSLATION_LANGUAGES, type TranslatedPath } from "./translations.ts";

/**
 * A language below a folder that gathers languages, as a folder or as the name of the file: `de`, `pt_BR`, `zh-hant`. Only
 * languages of people: `languages/go/config.toml` and `languages/lua/config.toml` have the same keys too.
 */
const CATALOG = new RegExp(
  String.raw`((?:^|/)(?:i18n|l10n|locales?|langs?|languages|translations?|messages))/((?:${TRANSLATION_LANGUAGES})(?:[-_][a-z0-9]{2,8}){0,2})(?=/[^/]|\.[^/]+$)`,
  "i",
);
/** A key and its message: `'open' => 'Öffnen'`, `"open": "Öffnen"`, `open = Öffnen`, `msgid "Open"`. */
const KEY = /^\s*(?:msgid\s+(".+")|["']?([\w.-]+)["']?\s*(?:=>|[:=])\s*\S)/;
/** Minimum share of the keys of the smaller catalog that the other one has. */
const MIN_SHARED_KEYS = 0.7;
/** Maximum characters of a line that are scanned. */
const MAX_LINE = 200;

/**
 * Returns the catalog that a path names, and its language; undefined for other paths. The path alone proves nothing: programs
 * for several programming languages have such folders too. See `haveSameKeys`.
 */
export function catalogPath(path: string): TranslatedPath | undefined {
  const found = CATALOG.exec(path);
  if (found === null) return undefined;
  const [matched, folder = "", language = ""] = found;
  const document = path.replace(matched, folder);
  return { document, language: language.toLowerCase().replaceAll("_", "-") };
}

/** Whether two files have messages for mostly the same keys. */
export function haveSameKeys(one: readonly string[], other: readonly string[]): boolean {
  const [own, others] = [keysOf(one), keysOf(other)];
  const [less, more] = own.size < others.size ? [own, others] : [others, own];
  if (less.size === 0) return false;
  return [...less].filter((key) => more.has(key)).length >= MIN_SHARED_KEYS * less.size;
}

function keysOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap((line) => {
      const [, message, key = message] = KEY.exec(line.slice(0, MAX_LINE)) ?? [];
      return key ?? [];
    }),
  );
}
