// Translated documents: which files have the same text in several languages, and which language a question is in.

/** What the path of a document says about its language. */
export interface TranslatedPath {
  /** The path without the language: equal for all translations of a document. */
  readonly document: string;
  /** ISO 639-1 code, in lower case with what follows it: `zh-hant`; "" if the path names no language. */
  readonly language: string;
}

/** Languages that documentation is translated into. Codes that folders have for other reasons (`cs`, `id`) need `isForeign`. */
const LANGUAGES =
  "ar|az|be|bg|bn|bs|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|hy|id|it|ja|ka|kk|km|ko|lt|lv|ml|mn|mr|ms|my|nb|ne|nl|nn|no|pl|pt|ro|ru|si|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|uk|ur|uz|vi|zh";
/** Codes of countries that files are named by, as in `README_CN.md`. */
const LANGUAGE_OF_COUNTRY: Readonly<Record<string, string>> = {
  cn: "zh",
  tw: "zh",
  jp: "ja",
  kr: "ko",
  br: "pt",
  ua: "uk",
  vn: "vi",
};
const TAG = `(${LANGUAGES}|${Object.keys(LANGUAGE_OF_COUNTRY).join("|")})((?:[-_](?:hans|hant|latn|cyrl|419|[a-z]{2}))?)`;
/** `docs/zh-CN/`, `pages.zh/`, `i18n/fr/`. The folder before it may only gather languages. */
const FOLDER = new RegExp(
  `(^|/)(?:(?:i18n|l10n|locales?|lang|languages|translations?)/)?(?:([^/]+)[._-])??${TAG}/`,
  "i",
);
/** `README.zh-CN.md`, `guide_de.md`. */
const NAME = new RegExp(`[._-]${TAG}(\\.[^./]+)$`, "i");
/** Docusaurus. */
const PLUGIN_FOLDER = /docusaurus-plugin-content-(docs|blog|pages)\/(?:current\/)?/;

/** Returns the document that a path names, and its language. The path alone does not prove a translation: see `isForeign`. */
export function translatedPath(path: string): TranslatedPath {
  const folder = FOLDER.exec(path);
  if (folder !== null) {
    const [matched, before = "", name, tag = "", variant = ""] = folder;
    const kept = name === undefined ? before : `${before}${name}/`;
    const document = path.replace(matched, kept).replace(PLUGIN_FOLDER, "$1/");
    return { document, language: languageTag(tag, variant) };
  }
  const name = NAME.exec(path);
  if (name === null) return { document: path, language: "" };
  const [matched, tag = "", variant = "", extension = ""] = name;
  const language = languageTag(tag, variant);
  return { document: path.slice(0, -matched.length) + extension, language };
}

function languageTag(tag: string, variant: string): string {
  const code = tag.toLowerCase();
  return (LANGUAGE_OF_COUNTRY[code] ?? code) + variant.toLowerCase().replace("_", "-");
}

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
