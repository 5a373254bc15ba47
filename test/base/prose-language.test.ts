import { expect, test } from "vitest";

import {
  isForeign,
  isForeignLatin,
  isForeignLatinQuestion,
  questionLanguages,
} from "../../src/base/prose-language.ts";

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
