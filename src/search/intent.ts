// Estimates how likely someone wants to do something, rather than to know where or how a program does it. Documentation
// answers such a query. docs/ranking.md has the figures.

import { scanWords } from "../parse/tokenizer.ts";
import weights from "./ranking-weights.json" with { type: "json" };

/** Facts about a query. */
export interface AskedWords {
  /** Its words without function words. */
  readonly words: readonly string[];
  /** Those that look like names in a program. */
  readonly identifiers: ReadonlySet<string>;
  readonly paths: readonly string[];
}

/** Features of a query that does not ask in the words of `ASKS_HOW`, from 0 to 1, in the order of `intentFeatures`. */
export const INTENT_FEATURES = [
  /** It contains a name of a program, or a path. */
  "namesCode",
  /** It says what someone changed in a program, as the title of a commit does. */
  "isChange",
  /** It is a statement, as the title of an issue is. */
  "isStatement",
  /** Articles, conjunctions and other words of a task: 1 for three or more. */
  "taskWords",
  /** It contains a word in -ing, as descriptions of code do. */
  "hasGerund",
  /** It begins with a verb in its base form. */
  "isImperative",
  /** Share of the function words. */
  "functionWords",
] as const;

/** Of 300 questions about sections of documentation it finds 195, and of 1,500 about code 12. */
const ASKS_HOW =
  /^\s*(?:how (?:do|can|to|should|would|could|might)\b|(?:can|could|may|should) (?:i|we|you|one)\b|what(?:'s| is) the (?:best |right )?way\b|(?:what(?:'s| is| are) the )?differences? between\b|when should\b|install(?:ing|ation)?\b|set(?:ting)? up\b|getting started\b|upgrad(?:e|ing)\b|migrat(?:e|ing) (?:from|to)\b|configure\b)|\b(?:i|my|me|myself)\b/i;
/** A question, but not about doing something. */
const ASKS = /^\s*(?:how|where|which|what|when|why|who)\b/i;

