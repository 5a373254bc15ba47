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
/** Share of words that are function words of one language, or have a letter that English has not. */
const MIN_FOREIGN_WORDS = 0.02;
const FOREIGN_LETTER = /[^\0-\x7f]/;
const IS_LATIN = /^\p{Script=Latin}/u;
/** Function words of a language on each line that are neither English words nor words of programs. */
const FUNCTION_WORDS = `
der das dem den und ist nicht ein eine einen einem einer mit für wie wird wo auf ich im von zu des sich auch oder wenn werden kann durch bei aus zum zur nach sie ihre
le la les des une est et du un quel quelle sur sont dans avec pour que qui pas ce cette vous au aux ou où par plus il peut leur
el la los las una cómo qué para con por dónde un en que su lo más este esta puede si como sus
uma como para não da onde um que ao à são mais ou seu sua pode das
il lo gli una come di che della nella dove un si dei delle è alla da questo più nel con dal tutti
het een van hoe voor niet waar ik je de en te dat wordt worden naar bij als deze aan uit om zijn kan
jak nie się gdzie dla za od lub być są może oraz przez które nowy
nasıl bir ve ile için nerede bu nedir da olarak olan gibi daha veya değil
hur en ett och är inte med för att jag det som av på till kan eller de från
jak není nebo při který se je že jako lze tento
hogyan egy és nem hogy vagy hol csak van ez
miten ja ei tai että missä kuinka jos joka voi ovat
hvordan og er ikke af til hvor det som kan eller den de fra på
și în de la cu pentru este din sau sunt un
els les amb una un que és dels
`;
/** By function word: the numbers of its languages. */
const LANGUAGES_OF_WORDS = new Map<string, number[]>();
const LISTS = FUNCTION_WORDS.trim().split("\n");
for (const [language, list] of LISTS.entries()) {
  for (const word of list.split(" ")) {
    LANGUAGES_OF_WORDS.set(word, [...(LANGUAGES_OF_WORDS.get(word) ?? []), language]);
  }
}

/** Evidence for the language of a text from its words. */
interface LanguageSigns {
  readonly words: number;
  /** Function words of English. */
  readonly english: number;
  /** Function words of the other language that has most of them, and words with letters that English has not. */
  readonly foreign: number;
  /** Words in other scripts. */
  readonly otherScripts: number;
}

function signsIn(text: string): LanguageSigns {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  let english = 0;
  let accented = 0;
  let otherScripts = 0;
  const counts = new Uint32Array(LISTS.length);
  for (const word of words) {
    if (FOREIGN_LETTER.test(word)) {
      if (IS_LATIN.test(word)) accented += 1;
      else otherScripts += 1;
      continue;
    }
    if (ENGLISH.test(word)) english += 1;
    // Function words with other letters were counted above.
    for (const language of LANGUAGES_OF_WORDS.get(word) ?? []) {
      counts[language] = (counts[language] ?? 0) + 1;
    }
  }
  return { words: words.length, english, foreign: accented + Math.max(...counts), otherScripts };
}

/** Whether a text is prose in another language than English with Latin letters. */
export function isForeignLatin(text: string): boolean {
  const { words, english, foreign, otherScripts } = signsIn(text.slice(0, LATIN_SAMPLE));
  if (otherScripts > words * MIN_FOREIGN_LETTERS) return false;
  return foreign > english && foreign >= words * MIN_FOREIGN_WORDS;
}

/** Whether a question shows that it is in another language than English with Latin letters. */
export function isForeignLatinQuestion(question: string): boolean {
  const { english, foreign, otherScripts } = signsIn(question);
  return otherScripts === 0 && foreign > english;
}
