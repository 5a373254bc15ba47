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

test.each([
  ["jak zmienić hasło w systemie", "pl"],
  ["jak nastavit tiskárnu při startu", "cs"],
  ["hogyan lehet új nyomtatót hozzáadni", "hu"],
  ["miten tulostin lisätään ja poistetaan", "fi"],
  ["hvordan tilføjer man en printer", "da"],
])("the question %s is in %s, too", (question, language) => {
  expect(questionLanguages(question)[0]).toBe(language);
});

const ENGLISH_PAGE =
  "The archive is unpacked with this command, and the files of the café are kept if you can read them. ".repeat(
    3,
  );
const GERMAN_PAGE =
  "Die Datei wird mit dem Befehl entpackt, und zwar sofort. Wenn sie schon da ist, fragt das Programm. ".repeat(
    3,
  );

test.each([
  ["a German page", GERMAN_PAGE, true],
  [
    "a Polish page",
    "Nowe hasło użytkownika zostało zmienione na żądanie administratora. ".repeat(4),
    true,
  ],
  [
    "an Italian page",
    "Il file viene copiato nella cartella, con una nota per gli utenti che lo usano. ".repeat(3),
    true,
  ],
  ["an English page", ENGLISH_PAGE, false],
  ["an English page with a German paragraph", ENGLISH_PAGE.repeat(4) + GERMAN_PAGE, false],
  ["a Russian page", "Файл распаковывается этой командой, и сразу же. ".repeat(6), false],
  [
    "a Chinese page with commands",
    "使用 tar 命令解压文件，然后删除 archive 文件。".repeat(20),
    false,
  ],
  ["a list of names", "parse config token buffer request session cache index ".repeat(5), false],
  ["a short page", "Die Datei wird gelöscht.", true],
])("whether %s is prose in a foreign language with Latin letters", (_kind, text, isIt) => {
  expect(isForeignLatin(text)).toBe(isIt);
});

test.each([
  ["Drucker hinzufügen", true],
  ["Como instalar o pacote", true],
  ["crème brûlée", true],
  ["how is the café opened", false],
  ["token revocation", false],
  ["parseConfig", false],
  ["как удалить файл", false],
  ["文件 über", false],
])("whether the question %s is in such a language", (question, isIt) => {
  expect(isForeignLatinQuestion(question)).toBe(isIt);
});

test("texts of any characters are classified in linear time", () => {
  for (const unit of ["ä", "die ", "ß, ", "ж", "数"]) {
    expect(typeof isForeignLatin(unit.repeat(1_000_000))).toBe("boolean");
    expect(typeof isForeignLatinQuestion(unit.repeat(5000))).toBe("boolean");
  }
});
