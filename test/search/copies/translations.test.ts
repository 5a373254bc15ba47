import { expect, test } from "vitest";

import {
  isForeign,
  questionLanguages,
  translatedPath,
} from "../../../src/search/copies/translations.ts";

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

test.each([
  [
    "a German page",
    "Die Datei wird mit dem Befehl `tar xf a.tar` entpackt, und zwar sofort.",
    true,
  ],
  ["a Chinese page with code", "使用 `tar` 命令解压文件, with this option and the archive.", true],
  ["an English page", "The archive is unpacked with this command, and the files are kept.", false],
  ["a page without words", "", false],
])("whether %s is foreign", (_kind, text, isIt) => {
  expect(isForeign(text)).toBe(isIt);
});

test.each([
  ["how do I deploy with docker", "en"],
  ["parseConfig", "en"],
  ["la carte", "en"],
  ["why does the worker die", "en"],
  ["Dateien in einem Archiv anzeigen", "de"],
  ["extraire une archive tar", "fr"],
  ["Cómo instalar el paquete", "es"],
  ["como instalar o pacote", "pt"],
  ["パスの型", "ja"],
  ["路径参数", "zh"],
  ["как удалить файл", "ru"],
  ["경로 매개변수", "ko"],
])("the question %s is in %s", (question, language) => {
  expect(questionLanguages(question)[0]).toBe(language);
});
