import { assert, property } from "fast-check";
import { expect, test } from "vitest";

import {
  ALPHABETIC,
  EXTENDING,
  kindOfCharacter,
  NO_WORD,
  sizeOfCharacter,
  UNSPACED,
} from "../../src/parse/character-kinds.ts";
import { anyText } from "../helpers/any-text.ts";

test.each([
  [ALPHABETIC, "éßøλяأकა٣Ａ²µ𐐀"],
  [UNSPACED, "数々〇あアーｱ한ᄒㄅก๓ກកက𠀀"],
  [EXTENDING, "\u0301\u3099\u0e47\u1161\u00ad\ufe0f\uff9e"],
  [NO_WORD, "，。「・—«·×€→⚠️".replace("\ufe0f", "")],
  [NO_WORD, "\u00a0\u2003\u3000\u200b🚀"],
])("kind %i have %s", (kind, characters) => {
  for (const character of characters)
    expect([character, kindOfCharacter(character, 0)]).toEqual([character, kind]);
});

test("half a surrogate pair is no word and has one code unit", () => {
  for (const half of ["\ud83d", "\udc00", "\ud83da", "\ud83d\ud83d"]) {
    expect(kindOfCharacter(half, 0)).toBe(NO_WORD);
    expect(sizeOfCharacter(half, 0)).toBe(1);
  }
});

test("the sizes of the characters of a text add up to its length", () => {
  assert(
    property(anyText({ maxLength: 50 }), (text) => {
      let at = 0;
      for (const character of text) {
        expect(sizeOfCharacter(text, at)).toBe(character.length);
        at += character.length;
      }
    }),
  );
});
