import { expect, test } from "vitest";

import { marksIn, stemsOf } from "../../src/web/query-words.ts";

/** Returns the text with the marked words in brackets. */
function marked(text: string, question: string): string {
  let shown = "";
  let at = 0;
  for (const { start, end } of marksIn(text, stemsOf(question))) {
    shown += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return shown + text.slice(at);
}

test.each([
  ["where are tokens revoked", "revokeToken(token)", "[revoke][Token]([token])"],
  [
    "parse config",
    "HTTPConfigParser parse_config CONFIG",
    "HTTP[Config]Parser [parse]_[config] [CONFIG]",
  ],
  ["parseConfig", "config of parsing", "[config] of [parsing]"],
  ["the tide", "the tide is not the theme", "the [tide] is not the theme"],
  ["what is this", "this is it", "[this] [is] it"],
  ["error 404", "status 404 or 4040", "status [404] or 4040"],
  ["größe", "Größe der Größen", "[Größe] der Größen"],
  [
    "resume",
    "a r\u00e9sum\u00e9, in NFD re\u0301sume\u0301s",
    "a [r\u00e9sum\u00e9], in NFD [re\u0301sume\u0301s]",
  ],
  ["数据库连接", "连接失败，用数据库A连接数据", "[连接]失败，用[数据库]A[连接][数据]"],
  ["пользователя", "Пользователь и поле", "[Пользователь] и поле"],
  ["???", "a?b", "a?b"],
])("of %j are marked in %j: %j", (question, text, expected) => {
  expect(marked(text, question)).toBe(expected);
});

test("a word is not marked for a partial match", () => {
  expect(marked("tokenizer string", "token str")).toBe("tokenizer string");
});
