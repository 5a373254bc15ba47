// Questions that a page or a section answers by its title: what a concept is, what the project is, how its code is
// organized, how to begin, who maintains it, and where something is documented.

/** A kind of page or section that most projects have, under usual titles. */
interface PageKind {
  /** The words of a question that ask for it. */
  readonly asked: RegExp;
  /** Its titles, in lower case and with spaces between words. */
  readonly titles: RegExp;
  /** Words of such titles, which find the files. */
  readonly found: string;
}

const STRUCTURE =
  "architect\\w+|internals|design(?:ed)?|structured?|layout|organi[sz](?:ed|ation)|laid|live";
const DEVELOPMENT = "contribut\\w+|develop(?:ment|ers?)|build(?:ing)?|compil\\w+|test(?:s|ing)?";
const START = "get(?:ting)? started|quick ?start|first steps|up and running|install(?:ation|ing)?";

/** The kinds; a question with words of several asks for the first of them. */
const PAGES = {
  licence: {
    asked: /^(?:licen[cs]\w*|copyright|commercially)$/,
    titles: /licen[cs]|^copying|copyright/,
    found: "license licence copying",
  },
  users: {
    asked: /^(?:companies|organi[sz]ations|adopters|uses|using)$/,
    titles: /\b(?:adopters|users|used by|who uses|works with|showcase|community)\b/,
    found: "adopters users community",
  },
  requirements: {
    asked: /^(?:requirements|prerequisites|supported)$/,
    titles: /\b(?:requirements|prerequisites|support(?:ed)?|compatibility)\b/,
    found: "requirements prerequisites installation",
  },
  structure: {
    asked: new RegExp(`^(?:${STRUCTURE})$`),
    titles: new RegExp(`\\b(?:${STRUCTURE})\\b`),
    found: "architecture internals structure design",
  },
  development: {
    asked: new RegExp(`^(?:${DEVELOPMENT}|guidelines|pull)$`),
    titles: new RegExp(`\\b(?:${DEVELOPMENT}|hacking)\\b`),
    found: "contributing development building testing",
  },
  people: {
    asked: /^(?:maintain\w+|authors?|contribut\w+|wrote|created)$/,
    titles: /\b(?:maintain\w+|authors|contributors|team|credits)\b/,
    found: "maintainers authors contributors credits",
  },
  start: {
    asked: /^(?:started|quick-?start|steps|tutorial|install\w*)$/,
    titles: new RegExp(`^(?:${START}|basic usage|read ?me)\\b|\\btutorial$`),
    found: "getting started quickstart tutorial installation install readme",
  },
  overview: {
    asked:
      /^(?:overview|summary|introduction|description|features|goals?|purpose|vision|philosophy|motivation|aims|scope)$/,
    titles:
      /^(?:read ?me|(?:project )?overview|intro(?:duction)?|about|what is .*|.* at a glance|(?:key |main )?features|goals|vision)$/,
    found: "readme overview introduction features",
  },
} satisfies Readonly<Record<string, PageKind>>;

const KINDS: readonly PageKind[] = Object.values(PAGES);
/** The kinds that "who …" asks for, and those that "how is …" may ask for. */
const OF_WHO: readonly PageKind[] = [PAGES.users, PAGES.people];
const OF_HOW: readonly PageKind[] = [PAGES.licence, PAGES.structure];

/** Words that say nothing about a subject. */
const FILLER = wordsOf(
  "give show tell explain describe define summarize please want need see know learn read find here mean means what is " +
    "this it do does about",
);
/** Words for the project, and common ones of questions about it. */
const PROJECT = wordsOf(
  "project repo repository codebase base code library software program app application tool package framework product " +
    "source open thing everything work works exist short general main key whole entire good people things contain high level apply applies released terms " +
    "under free system minimal guide instructions local locally environment setup unit integration suite run running " +
    "requests style directory folder module file dev",
);
/** How a sentence of a text begins, which is no question. */
const STATES = /^\s*(?:you|we|this|these|it|see|if) /i;
/** Words that are questions on their own. */
const ALONE =
  /^(?:overview|introduction|architecture|requirements|prerequisites|licen[cs]e|installation|contributing|quickstart|tutorial)$/i;
const ASKS_CODE = /^\s*(?:where|why|when|how (?:does|is))\b/i;
/** Questions that also name a part: "getting started with docker", "which browsers are supported". */
const STARTS = new RegExp(
  String.raw`^\s*(?:how (?:to|do i) )?(?:${START}|running (?:it|locally|(?:in|on|with|under) \w+$|(?:the )?(?:app\w*|server|program)\b))\b`,
  "i",
);
const REQUIRES =
  /^\s*(?:(?:what|which|list)\b.* (?:supported|required)|supported [\w-]+|(?:what (?:is|are) )?(?:the )?(?:\w+ )?(?:requirements|prerequisites)(?: .*)?)\s*\??\s*$/i;

const MAX_CONCEPT_WORDS = 4;
/** A longer question is about more than a title says. */
const MAX_SUBJECT_WORDS = 6;

