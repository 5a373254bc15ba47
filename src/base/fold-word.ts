// Folding of words: one form for all spellings of a word that differ in accents, width or composition.

/**
 * Accents of Latin, Greek and Cyrillic letters, but not the breve of a Cyrillic i, which makes another letter; vowel
 * points of Hebrew and Arabic, which most texts leave out; soft hyphens and selectors of variants.
 */
const IGNORED =
  /(?<![Ии])\u0306|\u00ad|\u0640|[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]|[\ufe00-\ufe0f]/g;

/** Letters that Unicode does not decompose, with what people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ł: "l",
  Ł: "L",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  ς: "σ",
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Characters that folding leaves as they are; texts in Chinese, Japanese and Korean consist of them. */
const UNCHANGED = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/;

/**
 * Returns a word without accents and without differences of width and composition, in NFC. Case stays:
 * "Résumé" -> "Resume", "ＡＢＣ" -> "ABC", "Straße" -> "Strasse".
 */
export function foldWord(word: string): string {
  if (UNCHANGED.test(word)) return word;
  return word
    .normalize("NFKD")
    .replace(IGNORED, "")
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
}
