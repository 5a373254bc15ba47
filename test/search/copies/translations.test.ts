import { expect, test } from "vitest";

import { hasCountry, translatedPath } from "../../../src/search/copies/translations.ts";

test.each([
  ["README.md", "README.md", ""],
  ["README.zh-CN.md", "README.md", "zh-cn"],
  ["README_CN.md", "README.md", "zh"],
  ["README-pt_BR.md", "README.md", "pt-br"],
  ["docs/guide.md", "docs/guide.md", ""],
  ["docs/de/guide.md", "docs/guide.md", "de"],
  ["docs/zh-hant/docs/guide.md", "docs/docs/guide.md", "zh-hant"],
  ["docs/i18n/ja/guide.md", "docs/guide.md", "ja"],
  ["content/en/docs/guide.md", "content/docs/guide.md", "en"],
  ["pages.fr/common/tar.md", "pages/common/tar.md", "fr"],
  ["pages.zh/common/tr.md", "pages/common/tr.md", "zh"],
  ["translations/ko/README.md", "README.md", "ko"],
  ["www/i18n/fr/docusaurus-plugin-content-docs/current/intro.md", "www/docs/intro.md", "fr"],
  // A whole name is no language: `tr` is a program.
  ["pages/common/tr.md", "pages/common/tr.md", ""],
])("the path %s is of the document %s in %s", (path, document, language) => {
  expect(translatedPath(path)).toEqual({ document, language });
});

test("a language with a country is no name of anything else", () => {
  const countries = ["pl-pl", "pt-br", "zh-tw"];
  expect(countries.filter((language) => !hasCountry(language))).toEqual([]);
  expect(["pl", "zh-hant", "no-js", "my-db", ""].filter(hasCountry)).toEqual([]);
});