/** How questions about a concept begin. A name in code with an `article` is a concept. */
const DEFINES =
  /^\s*(?:can you |please )?(?:(?:what(?:'s| is| are| does(?= an? .* do\b)| do(?:es)?(?= .* mean\b))|define|explain(?: what)?|describe|tell me about|(?:the )?(?:definition|meaning|concept) of|(?:give me )?(?:an? )?(?:\w+ )?(?:overview|introduction|summary) (?:of|to)) )(?<article>an? )?(?<subject>[^?!]+?)(?: (?:mean|do|for|is|are))?(?: here| in (?:this|the|our) [\w -]+)?\s*[?!.]*\s*$/i;
/** Relations, quantities and parts of programs, which a question about code has. */
const RELATION =
  /\b(?:class|function|method|struct|interface|variable|constant|all|every|each|of|for|to|from|with|by|on|at|into|when|if|that|which|who|how|why|where|and|or|does|do|is|are|gets?|called|used|returned|passed)\b/i;
const DOCUMENTED =
  /\b(?:is|are|was) [^?]*\bdocumented\b|^\s*(?:where|how) [^?]*\b(?:read|learn)(?: more)? about\b|^\s*(?:where (?:is|are|can i find) |is there )?(?:the |any )?(?:docs|documentation|guide|manual|reference) (?:of|for|on|about|to)\b|\b(?:docs|documentation|guide|manual)\s*\??\s*$/i;
const COMPARES =
  /(?:\S (?:vs\.?|versus)|\bcompared? (?:to|with)|\bdiffers? from|\bdifferences? (?:between|from|to))(?= )|^\s*compare\b/i;
/** Words of these questions that are no part of a subject. */
const NO_SUBJECT =
  /^(?:doc(?:s|umented|umentation)?|guide|manual|vs|versus|compared?|differ\w*|overview|introduction|definition|meaning|concept)$/;

/** The subject of a question that documentation answers by a title. */
export interface Topic {
  /** Words of the subject; empty for the project. */
  readonly subject: readonly string[];
  /** The usual titles of the pages that answer. */
  readonly titles: RegExp | undefined;
  /** Words that find these pages. */
  readonly found: string;
  /** False if code may answer as well. */
  readonly isCertain: boolean;
  /** Whether the beginning of such a page answers. */
  readonly isAboutAll: boolean;
}

/**
 * Returns the topic of a question; undefined for other questions. `words`: those of the question without function
 * words. `names`: those of the project.
 */
export function topicOf(
  text: string,
  words: readonly string[],
  names: readonly string[],
): Topic | undefined {
  if (/[\n/\\{}()<>=]/.test(text) || STATES.test(text)) return undefined;
  const own = wordsOf(names.flatMap((name) => [name, ...name.split(/[^a-z0-9]+/i)]).join(" "));
  const content = words
    .map((word) => word.toLowerCase())
    .filter((word) => !FILLER.has(word) && !(word.length > 2 && own.has(word)));
  return pageTopic(text, content) ?? subjectTopic(text, content);
}

/** The topic of a question about the project as a whole. */
function pageTopic(text: string, words: readonly string[]): Topic | undefined {
  const trimmed = text.trim();
  if (!/\s/.test(trimmed) && !ALONE.test(trimmed)) return undefined;
  // "What is a package" asks for a concept, "what is this package" for the project.
  if (/^(?:what(?:'s| is| does)|define) an? /i.test(trimmed)) return undefined;
  const content = words.filter((word) => !PROJECT.has(word));
  if (content.length === 0) {
    const isAsked =
      /^\s*(?:what|why|how do(?:es)?|describe|explain|tell|summari[sz]e|about|give)\b.* \S/i.test(
        text,
      );
    return isAsked ? topicOfKind(PAGES.overview, []) : undefined;
  }
  if (STARTS.test(text)) return topicOfKind(PAGES.start, content);
  if (REQUIRES.test(text)) return topicOfKind(PAGES.requirements, content);
  const isAsked = ({ asked }: PageKind): boolean => content.some((word) => asked.test(word));
  const isKnown = content.every((word) => KINDS.some(({ asked }) => asked.test(word)));
  const kind = isKnown ? kindsFor(text).find(isAsked) : undefined;
  return kind && topicOfKind(kind, content);
}

function kindsFor(text: string): readonly PageKind[] {
  if (/^\s*(?:who|which (?:companies|people|projects))\b/i.test(text)) return OF_WHO;
  return ASKS_CODE.test(text) ? OF_HOW : KINDS;
}

function topicOfKind({ titles, found }: PageKind, subject: readonly string[]): Topic {
  return { subject, titles, found, isCertain: true, isAboutAll: titles === PAGES.overview.titles };
}

/** The topic of a question about something in the project. */
function subjectTopic(text: string, words: readonly string[]): Topic | undefined {
  const subject = words.filter((word) => !NO_SUBJECT.test(word));
  if (subject.length === 0 || subject.length > MAX_SUBJECT_WORDS) return undefined;
  const isCertain = DOCUMENTED.test(text) || COMPARES.test(text);
  const topic = { subject, titles: undefined, found: "", isCertain, isAboutAll: false };
  if (isCertain) return topic;
  const groups = DEFINES.exec(text)?.groups;
  const of = groups?.["subject"]?.replace(/^the /i, "") ?? "";
  if (of === "" || subject.length > MAX_CONCEPT_WORDS || RELATION.test(of)) return undefined;
  const isCode = /[a-z0-9][A-Z]|\w_\w|\w\.\w|::|`/.test(of);
  return isCode && groups?.["article"] === undefined ? undefined : topic;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(" "));
}
