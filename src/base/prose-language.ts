// Which language a text or a question is in, by its script, its letters and its function words.

/** English words without which no page of English prose is written, and which other languages have not. */
const ENGLISH =
  /^(?:the|of|and|that|with|this|you|your|from|which|when|if|not|be|by|can|will|have|use|using)$/;
/** Characters of a text from which its language is seen. */
const SAMPLE = 6000;
const MIN_FOREIGN_LETTERS = 0.15;
const MAX_ENGLISH_WORDS = 0.03;

/** Whether a text is in another language than English. Code in it counts for no language. */
export function isForeign(text: string): boolean {
  const words = text.slice(0, SAMPLE).match(/\p{L}+/gu) ?? [];
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  const latin = words.join("").match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters - latin > letters * MIN_FOREIGN_LETTERS) return true;
  const english = words.filter((word) => ENGLISH.test(word.toLowerCase())).length;
  return english < words.length * MAX_ENGLISH_WORDS;
}

/** Scripts, the most telling first: Japanese has Han characters too. */
const SCRIPTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
  [/\p{Script=Hangul}/u, ["ko"]],
  [/\p{Script=Han}/u, ["zh", "ja"]],
  [/[іїєґ]/iu, ["uk"]],
  [/\p{Script=Cyrillic}/u, ["ru", "uk", "bg", "sr", "be"]],
  [/\p{Script=Arabic}/u, ["ar", "fa", "ur"]],
  [/\p{Script=Hebrew}/u, ["he"]],
  [/\p{Script=Devanagari}/u, ["hi", "mr", "ne"]],
  [/\p{Script=Greek}/u, ["el"]],
  [/\p{Script=Thai}/u, ["th"]],
  [/\p{Script=Bengali}/u, ["bn"]],
  [/\p{Script=Tamil}/u, ["ta"]],
];

/** Letters and function words that English has not. */
const LATIN: Readonly<Record<string, readonly [RegExp, string]>> = {
  de: [
    /[äöüß]/i,
    "der die das dem den und ist nicht ein eine einen einem einer mit für wie wird wo auf ich im von zu",
  ],
  fr: [/[êèçœ]/i, "le la les des une est comment pour dans avec où et du un quel quelle sur sont"],
  es: [/[ñ¿¡]/i, "el la los las una cómo como qué para con por del dónde es un en"],
  pt: [/[ãõ]/i, "o os as uma como para com não do da em onde um fazer"],
  it: [/[òù]/i, "il lo gli una come per con di che del nella dove un si"],
  nl: [/ĳ/i, "het een van hoe met voor niet waar ik je de en"],
  pl: [/[łśżź]/i, "jak nie do się jest gdzie dla na"],
  tr: [/[ığş]/, "nasıl bir ve ile için nerede bu nedir"],
  sv: [/å/i, "hur en ett och är inte med för att jag"],
  cs: [/[ěřů]/i, "jak není nebo při který kde pro"],
  hu: [/[őű]/i, "hogyan egy és nem hogy vagy hol"],
  fi: [/ää|yö/i, "miten ja ei tai että missä kuinka"],
  da: [/[æø]/i, "hvordan og er ikke af til hvor"],
};
const ENGLISH_QUESTION = /^(?:how|what|where|why|who|does|do|is|are|to|for|i|my)$/;

/** Languages that a question may be in, the likeliest first; English unless it shows another one. */
export function questionLanguages(question: string): readonly string[] {
  const script = SCRIPTS.find(([letters]) => letters.test(question));
  if (script !== undefined) return script[1];
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => ENGLISH.test(word) || ENGLISH_QUESTION.test(word)).length;
  let best: { readonly language: string; readonly points: number } | undefined;
  for (const [language, [letters, list]] of Object.entries(LATIN)) {
    const own = new Set(list.split(" "));
    // Two letters are easily something else.
    const points = words
      .filter((word) => own.has(word))
      .reduce((sum, { length }) => sum + (length > 2 ? 1 : 0.5), letters.test(question) ? 1 : 0);
    if (points >= 1 && points > (best?.points ?? english)) best = { language, points };
  }
  return [best?.language ?? "en"];
}

/** Characters of a text that show whether it is in a foreign language with Latin letters. */
const LATIN_SAMPLE = 3000;
/** A text of fewer words shows no language. */
const MIN_WORDS = 20;
/** Share of words that are function words of one language, or have a letter that English has not. */
const MIN_FOREIGN_WORDS = 0.08;
const FOREIGN_LETTER = /[^\0-\x7f]/;
const FUNCTION_WORDS: readonly ReadonlySet<string>[] = Object.values(LATIN).map(
  ([, list]) => new Set(list.split(" ")),
);

/**
 * Whether a text is prose in another language than English with Latin letters. Unlike `isForeign` it needs a sign of
 * that language: a list of names is in none.
 */
export function isForeignLatin(text: string): boolean {
  const words =
    text
      .slice(0, LATIN_SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < MIN_WORDS) return false;
  let english = 0;
  let otherScripts = 0;
  let accented = 0;
  const counts = FUNCTION_WORDS.map(() => 0);
  for (const word of words) {
    if (ENGLISH.test(word)) english += 1;
    if (!FOREIGN_LETTER.test(word)) {
      // Function words with other letters are counted as accented.
      for (const [at, list] of FUNCTION_WORDS.entries())
        if (list.has(word)) counts[at] = (counts[at] ?? 0) + 1;
    } else if (/^\p{Script=Latin}/u.test(word)) accented += 1;
    else otherScripts += 1;
  }
  const { length } = words;
  if (english >= length * MAX_ENGLISH_WORDS || otherScripts > length * MIN_FOREIGN_LETTERS)
    return false;
  return accented + Math.max(...counts) >= length * MIN_FOREIGN_WORDS;
}

/** Whether a question shows that it is in another language than English with Latin letters. */
export function isForeignLatinQuestion(question: string): boolean {
  if (SCRIPTS.some(([letters]) => letters.test(question))) return false;
  if (questionLanguages(question)[0] !== "en") return true;
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  return (
    words.some((word) => FOREIGN_LETTER.test(word)) &&
    !words.some((word) => ENGLISH.test(word) || ENGLISH_QUESTION.test(word))
  );
}
