import { isForeignLatinQuestion } from "../base/prose-language.ts";
import { scanWords, withPrefixes, type Tokenizer } from "../parse/tokenizer.ts";
import {
  asksForTests,
  asksInWords,
  intentOf,
  isQuestion,
  settingIntentOf,
  type AskedWords,
} from "./intent.ts";
import { settingQuestion } from "./setting-questions.ts";
import { quotedPhrases } from "./quoted-phrases.ts";
import { JOINED_WEIGHT, joinedTerms, relatedTerms, type QueryWords } from "./related-terms.ts";
import type { Topic, topicOf as TopicOf } from "./topic-questions.ts";

/** A parsed query. */
export interface Query {
  /** Distinct terms with their weights. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms of neighbouring words written together, as in names. They find files, and do not choose lines. */
  readonly joined: ReadonlySet<string>;
  /** Words of the query as written, without stop words; up to 64. */
  readonly words: readonly string[];
  /** The words that look like names in a program: camelCase, snake_case, A::b, a.b(). */
  readonly identifiers: ReadonlySet<string>;
  /** Words that look like a path or a file name. */
  readonly paths: readonly string[];
  /** True when the query consists of a single name. */
  readonly isSymbol: boolean;
  /** Messages of a program that the query may quote, as words. Empty for questions. */
  readonly phrases: readonly string[];
  /** The roles of files that the query asks for, by its words. */
  readonly requestedRoles: Readonly<Record<"tests" | "docs" | "config" | "examples", boolean>>;
  /** True for a question with intent, which documentation answers: "how do I stop it", "install", "where is my log". */
  readonly asksHow: boolean;
  /** What a page or a section answers by its title: "what is a spider", "getting started". */
  readonly topic: Topic | undefined;
  /** Names of the project, in lower case. */
  readonly names: ReadonlySet<string>;
  /** The setting that a question is about, as written: "what does MAX_RETRIES do". */
  readonly settingName: string | undefined;
  /** Whether the text asks for the tests of something. */
  readonly asksForTests: boolean;
  /** The chance, 0 to 1, that someone wants to do something, which documentation answers; 1 if `asksHow`. */
  readonly intent: number;
  /** The chance, 0 to 1, that someone wants to set something, which files of settings answer; at most `intent`. */
  readonly settingIntent: number;
  /** The text that is embedded: the query without names of the project's languages. */
  readonly embeddingText: string;
  /** Length of the query in characters (UTF-16 units). */
  readonly length: number;
  /** Splits words into terms, with their prefixes if the query is in a foreign language with Latin letters. */
  readonly split: Tokenizer["split"];
}

/** Further words for languages, with their ids. */
const LANGUAGE_WORDS: Readonly<Record<string, string>> = { golang: "go" };
/** Languages whose names are ordinary words. */
const ORDINARY_WORDS = new Set(["go", "c", "r", "swift", "dart", "make", "text", "d", "v"]);
/**
 * Weight of a term that names the project's own language. The word narrows nothing in such a project, yet few of
 * its files contain it, so its IDF would be high. PROJECT_WEIGHT is the weight of a term from the project's own
 * name, as in "how does gin bind a query".
 */
const LANGUAGE_WEIGHT = 0.15;
const PROJECT_WEIGHT = 0.3;
/** Longer queries are issues, stack traces or pasted code. */
export const MIN_LONG_QUERY_CHARS = 200;
/** Weight of a term in the first line of a long query, and in the rest of it. */
const TITLE_WEIGHT = 2;
const REST_WEIGHT = 0.6;

/** Intent of a question about a concept, which may be one of the code. */
const CONCEPT_INTENT = 0.6;
/** Weight of a word in the title of a page that projects usually have. */
const TITLE_WORD_WEIGHT = 0.4;

