import { assert, property } from "fast-check";
import { expect, test } from "vitest";

import { foldWord } from "../../src/base/fold-word.ts";
import { anyText } from "../helpers/any-text.ts";

test.each([
  ["Résumé", "Resume"],
  ["re\u0301sume\u0301", "resume"],
  ["Übergröße", "Ubergrosse"],
  ["Ærøskøbing", "AEroskobing"],
  ["Łódź", "Lodz"],
  ["İstanbulısı", "Istanbulisi"],
  ["Việt", "Viet"],
  ["ёлка", "елка"],
  ["йод", "йод"],
  ["Ύψος", "Υψοσ"],
  ["ΎΨΟΣ", "ΥΨΟΣ"],
  ["ＡＢＣ１２", "ABC12"],
  ["ﾃﾞｰﾀ", "データ"],
  ["\u1112\u1161\u11ab", "한"],
  ["ガ", "ガ"],
  ["ﬁle", "file"],
  ["مُحَمَّد", "محمد"],
  ["שָׁלוֹם", "שלום"],
  ["हिन्दी", "हिन्दी"],
  ["ข้อมูล", "ข้อมูล"],
  ["co\u00adoperate", "cooperate"],
  ["数据库", "数据库"],
  ["plain_ASCII", "plain_ASCII"],
])("%s is folded to %s", (word, folded) => {
  expect(foldWord(word)).toBe(folded);
});

test("folding is the same for composed and decomposed words, and changes nothing the second time", () => {
  assert(
    property(anyText({ maxLength: 30 }), (word) => {
      const folded = foldWord(word);
      expect(foldWord(word.normalize("NFD"))).toBe(folded);
      expect(foldWord(folded)).toBe(folded);
    }),
    { numRuns: 3000 },
  );
});
