// Translated documents: which files have the same text in several languages.

/** What the path of a document says about its language. */
export interface TranslatedPath {
  /** The path without the language: equal for all translations of a document. */
  readonly document: string;
  /** ISO 639-1 code, in lower case with what follows it: `zh-hant`; "" if the path names no language. */
  readonly language: string;
}

/** Languages that documentation is translated into. Codes that folders have for other reasons (`cs`, `id`) need `isForeign` of src/base/prose-language.ts. */
export const TRANSLATION_LANGUAGES =
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
const TAG = `(${TRANSLATION_LANGUAGES}|${Object.keys(LANGUAGE_OF_COUNTRY).join("|")})((?:[-_](?:hans|hant|latn|cyrl|419|[a-z]{2}))?)`;
/** `docs/zh-CN/`, `pages.zh/`, `i18n/fr/`. The folder before it may only gather languages. */
const FOLDER = new RegExp(
  `(^|/)(?:(?:i18n|l10n|locales?|lang|languages|translations?)/)?(?:([^/]+)[._-])??${TAG}/`,
  "i",
);
/** `README.zh-CN.md`, `guide_de.md`. */
const NAME = new RegExp(`[._-]${TAG}(\\.[^./]+)$`, "i");
/** Docusaurus. */
const PLUGIN_FOLDER = /docusaurus-plugin-content-(docs|blog|pages)\/(?:current\/)?/;

/** Returns the document that a path names, and its language. The path alone does not prove a translation: see `isForeign` of src/base/prose-language.ts. */
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

const COUNTRIES = new Set(
  "ae ar at au bd be bg br by ca ch cl cn co cz de dk ee eg es fi fr gb gr hk hr hu id ie il in iq ir it jp kr kz lk lt lu lv ma mx my nl no nz pe ph pk pl pt ro rs ru sa se sg si sk th tn tr tw ua us uy uz ve vn za".split(
    " ",
  ),
);

/** Whether a language of `translatedPath` has a country (`pl-pl`). Folders have such names only for translations. */
export function hasCountry(language: string): boolean {
  const [, country = ""] = language.split("-");
  return COUNTRIES.has(country);
}