/** The project that a query is about. */
export interface Project {
  /** Its names, which are those of its folders. */
  readonly names?: readonly string[] | undefined;
  /** Ids of its main languages. */
  readonly languages?: ReadonlySet<string> | undefined;
  /** Whether the project defines the name in a question, such as "what does maxThreads do", as a function or a type. */
  readonly definesSubject?: boolean | undefined;
  /** Of topic-questions.ts, if the question may have a topic. */
  readonly topicOf?: typeof TopicOf | undefined;
}

const NO_LANGUAGES: ReadonlySet<string> = new Set();

// Function words, and the verbs of queries about programs. Negations that programs use as names ("not", "none") are
// not in the list.
const STOP = new Set(
  (
    "a an the of to in on for and or is are be as by with from at it its this that these those how does do did " +
    "what which where when why who whom into onto than then there their them they you your we our us i me my can " +
    "could should would may might will shall has have had been being was were if else via per using use used so " +
    "such any each other some between within about during also only same both few more most very just"
  ).split(" "),
);

/** What follows an apostrophe. */
const CONTRACTED = /^(?:s|d|m|ll|re|ve)$/i;

// The look-behind keeps matching linear: without it every character of a long word starts a new attempt.
const PATH = /(?<![\w@.-])[\w@.-]*(?:\/[\w@.-]+)+|(?<![\w-])[\w-]+\.[a-z]{1,4}\b(?!\()/g;

/** Parses a query. Never fails: a query that consists of stop words is searched as it is. */
export function parseQuery(
  text: string,
  plainTokenizer: Tokenizer,
  {
    names = [],
    languages: mainLanguages = NO_LANGUAGES,
    definesSubject = true,
    topicOf,
  }: Project = {},
): Query {
  const words: string[] = [];
  scanWords(text, (word, start) => {
    if (!isContracted(text, word, start)) words.push(word);
  });
  const tokenizer = tokenizerFor(text, plainTokenizer);
  const distinctive = words.filter((word) => !STOP.has(word.toLowerCase()));
  const remaining = distinctive.length > 0 ? distinctive : words;
  const distinct = new Set(remaining);
  const isSymbol = /^[\w$]+(?:(?:\.|::|#|->)[\w$]+)*(?:\(\))?$/.test(text.trim());
  const languages = new Set(
    remaining.length > 2 ? remaining.filter((word) => namesLanguage(word, mainLanguages)) : [],
  );
  const identifiers = identifiersOf(text, distinct, isSymbol);
  const paths = text.match(PATH) ?? [];
  const inSentence = { words: [...distinct], identifiers, paths };
  const asked = askedOf(text, isSymbol ? undefined : inSentence, {
    definesSubject,
    topic: topicOf?.(text, inSentence.words, names),
  });
  const weighted = { words, distinctive: remaining };
  const { terms, joined } = weightedTerms(text, weighted, { names, languages, tokenizer });
  if (asked.topic !== undefined) weighTitles({ terms, joined }, asked.topic, distinct, tokenizer);
  return {
    terms,
    joined,
    words: [...distinct].slice(0, 64),
    identifiers,
    paths,
    isSymbol,
    phrases: phrasesOf(text, asked),
    embeddingText: languages.size > 0 ? without(text, languages) : text,
    length: text.length,
    ...asked,
    topic: asked.topic,
    names: new Set(names.map((name) => name.toLowerCase())),
    asksForTests: asksForTests(text),
    split: tokenizer.split,
    requestedRoles: requestedRolesOf(text, asked.asksHow),
  };
}

interface WeightedTerms {
  readonly terms: Map<string, number>;
  readonly joined: Set<string>;
}

interface TermContext {
  readonly names: readonly string[];
  /** Words that name the project's languages. */
  readonly languages: ReadonlySet<string>;
  readonly tokenizer: Tokenizer;
}

/** Names of the project and of its languages say where to search, not what to find. */
function weightedTerms(
  text: string,
  words: QueryWords,
  { names, languages, tokenizer }: TermContext,
): WeightedTerms {
  const weighted = isLong(text)
    ? {
        terms: emphasizedTerms(text, words.distinctive, tokenizer),
        joined: new Set<string>(),
      }
    : termsWithRelated(words, tokenizer);
  const { terms } = weighted;
  for (const word of languages) reduceWeights(terms, tokenizer.split(word), LANGUAGE_WEIGHT);
  if (terms.size > 1) {
    for (const name of names) reduceWeights(terms, termsIn(name, tokenizer), PROJECT_WEIGHT);
  }
  return weighted;
}

/**
 * Adds the words of the titles of usual pages. They find files, and do not choose lines. What a question calls the
 * project finds nothing.
 */
function weighTitles(
  { terms, joined }: WeightedTerms,
  { subject, found }: Topic,
  words: ReadonlySet<string>,
  tokenizer: Tokenizer,
): void {
  if (found === "") return;
  for (const word of words) {
    const isSubject = subject.includes(word.toLowerCase());
    if (!isSubject) reduceWeights(terms, tokenizer.split(word), PROJECT_WEIGHT);
  }
  for (const term of found.split(" ").flatMap((word) => tokenizer.split(word))) {
    if (terms.has(term)) continue;
    terms.set(term, TITLE_WORD_WEIGHT);
    joined.add(term);
  }
}

type Asked = Pick<Query, "asksHow" | "topic" | "settingName" | "intent" | "settingIntent">;

const NOTHING_ASKED: Asked = {
  asksHow: false,
  topic: undefined,
  settingName: undefined,
  intent: 0,
  settingIntent: 0,
};

/**
 * Returns whether a text asks how to do something or asks about a setting, with the probabilities. `words`: undefined
 * for a name.
 */
function askedOf(
  text: string,
  words: AskedWords | undefined,
  {
    definesSubject,
    topic,
  }: { readonly definesSubject: boolean; readonly topic: Topic | undefined },
): Asked {
  if (isLong(text)) return NOTHING_ASKED;
  const ofTopic = {
    asksHow: true,
    topic,
    settingName: undefined,
    intent: topic?.isCertain === false ? CONCEPT_INTENT : 1,
    settingIntent: 0,
  };
  if (words === undefined) return topic === undefined ? NOTHING_ASKED : ofTopic;
  const setting = settingQuestion(text);
  if (setting !== undefined && (setting.isCertain || !definesSubject))
    return { ...ofTopic, topic: undefined, settingName: setting.name, intent: 1, settingIntent: 1 };
  if (topic !== undefined) return ofTopic;
  const intent = intentOf(text, words);
  const settingIntent = settingIntentOf(text, intent);
  return { asksHow: asksInWords(text), topic, settingName: undefined, intent, settingIntent };
}

/** A question does not quote a message. */
function phrasesOf(text: string, { asksHow }: Asked): readonly string[] {
  return asksHow || isQuestion(text) ? [] : quotedPhrases(text);
}

/** Whether a word is the end of "formatter's" or "we'll", which says nothing. A text has both parts of "don't". */
function isContracted(text: string, word: string, start: number): boolean {
  const before = text[start - 2] ?? "";
  if (!isApostrophe(text[start - 1]) || !/[a-z]/i.test(before)) return false;
  return CONTRACTED.test(word) && !isApostrophe(text[start + word.length]);
}

function isApostrophe(character: string | undefined): boolean {
  return character === "'" || character === "\u2019";
}

/** Words in a foreign language are also searched by their prefixes, which its documentation has. */
function tokenizerFor(text: string, tokenizer: Tokenizer): Tokenizer {
  return isForeignLatinQuestion(text) ? withPrefixes(tokenizer) : tokenizer;
}

function requestedRolesOf(text: string, asksHow: boolean): Query["requestedRoles"] {
  return {
    tests: /\b(?:tests?|specs?|testing|tested|fixtures?|mocks?)\b/i.test(text),
    docs:
      asksHow ||
      /\b(?:docs?|documentation|readme|guide|tutorial|changelog|explained|markdown)\b/i.test(text),
    config:
      /\b(?:config|configuration|settings|yaml|toml|json|workflow|ci|lockfile|package)\b/i.test(
        text,
      ),
    examples: /\b(?:examples?|samples?|demos?)\b/i.test(text),
  };
}

/**
 * Counts a repeated word up to twice: in a pasted stack trace the most common word is not the most distinctive one.
 */
function termsOf(words: readonly string[], tokenizer: Tokenizer): Map<string, number> {
  const terms = new Map<string, number>();
  for (const word of words) {
    for (const term of tokenizer.split(word)) {
      terms.set(term, Math.min(2, (terms.get(term) ?? 0) + 1));
    }
  }
  return terms;
}

function isLong(text: string): boolean {
  return text.length > MIN_LONG_QUERY_CHARS;
}

/** Returns the first line, with the last one if that is the error below a traceback. */
function titleOf(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  const last = lines.at(-1) ?? "";
  return /^\s*[\w.]*(?:Error|Exception|Warning)\b/.test(last) ? `${first}\n${last}` : first;
}

/** Returns the text without these words. */
function without(text: string, words: ReadonlySet<string>): string {
  let rest = "";
  let end = 0;
  scanWords(text, (word, start) => {
    if (!words.has(word)) return;
    rest += text.slice(end, start);
    end = start + word.length;
  });
  return rest + text.slice(end);
}

function termsIn(text: string, tokenizer: Tokenizer): readonly string[] {
  const terms = new Set<string>();
  tokenizer.terms(text, (term) => void terms.add(term));
  return [...terms];
}

/** Terms in the title of an issue, or in the error above a stack trace, get more weight than the rest. */
function emphasizedTerms(
  text: string,
  words: readonly string[],
  tokenizer: Tokenizer,
): Map<string, number> {
  const own = new Set<string>();
  scanWords(titleOf(text), (word) => {
    if (!STOP.has(word.toLowerCase())) for (const term of tokenizer.split(word)) own.add(term);
  });
  const terms = termsOf(words, tokenizer);
  for (const term of terms.keys()) terms.set(term, own.has(term) ? TITLE_WEIGHT : REST_WEIGHT);
  return terms;
}

/** The terms of the words, then related terms, then neighbouring words written together. */
function termsWithRelated(words: QueryWords, tokenizer: Tokenizer): WeightedTerms {
  const terms = termsOf(words.distinctive, tokenizer);
  for (const [term, weight] of relatedTerms(words, tokenizer))
    if (!terms.has(term)) terms.set(term, weight);
  const joined = new Set([...joinedTerms(words, tokenizer)].filter((term) => !terms.has(term)));
  for (const term of joined) terms.set(term, JOINED_WEIGHT);
  return { terms, joined };
}

function namesLanguage(word: string, languages: ReadonlySet<string>): boolean {
  const name = word.toLowerCase();
  return languages.has(LANGUAGE_WORDS[name] ?? name) && !ORDINARY_WORDS.has(name);
}

function reduceWeights(terms: Map<string, number>, which: readonly string[], factor: number): void {
  for (const term of which) {
    const weight = terms.get(term);
    if (weight !== undefined) terms.set(term, weight * factor);
  }
}

function identifiersOf(
  text: string,
  words: ReadonlySet<string>,
  isSymbol: boolean,
): ReadonlySet<string> {
  const firstWord = text.trimStart();
  const marked = markedWords(text);
  return new Set(
    [...words].filter(
      (word) =>
        isSymbol ||
        /[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z]{2,}/.test(word) ||
        (/^[A-Z]/.test(word) && !firstWord.startsWith(word)) ||
        marked.has(word),
    ),
  );
}

/** The words before `(` and after a backtick. */
function markedWords(text: string): ReadonlySet<string> {
  const marked = new Set<string>();
  scanWords(text, (word, start) => {
    if (text[start + word.length] === "(" || text[start - 1] === "`") marked.add(word);
  });
  return marked;
}