const CHANGE =
  /^\s*(?:[\w./-]+(?: [\w./-]+)?: |(?:fix\w*|support\w*|improv\w+|revert\w*|refactor\w*|deprecat\w+|bump\w*|introduc\w+|implement\w*|preserv\w+|correct\w*|guard\w*|feature request|bug|don'?t|do not)\b)|\(fix|#\d/i;
const STATEMENT =
  /\b(?:should|is|are|was|were|does|has|have|will|cannot|can't|doesn't|isn't|won't|fails?|causes?|ignores?|crash\w*|incorrect\w*|wrong\w*|errors?|exception|unexpected\w*)\b/i;
const TASK_WORD =
  /\b(?:an?|the|it|own|every|all|only|if|when|several|automatically|custom|like|after|before|once|while|until|without|instead|from|into|than|same|default)\b/gi;
const MAX_TASK_WORDS = 3;
const GERUND = /\w\wing\b/;

// Without the verbs that begin both tasks and titles of changes: add, allow, disable, remove, replace …
const TASKS = new Set(
  (
    "abort accept access apply attach block break build call cancel catch check choose collect combine compare compile " +
    "compute connect control convert copy create customise customize cut debug declare define delete deploy describe " +
    "detect display download draw embed exclude execute export extend extract filter find forbid force format generate " +
    "get give group hide highlight host ignore import include increase inject insert inspect jump keep label launch let " +
    "limit link list listen load log look map mark mask match measure merge mock monitor mount name notice open " +
    "overwrite package pass pause pick pin plot point prefix print profile protect publish put query raise read receive " +
    "record redirect reduce refer refuse register reject reload render repeat require resend resize resolve restart " +
    "restrict resume retry return reuse roll rotate run save schedule search see select send serve share shorten show " +
    "shrink shut silence skip sort speed split start stop store stream style subscribe switch talk tell test throttle " +
    "trace translate trim turn upload use validate verify wait watch wrap write"
  ).split(" "),
);

/** Asks for tests of something, as "where are tests collected" does not. */
const ASKS_FOR_TESTS =
  /^\s*(?:(?:which|what) (?:unit |integration )?tests? (?:cover|check|exercise|exist|use|test|verif|assert|run)|(?:where are |find |show |list )?(?:me )?(?:the |all )?(?:unit |integration )?tests? (?:for|of|that cover|covering)\b|(?:where|how) (?:is|are) .{1,100}\btested\b)/i;

/** Verbs for actions, which say little about the subject; also words about tests. */
const ASKED_VERBS = new Set(
  "add allow change configure cover covers covering create custom customise customize disable enable exist exists find install make new set setup test tested tests unit use using write".split(
    " ",
  ),
);

/** Words for settings. */
const SETTINGS = /\b(?:config(?:s|ure[sd]?|uring|urations?|urable)?|settings?|defaults?)\b/i;
/** Verbs for changing a setting, at the beginning or after "how do I". */
const SETS =
  /^\s*(?:how (?:do|can|should|would|could) (?:i|we|you|one) |how to |(?:can|could|may) (?:i|we|you|one) |where (?:do|can) (?:i|we|you|one) )?(?:set|change|enable|disable|turn (?:on|off)|switch (?:on|off)|increase|raise|lower|reduce|decrease|limit|tune|adjust|customi[sz]e|override|require)\b/i;

/** Beginnings and words of questions that may have a topic: see topic-questions.ts. */
const MAY_HAVE_TOPIC =
  /^\s*(?:what|who|which|give|show|tell|about|how do(?:es)? (?:it|this)|why does)|\b(?:vs|versus|diff|compar|descri|defin|expl|doc|guid|manual|licen|commerc|contrib|maintain|archit|struct|organi|intern|layout|design|overview|intro|summar|start|set ?up|install|mean|things?\b|everything|require|tutorial|prereq|support|build|compil|test|develop|pull|feature|purpose|goal|runn|learn|read|live)/i;
const MAX_TOPIC_LENGTH = 100;

/** Returns whether the title of a page may answer a query. Only then is it worth loading what finds that out. */
export function mayHaveTopic(text: string): boolean {
  return text.length <= MAX_TOPIC_LENGTH && MAY_HAVE_TOPIC.test(text);
}

/** Returns whether a query asks in words how to do something. */
export function asksInWords(text: string): boolean {
  return ASKS_HOW.test(text);
}

/** Returns whether a query begins as a question does, whatever it asks. */
export function isQuestion(text: string): boolean {
  return ASKS.test(text);
}

/** Returns whether a query asks for the tests of something. */
export function asksForTests(text: string): boolean {
  return ASKS_FOR_TESTS.test(text);
}

/** Returns the words of a query that name its subject; all, if none seems to. */
export function subjectWords(words: readonly string[]): readonly string[] {
  const subject = words.filter((word) => {
    const lower = word.toLowerCase();
    return !TASKS.has(lower) && !ASKED_VERBS.has(lower);
  });
  return subject.length > 0 ? subject : words;
}

/** Returns the features of a query in the order of `INTENT_FEATURES`. */
export function intentFeatures(
  text: string,
  { words, identifiers, paths }: AskedWords,
): readonly number[] {
  const taskWords = text.match(TASK_WORD)?.length ?? 0;
  const first = /^\s*([a-z]+)\b/i.exec(text)?.[1] ?? "";
  let count = 0;
  scanWords(text, () => void (count += 1));
  return [
    Number(identifiers.size > 0 || paths.length > 0),
    Number(CHANGE.test(text)),
    Number(STATEMENT.test(text)),
    Math.min(MAX_TASK_WORDS, taskWords) / MAX_TASK_WORDS,
    Number(GERUND.test(text)),
    Number(TASKS.has(first.toLowerCase())),
    1 - Math.min(1, words.length / Math.max(1, count)),
  ];
}

/** Returns the chance, 0 to 1, that someone wants to set something, given that of wanting to do something. */
export function settingIntentOf(text: string, intent: number): number {
  return intent > 0 && (SETTINGS.test(text) || SETS.test(text)) ? intent : 0;
}

/** Returns the chance, 0 to 1, that someone wants to do something: 1 if the query says so, 0 for other questions. */
export function intentOf(text: string, asked: AskedWords): number {
  if (asksInWords(text)) return 1;
  if (ASKS.test(text)) return 0;
  const { intent } = weights;
  const sum = intentFeatures(text, asked).reduce(
    (total, value, at) => total + value * intent[INTENT_FEATURES[at] ?? "bias"],
    intent.bias,
  );
  return 1 / (1 + Math.exp(-sum));
}
