import { scanWords, type Tokenizer } from "../chunk/words.ts";

/** A question, taken apart. */
export interface Query {
  /** Distinct terms with how much each counts. */
  readonly terms: ReadonlyMap<string, number>;
  /** Words of the question as written, without stop words. */
  readonly words: readonly string[];
  /** Those that look like names in a program: camelCase, snake_case, A::b, a.b(). */
  readonly identifiers: ReadonlySet<string>;
  /** Words that look like a path or the name of a file. */
  readonly paths: readonly string[];
  /** True when the question is nothing but one name. */
  readonly isSymbol: boolean;
  readonly asksFor: Readonly<Record<"tests" | "docs" | "config" | "examples", boolean>>;
}

// Function words, and the verbs of questions about programs. Negations stay out of the list's reach
// only where programs use them as names ("not", "none" are kept).
const STOP = new Set(
  (
    "a an the of to in on for and or is are be as by with from at it its this that these those how does do did " +
    "what which where when why who whom into onto than then there their them they you your we our us i me my can " +
    "could should would may might will shall has have had been being was were if else via per using use used so " +
    "such any each other some between within about during also only same both few more most very just"
  ).split(" "),
);

// The look-behind keeps the time linear: without it every character of a long word begins anew.
const PATH = /(?<![\w@.-])[\w@.-]*(?:\/[\w@.-]+)+|(?<![\w-])[\w-]+\.[a-z]{1,4}\b(?!\()/g;

/** Takes a question apart. Never fails: a question of stop words alone is searched as it stands. */
export function parseQuery(text: string, tokenizer: Tokenizer): Query {
  const words: string[] = [];
  scanWords(text, (word) => void words.push(word));
  const telling = words.filter((word) => !STOP.has(word.toLowerCase()));
  const kept = telling.length > 0 ? telling : words;
  const distinct = new Set(kept);
  const isSymbol = /^[\w$]+(?:(?:\.|::|#|->)[\w$]+)*(?:\(\))?$/.test(text.trim());
  return {
    terms: termsOf(kept, tokenizer),
    words: [...distinct].slice(0, 64),
    identifiers: identifiersOf(text, distinct, isSymbol),
    paths: text.match(PATH) ?? [],
    isSymbol,
    asksFor: {
      tests: /\b(?:tests?|specs?|testing|tested|fixtures?|mocks?)\b/i.test(text),
      docs: /\b(?:docs?|documentation|readme|guide|tutorial|changelog|explained|markdown)\b/i.test(
        text,
      ),
      config:
        /\b(?:config|configuration|settings|yaml|toml|json|workflow|ci|lockfile|package)\b/i.test(
          text,
        ),
      examples: /\b(?:examples?|samples?|demos?)\b/i.test(text),
    },
  };
}

/** A word said twice counts twice at most: in a pasted stack trace the common word is not the telling one. */
function termsOf(words: readonly string[], tokenizer: Tokenizer): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const word of words) {
    for (const term of tokenizer.split(word)) {
      terms.set(term, Math.min(2, (terms.get(term) ?? 0) + 1));
    }
  }
  return terms;
}

function identifiersOf(
  text: string,
  words: ReadonlySet<string>,
  isSymbol: boolean,
): ReadonlySet<string> {
  const firstWord = text.trimStart();
  return new Set(
    [...words].filter(
      (word) =>
        isSymbol ||
        /[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z]{2,}/.test(word) ||
        (/^[A-Z]/.test(word) && !firstWord.startsWith(word)) ||
        text.includes(`${word}(`) ||
        text.includes(`\`${word}`),
    ),
  );
}
