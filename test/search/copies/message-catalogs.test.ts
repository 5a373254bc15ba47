import { expect, test } from "vitest";

import { catalogPath, haveSameKeys } from "../../../src/search/copies/message-catalogs.ts";

test.each<[string, string | undefined, string?]>([
  ["lang/de/errors.php", "lang/errors.php", "de"],
  ["app/locales/pt_BR.json", "app/locales.json", "pt-br"],
  ["internal/locale/translations/de_DE.json", "internal/locale/translations.json", "de-de"],
  ["src/locale/fr/LC_MESSAGES/django.po", "src/locale/LC_MESSAGES/django.po", "fr"],
  ["lang/errors.php", undefined],
  ["src/de/errors.php", undefined],
  ["src/languages/german.ts", undefined],
  ["src/languages/go/config.toml", undefined],
  ["lang/de_informal/auth.php", "lang/auth.php", "de-informal"],
])("the path %s names the catalog %s in %s", (path, document, language) => {
  expect(catalogPath(path)).toEqual(document === undefined ? undefined : { document, language });
});

test.each<[string, string, boolean]>([
  ["'open' => 'Open',\n'close' => 'Close',", "'open' => 'Auf',\n'close' => 'Zu',", true],
  ['{\n  "open": "Open",\n  "new": "New"\n}', '{\n  "open": "Auf"\n}', true],
  ['msgid "Open"\nmsgstr ""', 'msgid "Open"\nmsgstr "Auf"', true],
  ["open = Open\nclose = Close", "left = Links\nright = Rechts", false],
  ["", "open = Open", false],
])("%j and %j have the same keys: %s", (one, other, expected) => {
  expect(haveSameKeys(one.split("\n"), other.split("\n"))).toBe(expected);
});
