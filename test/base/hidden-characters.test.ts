import { expect, test } from "vitest";

import {
  BIDI_CONTROLS,
  hiddenCharacterKinds,
  invisibleCharacters,
} from "../../src/base/hidden-characters.ts";

const [CONTROL, BIDI, INVISIBLE_KIND] = [
  "control characters",
  "bidirectional controls",
  "invisible characters",
];

test.each<[text: string, kinds: readonly string[]]>([
  ["plain ASCII\twith\r\nlines\f", []],
  ["Größe, 日本語, привет", []],
  ["\u001b[2J", [CONTROL]],
  ["a\u0085b", [CONTROL]],
  ["a\u202eb", [BIDI]],
  ["a\u2066b", [BIDI]],
  ["a\u200bb", [INVISIBLE_KIND]],
  ["\ufeffa", [INVISIBLE_KIND]],
  ["\u3164 = 1", [INVISIBLE_KIND]],
  ["\u0007\u202e\u200b", [CONTROL, BIDI, INVISIBLE_KIND]],
])("%j has %j", (text, kinds) => {
  expect(hiddenCharacterKinds(text)).toEqual(kinds);
});

test.each([
  ["a joiner within an emoji", "👩\u200d👧", true],
  ["a joiner between Latin letters", "a\u200db", false],
  ["a joiner in Devanagari", "क\u094d\u200dष", true],
  ["one variation selector", "☂\ufe0f", true],
  ["a run of variation selectors", "☂\ufe0f\ufe0f", false],
  ["a variant of a Chinese character", "葛\u{e0100}", true],
  ["a variant of a Latin letter", "a\u{e0100}", false],
  ["the flag of Scotland", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}", true],
  ["a message in tags", "a\u{e0068}\u{e0069}", false],
])("%s is legitimate: %s", (_name, text, isLegitimate) => {
  expect(hiddenCharacterKinds(text)).toEqual(isLegitimate ? [] : [INVISIBLE_KIND]);
});

test("the patterns find each place, for those who remove or escape it", () => {
  expect("a\u202eb\u2066c".replace(BIDI_CONTROLS, "?")).toBe("a?b?c");
  expect("a\u200bb\ufeffc".replace(invisibleCharacters(), "?")).toBe("a?b?c");
});
